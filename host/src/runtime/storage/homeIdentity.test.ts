import { cp, mkdir, mkdtemp, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeIdentity } from './homeIdentity.ts';

let folder: string;
let home: string;
beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tabularium-identity-')));
  home = join(folder, 'home');
  await mkdir(home);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('homeIdentity', () => {
  it('is the same at every start, and of every home another', async () => {
    const first = await homeIdentity(home);
    expect(first.originals).toEqual([]);
    expect(await homeIdentity(home)).toMatchObject(first);
    await mkdir(join(folder, 'other'));
    expect((await homeIdentity(join(folder, 'other'))).name).not.toBe(first.name);
  });

  it('is another one for a copy, which names its original, and stays for the original', async () => {
    const original = await homeIdentity(home);
    const copy = join(folder, 'copy');
    await cp(home, copy, { recursive: true });
    const copied = await homeIdentity(copy);
    expect(copied.name).not.toBe(original.name);
    expect(copied.originals).toEqual([original.name]);
    expect(await homeIdentity(copy)).toMatchObject(copied);
    expect(await homeIdentity(home)).toMatchObject(original);
    await cp(copy, join(folder, 'second copy'), { recursive: true });
    expect((await homeIdentity(join(folder, 'second copy'))).originals).toEqual([copied.name, original.name]);
  });

  it('stays where the folder is renamed, also when a copy takes its place', async () => {
    const original = await homeIdentity(home);
    const renamed = join(folder, 'renamed');
    await cp(home, join(folder, 'copy'), { recursive: true });
    await rename(home, renamed);
    await rename(join(folder, 'copy'), home);
    expect((await homeIdentity(home)).name).not.toBe(original.name);
    expect((await homeIdentity(renamed)).name).toBe(original.name);
    expect((await homeIdentity(renamed)).name).toBe(original.name);
  });

  it('reads the entries of a home that was used by a version without names', async () => {
    await writeFile(join(home, 'tabularium.db'), '');
    expect((await homeIdentity(home)).originals).toEqual(['']);
  });

  it('refuses a file that it does not understand, and leaves it', async () => {
    const file = join(home, 'home-identity.json');
    await writeFile(file, '{"version":2}');
    await expect(homeIdentity(home)).rejects.toMatchObject({ code: 'HOME_UNUSABLE' });
    expect(await readFile(file, 'utf8')).toBe('{"version":2}');
  });
});
