import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-text-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Calls a function of the module in a process that can open no more files. @returns the code of its error */
function withoutFiles(call: string): string {
  const script = `
    import { openSync } from 'node:fs';
    const { writeNewFile, assertCreatable } = await import(${JSON.stringify(join(import.meta.dirname, 'textFiles.ts'))});
    const [file, home] = process.argv.slice(1);
    try { for (;;) openSync('/dev/null'); } catch {}
    await ${call}.then(() => console.log('written'), (error) => console.log(error.code));
  `;
  const words = [
    '--conditions=tabularium:source',
    '--input-type=module',
    '-e',
    script,
    join(folder, 'mine'),
    join(folder, 'home'),
  ];
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, ...words], {
    encoding: 'utf8',
  });
  return stdout.trim() || stderr;
}

it.each(["writeNewFile(file, 'new', false, home)", 'assertCreatable(file, home)'])(
  'keeps a file that is there when no more files can be opened: %s',
  async (call) => {
    await writeFile(join(folder, 'mine'), 'mine');
    expect(withoutFiles(call)).toBe('TOO_MANY_FILES');
    expect(await readFile(join(folder, 'mine'), 'utf8')).toBe('mine');
    expect(await readdir(folder)).toEqual(['mine']);
  },
);
