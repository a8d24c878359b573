import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { refuseInDataDirectory } from './dataDirectory.ts';

let folder: string;
let own: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'tabularium-own-')));
  own = join(folder, 'own');
  mkdirSync(join(own, 'drivers'), { recursive: true });
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(own, 'tabularium.db'), '');
  symlinkSync(own, join(folder, 'linked'));
  symlinkSync(join(own, 'tabularium.db'), join(folder, 'other', 'link.db'));
  symlinkSync(join(own, 'restore.json'), join(folder, 'other', 'dangling.json'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a file to write', () => {
  it.each([
    ['the database', 'own/tabularium.db'],
    ['a new file', 'own/restore.json'],
    ['a new file in a folder that does not exist', 'own/new/folder/file.json'],
    ['the folder itself', 'own'],
    ['a folder of it', 'own/drivers/x.tgz'],
    ['a path with ..', 'other/../own/x.json'],
    ['a linked folder', 'linked/x.json'],
    ['a linked folder and one that does not exist', 'linked/new/x.json'],
    ['a link to the database', 'other/link.db'],
    ['a link to a file that does not exist yet', 'other/dangling.json'],
  ])('is refused in the data directory: %s', (_, path) => {
    expect(() => refuseInDataDirectory(join(folder, path), own)).toThrow(/is in the data directory/);
    expect(() => refuseInDataDirectory(relative(process.cwd(), join(folder, path)), own)).toThrow(/is in the data directory/);
    expect(() => refuseInDataDirectory(join(folder, path), join(folder, 'linked'))).toThrow(/is in the data directory/);
  });

  it.each(['other/x.json', 'own-too/x.json', 'own.json', 'other/own/x.json', '..own'])('is accepted elsewhere: %s', (path) => {
    expect(() => refuseInDataDirectory(join(folder, path), own)).not.toThrow();
  });
});
