import { execFile } from 'node:child_process';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { root } from '../../scripts/paths.ts';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-'));
});
afterAll(() => rm(folder, { recursive: true }));

const report = (...parameters: string[]) =>
  run(process.execPath, ['--conditions=tabularium:source', join(root, 'tests/conformance/report.ts'), ...parameters], {
    cwd: root,
  });

describe('npm run conformance', () => {
  it('writes the reports of the drivers that are named, and prints their scores', async () => {
    const { stdout } = await report('--out', folder, 'guide', 'orchard');
    expect(stdout).toMatch(/^guide: 100 of 100 \(\d+ kept, 0 broken, 0 not tried, \d+ absent\) .*guide\.md\norchard: 100 of 100/);
    expect((await readdir(folder)).sort()).toEqual(['guide.json', 'guide.md', 'orchard.json', 'orchard.md']);
    expect(JSON.parse(await readFile(join(folder, 'guide.json'), 'utf8'))).toMatchObject({ score: 100, driver: { id: 'notes' } });
    expect(await readFile(join(folder, 'orchard.md'), 'utf8')).toMatch(/^# Conformance of orchard: 100 of 100/);
  });

  it('rejects an unknown driver, and lists the known ones', async () => {
    await expect(report('nobody')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/no driver nobody.*search, sqlite, ledger/) as string,
    });
  });
});
