import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createSpoolFolder } from './spoolFolder.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-spool-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function spool(name: string, ageSeconds: number): Promise<void> {
  await mkdir(join(folder, name));
  await writeFile(join(folder, name, 'standard input'), 'rows');
  const time = Date.now() / 1_000 - ageSeconds;
  await utimes(join(folder, name), time, time);
}

it('removes the rows of a command that was killed, and leaves those of one that may run', async () => {
  const { pid: dead } = spawnSync(process.execPath, ['--version']);
  await spool(`tabularium-import-${dead}-abC123`, 4_000);
  await spool(`tabularium-export-${dead}-abC123`, 4_000);
  const others = [`tabularium-import-${dead}-young1`, `tabularium-import-${process.pid}-abC123`, 'tabularium-import-mine'];
  for (const name of others) await spool(name, name.includes('young') ? 60 : 4_000);
  const made = await createSpoolFolder('export', folder);
  expect((await readdir(folder)).map((name) => join(folder, name)).sort()).toEqual(
    [made, ...others.map((name) => join(folder, name))].sort(),
  );
});
