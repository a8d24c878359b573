import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectionGroupsMigration } from '../../host/src/runtime/storage/migrations/connectionGroups.ts';
import { connectionsMigration } from '../../host/src/runtime/storage/migrations/connections.ts';
import { Database } from '../../host/src/runtime/storage/database.ts';

// A program that writes into the home's database can give an AI client every permission, and remove entries from the log. The lock keeps out every
// program that asks for one. It does not keep out one of the same person that opens the file without locks (decision 0011).

const MIGRATIONS = [connectionsMigration, connectionGroupsMigration];
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-database-'));
  file = join(folder, 'tabularium.db');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a statement in another process of the same person. */
async function elsewhere(sql: string): Promise<string> {
  const program = `
    const { DatabaseSync } = require('node:sqlite');
    try {
      console.log(JSON.stringify(new DatabaseSync(process.argv[1]).prepare(process.argv[2]).all()));
    } catch (error) { console.log(error.message); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program, file, sql]);
  return stdout.trim();
}

describe('the database of a running host', () => {
  it.each(["UPDATE connections SET external_clients = 'fullAccess'", 'SELECT name FROM connections'])(
    'is exclusive: "%s" in another process is rejected, even after the host was idle for long',
    async (sql) => {
      using database = new Database(file, MIGRATIONS);
      database.connection.prepare('SELECT 1').get();
      expect(await elsewhere(sql)).toBe('database is locked');
    },
  );

  it('is free again when the host has ended', async () => {
    new Database(file, MIGRATIONS)[Symbol.dispose]();
    expect(await elsewhere('SELECT name FROM connections')).toBe('[]');
  });

  it('is whole from what a killed host leaves', async () => {
    using database = new Database(file, MIGRATIONS);
    database.connection.exec('CREATE TABLE kept (value TEXT) STRICT');
    database.connection.prepare('INSERT INTO kept VALUES (?)').run('here');
    const left = join(folder, 'left.db');
    for (const suffix of ['', '-wal']) await copyFile(`${file}${suffix}`, `${left}${suffix}`);
    using again = new Database(left, MIGRATIONS);
    expect(again.connection.prepare('SELECT value FROM kept').all()).toEqual([{ value: 'here' }]);
  });
});
