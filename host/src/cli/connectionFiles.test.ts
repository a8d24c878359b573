import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let folder: string;
beforeEach(async () => {
  machine = await FakeMachine.create();
  folder = await mkdtemp(join(tmpdir(), 'tabularium-files-'));
  const add = ['connections', 'add', '--driver', 'fixture', '--access-key-env', 'KEY', '--name'];
  for (const name of ['Attic', 'Cellar']) await machine.run([...add, name], { env: { KEY: 'k' } });
});
afterEach(async () => {
  await machine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe('connections export', () => {
  it('writes all or some, to standard output or to a file that only its owner reads', async () => {
    const file = join(folder, 'out.json');
    expect((await machine.run(['connections', 'export'])).out).toContain('"Cellar"');
    expect(await machine.json(['connections', 'export', 'attic', '--file', file])).toEqual({ file, connections: 1 });
    const text = await readFile(file, 'utf8');
    expect(text).toContain('"Attic"');
    expect(text).not.toContain('"Cellar"');
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it('replaces a file only when asked', async () => {
    const file = join(folder, 'out.json');
    await writeFile(file, 'mine');
    const words = ['connections', 'export', '--file', file];
    const refused = await machine.run(words);
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('exists already');
    expect(await readFile(file, 'utf8')).toBe('mine');
    expect((await machine.run([...words, '--overwrite'])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toContain('"Attic"');
  });
});

describe('connections import', () => {
  it('takes each connection of a file, and ends with 1 when one is not taken', async () => {
    const file = join(folder, 'in.json');
    await machine.run(['connections', 'export', '--file', file]);
    const taken = await machine.run(['connections', 'import', file]);
    expect([taken.code, taken.out]).toEqual([0, 'Added "Number 0"\nAdded "Number 1"\n']);
    expect((await machine.run(['connections', 'import', file, '--on-conflict', 'rename'])).err).toContain(
      'Warning: "Number 0" would send the value of an environment variable to its server: KEY.',
    );
    expect((await machine.run(['connections', 'import', file, '--on-conflict', 'rename', '--json'])).err).toBe('');
    expect((await machine.run(['connections', 'import', file, '--on-conflict', 'replace'])).code).toBe(1);
    expect((await machine.run(['connections', 'import', file, '--on-conflict', 'ask'])).code).toBe(2);
  });

  it('says where a file is wrong, and which file is not there', async () => {
    const file = join(folder, 'bad.json');
    await writeFile(file, '{\n  "format": oops\n}');
    const bad = await machine.run(['connections', 'import', file]);
    expect([bad.code, bad.err]).toEqual([1, expect.stringContaining('line 2, column 13')]);
    expect((await machine.run(['connections', 'import', join(folder, 'none.json')])).err).toContain('does not exist');
  });
});
