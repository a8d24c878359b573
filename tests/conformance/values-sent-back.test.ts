import { mkdtempSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER, decodePage } from '@tabularium/sdk';
import type { Cell, RowChange, Session, TableRef } from '@tabularium/sdk';
import { administer, open as openPostgres, ref as postgresRef } from '../../drivers/postgres/src/session.test-helper.ts';
import { describeWithServer } from '../../drivers/postgres/src/server.test-helper.ts';
import { open as openSqlite, ref as sqliteRef } from '../../drivers/sqlite/src/session.test-helper.ts';
import { sendableValue } from '../../host/src/runtime/mcp/tools/sendableValue.ts';
import { writtenCell } from '../../host/src/runtime/mcp/tools/writtenCell.ts';

// A value as a client of MCP is given it, sent back: as a key it names the same row, and as a value it is stored as the same.

const { signal } = new AbortController();

/** Rows as an answer gives them, and the cells that they become when they are sent back. */
async function sentBack(
  session: Session,
  table: TableRef,
): Promise<{ readonly cells: Cell[][]; readonly back: Cell[][]; readonly names: string[] }> {
  const { key } = await session.describeTable(table, { signal });
  const page = await session.readPage(
    { table, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1_000 },
    { signal },
  );
  const { columns, rows } = decodePage(page.batch);
  const back = rows.map((row) =>
    columns.map(({ name, kind }, index) => {
      const value = sendableValue(
        (row[index] ?? null) as Cell,
        kind,
        { values: 0, longest: 0, limit: 10_000 },
        key.includes(name),
      );
      return writtenCell(name, JSON.parse(JSON.stringify(value)), kind);
    }),
  );
  return { cells: rows as Cell[][], back, names: columns.map(({ name }) => name) };
}

async function apply(session: Session, table: TableRef, change: RowChange): Promise<void> {
  for await (const outcome of session.edits?.apply(table, [change], { signal }) ?? [])
    expect(outcome).toMatchObject({ outcome: 'saved' });
}

/** Deletes each row by its first column as it was sent back: each time exactly that row is gone. */
async function deleteOneByOne(session: Session, table: TableRef): Promise<void> {
  let { cells, back } = await sentBack(session, table);
  expect(cells.length).toBeGreaterThan(1);
  while (cells.length > 0) {
    const [key = null] = back[0] ?? [];
    await apply(session, table, { kind: 'delete', key: [key] });
    const rest = await sentBack(session, table);
    expect(rest.cells).toEqual(cells.slice(1));
    ({ cells, back } = rest);
  }
}

/** Writes each row again as it was sent back into an empty table of the same columns. */
async function copy(session: Session, from: TableRef, to: TableRef): Promise<void> {
  const { cells, back, names } = await sentBack(session, from);
  for (const row of back)
    await apply(session, to, { kind: 'insert', values: names.map((column, index) => ({ column, value: row[index] ?? null })) });
  expect((await sentBack(session, to)).cells).toEqual(cells);
}

const JSON_VALUES = [
  '"true"',
  'true',
  '"1"',
  '1',
  '"null"',
  'null',
  '"[1]"',
  '[1]',
  '{"a": 1}',
  '"{\\"a\\": 1}"',
  '9007199254740993',
  '"9007199254740993"',
  '""',
  '{"$json": "1"}',
];

describeWithServer('values of PostgreSQL, sent back', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE TABLE jk (k jsonb PRIMARY KEY);
       CREATE TABLE nk (k numeric PRIMARY KEY); INSERT INTO nk VALUES (1), (1.5), (9007199254740993), ('NaN'), ('Infinity'), (-0.10);
       CREATE TABLE tk (k text PRIMARY KEY); INSERT INTO tk VALUES ('true'), ('1'), ('null'), ('{"a":1}'), (''), ('x… (cut: 5 characters in all)');
       CREATE TABLE bk (k bytea PRIMARY KEY); INSERT INTO bk VALUES ('abc'), ('\\x00'), ('');
       CREATE TABLE dk (k timestamptz PRIMARY KEY); INSERT INTO dk VALUES ('infinity'), ('0044-03-15 BC'), ('2024-01-01 00:00:00.123456+02');
       CREATE TABLE ak (k int8[] PRIMARY KEY); INSERT INTO ak VALUES ('{1,9007199254740993}'), ('{}'), ('{NULL}');
       CREATE TABLE plenty (id int PRIMARY KEY, b bool, i int8, n numeric, f float8, t text, y bytea, j json, jb jsonb, d date, ts timestamp, u uuid, iv interval, xs text[]);
       CREATE TABLE plenty2 (LIKE plenty INCLUDING ALL);
       INSERT INTO plenty VALUES
        (1, true, 9007199254740993, 12.50, 0.1, 'true', 'abc', '{"a": 1,  "a": 2}', '"7"', 'infinity', '2024-01-01 00:00:00.5', gen_random_uuid(), '1 mon 2 days', '{"a,b",NULL}'),
        (2, NULL, NULL, 'NaN', '-Infinity', '', '', 'null', 'null', NULL, NULL, NULL, NULL, '{}'),
        (3, false, 0, 1e30, -0.0, '{"$text":"x"}', NULL, '[1e400,-0]', NULL, '2024-02-29', '0044-03-15 BC', NULL, '-00:00:01', NULL);`,
    );
    for (const value of JSON_VALUES) await administer(server(), `INSERT INTO jk VALUES ($j$${value}$j$)`);
    session = await openPostgres(server());
  });
  afterAll(() => session.close());

  it.each(['jk', 'nk', 'tk', 'bk', 'dk', 'ak'])('as keys name their own row in %s', (table) =>
    deleteOneByOne(session, postgresRef(table)),
  );
  it('as values of each kind are stored as they were', () => copy(session, postgresRef('plenty'), postgresRef('plenty2')));
});

describe('values of SQLite, sent back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tabularium-sent-back-'));
  const file = join(folder, 'a.db');
  let session: Session;
  beforeAll(async () => {
    const database = new DatabaseSync(file);
    const mixed = `VALUES ('abcd'), (x'69b71d'), (7), ('7'), (1.5), ('true'), (9007199254740993), ('9007199254740993'), ('{"a":1}')`;
    database.exec(
      `CREATE TABLE bk (k BLOB PRIMARY KEY); INSERT INTO bk ${mixed};
       CREATE TABLE uk (k PRIMARY KEY); INSERT INTO uk ${mixed};
       CREATE TABLE nk (k NUMERIC PRIMARY KEY); INSERT INTO nk VALUES ('abc'), (x'3132'), (12), ('true');
       CREATE TABLE ok (k BOOLEAN PRIMARY KEY); INSERT INTO ok VALUES (1), (0), (5), ('true'), ('abc');
       CREATE TABLE jk (k JSON PRIMARY KEY); INSERT INTO jk VALUES ('{"a": 1}'), ('{"a":1}'), ('"x"'), ('x'), (1), ('null'), ('"null"'), ('{"a":1,"a":2}'), (x'31');
       CREATE TABLE plenty (id INTEGER PRIMARY KEY, b BLOB, o BOOLEAN, j JSON, t TEXT, n NUMERIC);
       CREATE TABLE plenty2 (id INTEGER PRIMARY KEY, b BLOB, o BOOLEAN, j JSON, t TEXT, n NUMERIC);
       INSERT INTO plenty VALUES (1, 'abcd', 'true', 'null', 'true', 'abc'), (2, x'3132', 1, NULL, '7', 9007199254740993), (3, NULL, 5, '"7"', x'31', 1.5);`,
    );
    database.close();
    session = await openSqlite(file);
  });
  afterAll(async () => {
    await session.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['bk', 'uk', 'nk', 'ok', 'jk'])('as keys name their own row in %s', (table) =>
    deleteOneByOne(session, sqliteRef(table)),
  );
  it('as values of each kind are stored as they were', () => copy(session, sqliteRef('plenty'), sqliteRef('plenty2')));
});
