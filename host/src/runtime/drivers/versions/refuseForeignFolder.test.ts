import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FolderOwner } from './refuseForeignFolder.ts';
import { folderOwner, isOwnGroup, refuseForeignFolder } from './refuseForeignFolder.ts';

const uid = process.getuid?.() ?? 0;
const gid = process.getgid?.() ?? 0;
const alone: FolderOwner = { uid, ownGroup: undefined };
const paths = ['package.json', 'dist/index.js', 'README.md'];
let above: string;
let folder: string;

beforeEach(async () => {
  above = await realpath(await mkdtemp(join(tmpdir(), 'tabularium-foreign-')));
  folder = join(above, 'driver');
  await mkdir(join(folder, 'dist'), { recursive: true });
  await writeFile(join(folder, 'package.json'), '{}');
  await writeFile(join(folder, 'dist/index.js'), '');
  for (const path of [folder, join(folder, 'dist')]) await chmod(path, 0o755);
  for (const path of paths.slice(0, 2)) await chmod(join(folder, path), 0o644);
});
afterEach(() => rm(above, { recursive: true, force: true }));

describe('a folder that a driver is loaded from', () => {
  it('is taken where only its person may write, below a folder for everybody that has the sticky bit', async () => {
    await chmod(above, 0o1777);
    await expect(refuseForeignFolder(folder, paths, await folderOwner())).resolves.toBeUndefined();
  });

  it.each([
    ['itself', () => folder],
    ['the folder of its entry', () => join(folder, 'dist')],
    ['its entry', () => join(folder, 'dist/index.js')],
    ['the folder above', () => above],
  ])('is refused where everybody may write %s, by a sentence that names it', async (_what, place) => {
    await chmod(place(), 0o777);
    await expect(refuseForeignFolder(folder, paths, alone)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: `Every user of this machine may write ${place()}. No driver is loaded from there.`,
    });
  });

  it('is refused below a folder of another user, also where that has the sticky bit', async () => {
    await chmod(above, 0o1777);
    // Root may give it away; another person looks at it as somebody else, to whom the folder in it does not belong either.
    if (uid === 0) await chown(above, 4_242, 4_242);
    const somebody = { uid: uid === 0 ? uid : uid + 1, ownGroup: undefined };
    await expect(refuseForeignFolder(folder, paths, somebody)).rejects.toMatchObject({
      message: `${uid === 0 ? above : folder} belongs to another user of this machine, who could change the driver's code. No driver is loaded from there.`,
      details: { advice: 'Choose a folder that belongs to you and that only you may write.' },
    });
  });

  it.each([
    ['of root', 0o755],
    ['with the sticky bit', 0o1777],
  ])('is refused where everybody may write the folder above a folder %s', async (_what, mode) => {
    const deep = join(above, 'between', 'driver');
    await mkdir(deep, { recursive: true });
    await chmod(join(above, 'between'), mode);
    await chmod(above, 0o777);
    await expect(refuseForeignFolder(deep, [], alone)).rejects.toThrow(`Every user of this machine may write ${above}.`);
  });

  it('is refused where a group may write it, unless it is the group of this person alone', async () => {
    await chmod(folder, 0o775);
    await expect(refuseForeignFolder(folder, paths, alone)).rejects.toThrow(`Other users of this machine may write ${folder}.`);
    await expect(refuseForeignFolder(folder, paths, { uid, ownGroup: gid })).resolves.toBeUndefined();
  });

  it('is refused where it belongs to another user', async () => {
    // Root may give it away; another person looks at it as somebody else.
    if (uid === 0) await chown(folder, 4_242, 4_242);
    const somebody = { uid: uid === 0 ? uid : uid + 1, ownGroup: undefined };
    await expect(refuseForeignFolder(folder, paths, somebody)).rejects.toThrow(
      `${folder} belongs to another user of this machine`,
    );
  });
});

describe('the group of one person alone', () => {
  const groups = 'root:x:0:\nann:x:1000:\nbob:x:1001:ann\n';
  const people = 'root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n';
  it.each([
    ['has the name and no other members', 'ann', 1_000, people, true],
    ['has another name', 'tom', 1_000, people, false],
    ['has another member', 'bob', 1_001, people, false],
    ['is the first group of another person', 'ann', 1_000, `${people}eve:x:1002:1000::/home/eve:/bin/sh\n`, false],
  ])('%s', (_what, name, gid, text, own) => {
    expect(isOwnGroup(name, gid, groups, text)).toBe(own);
  });
});
