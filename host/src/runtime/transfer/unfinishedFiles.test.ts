import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from '../storage/database.ts';
import { silentLogger } from '../storage/logger.ts';
import { dataDirectoryMigration } from '../storage/migrations/dataDirectory.ts';
import { PartFile } from './partFile.ts';
import { UnfinishedFiles } from './unfinishedFiles.ts';

let folder: string;
let database: Database;
let unfinished: UnfinishedFiles;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-unfinished-'));
  database = new Database(':memory:', [dataDirectoryMigration]);
  unfinished = new UnfinishedFiles(database.connection, silentLogger, join(folder, 'home'));
  path = join(folder, 'out.part');
});
afterEach(async () => {
  database[Symbol.dispose]();
  await rm(folder, { recursive: true, force: true });
});

const recorded = (): number => database.connection.prepare('SELECT path FROM unfinished_files').all().length;

/** The state that the next start finds after a process was killed after these steps. */
async function leftAfterSweep(): Promise<string[]> {
  await unfinished.sweep();
  expect(recorded()).toBe(0);
  return readdir(folder);
}

describe('the next start after a kill', () => {
  it('deletes a file that was created and recorded, with its content', async () => {
    unfinished.announce(path);
    await writeFile(path, '');
    await unfinished.begin(path);
    await writeFile(path, 'rows');
    expect(await leftAfterSweep()).toEqual([]);
  });

  it('deletes an empty file that was created, but not recorded yet', async () => {
    unfinished.announce(path);
    await writeFile(path, '');
    expect(await leftAfterSweep()).toEqual([]);
  });

  it('keeps a file with content where only the announcement was recorded', async () => {
    unfinished.announce(path);
    await writeFile(path, 'of another program');
    expect(await leftAfterSweep()).toEqual(['out.part']);
  });

  it.each([
    ['a minute after', -60_000],
    ['a minute before', 60_000],
  ])('keeps an empty file that another program created %s the announcement', async (_when, milliseconds) => {
    unfinished.announce(path);
    const { born } = database.connection.prepare('SELECT born FROM unfinished_files').get() ?? {};
    database.connection
      .prepare('UPDATE unfinished_files SET born = ?')
      .run(String(BigInt(String(born)) + BigInt(milliseconds) * 1_000_000n));
    await writeFile(path, '');
    expect(await leftAfterSweep()).toEqual(['out.part']);
  });

  it('forgets a file that was announced and never created', async () => {
    unfinished.announce(path);
    expect(await leftAfterSweep()).toEqual([]);
  });

  it('keeps a file that replaced the recorded one', async () => {
    await writeFile(path, '');
    await unfinished.begin(path);
    await writeFile(join(folder, 'other'), '');
    await rm(path);
    await writeFile(path, '');
    expect(await leftAfterSweep()).toEqual(['other', 'out.part']);
  });
});

describe('an export to a name whose .part file exists', () => {
  const file = (): string => join(folder, 'out');

  it('leaves nothing recorded, and another program its file', async () => {
    await writeFile(path, '');
    await expect(PartFile.open(file(), false, unfinished)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    expect(await leftAfterSweep()).toEqual(['out.part']);
  });

  it('leaves the record of the export that writes it', async () => {
    const first = await PartFile.open(file(), false, unfinished);
    await expect(PartFile.open(file(), false, unfinished)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    await first.write(Buffer.from('rows'));
    expect(recorded()).toBe(1);
    expect(await leftAfterSweep()).toEqual([]);
    await first.abandon();
  });
});
