import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HostError } from '../../host/src/common/errors.ts';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import type { Home } from '../../host/src/runtime/storage/home.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { MIGRATIONS } from '../../host/src/runtime/storage/migrations.ts';
import { openHomeDatabase } from '../../host/src/runtime/storage/homeDatabase.ts';

// A database that SQLite finds sound and that lacks a part: somebody has edited it. Each table, index and column is taken away in turn.

let home: Home;
let file: string;
let whole: string;
let backup: string;

beforeAll(async () => {
  home = await openHome(mkdtempSync(join(tmpdir(), 'tabularium-tables-')));
  file = join(home.folder, 'tabularium.db');
  whole = join(home.folder, 'whole.db');
  const { database, backups } = openHomeDatabase(home, MIGRATIONS, silentLogger);
  backup = (await backups.create(database.connection, 'daily')).file;
  database[Symbol.dispose]();
  copyFileSync(file, whole);
});
afterAll(() => rmSync(home.folder, { recursive: true, force: true }));

/** Opens the database after a statement of somebody else. @returns the error; undefined when it was opened */
function openedAfter(statement: string): unknown {
  copyFileSync(whole, file);
  const connection = new DatabaseSync(file);
  connection.exec(`PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; ${statement}`);
  connection.close();
  const before = readFileSync(file);
  try {
    openHomeDatabase(home, MIGRATIONS, silentLogger).database[Symbol.dispose]();
    return undefined;
  } catch (error) {
    expect(readFileSync(file).equals(before), `${statement}: the file is unchanged`).toBe(true);
    return error;
  }
}

function ask(sql: string): Record<string, unknown>[] {
  const connection = new DatabaseSync(whole, { readOnly: true });
  try {
    return connection.prepare(sql).all();
  } finally {
    connection.close();
  }
}

it('a missing table, index or column is reported as damage, with the command that restores the backup', () => {
  const parts = ask("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%'");
  const columns = ask(
    "SELECT t.name AS name, c.name AS column FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite_%'",
  );
  const changes = [
    ...parts.map(({ type, name }) => [`DROP ${String(type)} "${String(name)}"`, String(name)]),
    ...parts
      .filter(({ type }) => type === 'table')
      .map(({ name }) => [`ALTER TABLE "${String(name)}" RENAME TO "renamed"`, String(name)]),
    ...columns.map(({ name, column }) => [`ALTER TABLE "${String(name)}" RENAME COLUMN "${String(column)}" TO "renamed"`, '']),
  ];
  expect(changes.length).toBeGreaterThan(50);
  for (const [statement = '', named = ''] of changes) {
    const error = openedAfter(statement);
    expect(error, statement).toBeInstanceOf(HostError);
    const { code, message, advice } = error as HostError;
    expect([statement, code]).toEqual([statement, 'DATABASE_DAMAGED']);
    expect(message).toContain(named);
    expect(message).toMatch(/lacks/);
    expect(advice).toContain(`tabularium restore ${backup}`);
  }
});

it('tables, indexes and columns that somebody has added do not matter', () => {
  expect(
    openedAfter('CREATE TABLE mine (a); CREATE INDEX mine_a ON mine (a); ALTER TABLE connections ADD COLUMN mine TEXT'),
  ).toBe(undefined);
});
