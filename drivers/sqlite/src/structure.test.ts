import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Session, TableDescription } from '@tabularium/sdk';
import { temporaryFolder } from './fixture.test-helper.ts';
import { open, ref, signal } from './session.test-helper.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let session: Session | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await session?.close();
  await folder.close();
});

async function described(sql: string, table = 't'): Promise<TableDescription> {
  const path = join(folder.path, 'structure.db');
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
  session = await open(path);
  return session.describeTable(ref(table), { signal });
}

it('has the indexes with expressions, conditions and directions, the primary key first, then as they were made', async () => {
  const { indexes } = await described(`
    CREATE TABLE t (a, b TEXT UNIQUE, "c,d" INT, PRIMARY KEY (a, b));
    CREATE INDEX z ON t (b COLLATE NOCASE DESC, "c,d" ASC);
    CREATE UNIQUE INDEX y ON t (lower(b), coalesce("c,d", '),(') DESC, (a + 1) /* , */) WHERE "c,d" > 0 AND b <> 'WHERE';`);
  expect(indexes).toEqual([
    { name: 'sqlite_autoindex_t_2', columns: [{ name: 'a' }, { name: 'b' }], unique: true, primary: true },
    { name: 'sqlite_autoindex_t_1', columns: [{ name: 'b' }], unique: true },
    { name: 'z', columns: [{ name: 'b', descending: true, detail: 'COLLATE NOCASE' }, { name: 'c,d' }], unique: false },
    {
      name: 'y',
      columns: [
        { expression: 'lower(b)' },
        { expression: `coalesce("c,d", '),(')`, descending: true },
        { expression: '(a + 1)' },
      ],
      unique: true,
      where: `"c,d" > 0 AND b <> 'WHERE'`,
    },
  ]);
});

it('says how many indexes and triggers are more than a description may have, and cuts no character in two', async () => {
  const many = (count: number, each: (at: number) => string): string =>
    Array.from({ length: count }, (_, at) => each(at)).join('');
  const { indexes, triggers, notes, columns } = await described(
    `BEGIN; CREATE TABLE t (a, b DEFAULT '${'x'.repeat(3_997)}😀😀');${many(1_002, (at) => `CREATE INDEX i${at} ON t (a);`)}${many(1_001, (at) => `CREATE TRIGGER g${at} AFTER INSERT ON t BEGIN SELECT 1; END;`)} COMMIT;`,
  );
  expect([indexes?.length, triggers?.length]).toEqual([1_000, 1_000]);
  expect(notes.slice(0, 2)).toEqual(['2 more indexes aren’t described.', '1 more trigger isn’t described.']);
  expect(columns.find(({ name }) => name === 'b')?.default).toBe(`'${'x'.repeat(3_997)}…`);
});

it('has the triggers with timing, event, condition and statements', async () => {
  const sql = `
    CREATE TABLE t (a INT, "when" INT); CREATE VIEW v AS SELECT * FROM t;
    CREATE TRIGGER IF NOT EXISTS one AFTER UPDATE OF a, "when" ON t FOR EACH ROW WHEN new.a > 1 AND new."when" <> 'BEGIN' BEGIN SELECT 1; SELECT CASE 1 WHEN 1 THEN 2 END; END;
    CREATE TRIGGER "after" DELETE ON t BEGIN SELECT 2; END;
    CREATE TRIGGER three BEFORE INSERT ON "main".t BEGIN SELECT 3; END;
    CREATE TRIGGER four INSTEAD OF INSERT ON v BEGIN INSERT INTO t VALUES (new.a, 1); END;`.replace('"main".t', 't');
  expect((await described(sql)).triggers).toEqual([
    { name: 'after', timing: 'before', events: ['delete'], level: 'row', calls: 'SELECT 2;' },
    {
      name: 'one',
      timing: 'after',
      events: ['update'],
      columns: ['a', 'when'],
      level: 'row',
      when: `new.a > 1 AND new."when" <> 'BEGIN'`,
      calls: 'SELECT 1; SELECT CASE 1 WHEN 1 THEN 2 END;',
    },
    { name: 'three', timing: 'before', events: ['insert'], level: 'row', calls: 'SELECT 3;' },
  ]);
  expect((await session?.describeTable(ref('v'), { signal }))?.triggers).toMatchObject([
    { name: 'four', timing: 'insteadOf', events: ['insert'], calls: 'INSERT INTO t VALUES (new.a, 1);' },
  ]);
});

it('has defaults and generated columns with their expressions', async () => {
  const { columns, defaultSort, notes } = await described(`
    CREATE TABLE t (id INTEGER PRIMARY KEY, a INT DEFAULT 7, b TEXT DEFAULT 'x''y', c INT DEFAULT (1 + 2), d TEXT DEFAULT CURRENT_TIMESTAMP,
      "E e" INT GENERATED ALWAYS AS (a * (c + 1)) STORED NOT NULL, f TEXT CHECK (CAST(f AS TEXT) <> '') AS (upper(b)) VIRTUAL);
    ALTER TABLE t ADD COLUMN g INT AS (a + 1);`);
  expect(Object.fromEntries(columns.map((column) => [column.name, column.default ?? column.generated]))).toEqual({
    id: undefined,
    a: '7',
    b: "'x''y'",
    c: '1 + 2',
    d: 'CURRENT_TIMESTAMP',
    'E e': { kind: 'stored', expression: 'a * (c + 1)' },
    f: { kind: 'virtual', expression: 'upper(b)' },
    g: { kind: 'virtual', expression: 'a + 1' },
  });
  expect(defaultSort).toEqual([{ column: 'id', direction: 'ascending' }]);
  expect(notes).toEqual([]);
});

it('leaves out what a table has none of', async () => {
  const table = await described('CREATE TABLE other (a); CREATE INDEX i ON other (a); CREATE VIEW t AS SELECT 1 AS n;');
  for (const member of ['indexes', 'triggers', 'defaultSort', 'comment']) expect(table).not.toHaveProperty(member);
});

it('describes a table whose statement is too long to be read, without its expressions', async () => {
  const { columns, indexes } = await described(`
    CREATE TABLE t (a INT, g INT AS (a + 1), s TEXT DEFAULT '${'x'.repeat(250_000)}');
    CREATE INDEX i ON t (a + 2) WHERE a <> ${`'${'y'.repeat(250_000)}'`};`);
  expect(columns.find(({ name }) => name === 'g')?.generated).toEqual({ kind: 'virtual' });
  expect(columns.find(({ name }) => name === 's')?.default).toHaveLength(4_000);
  expect(indexes).toEqual([{ name: 'i', columns: [{ expression: '…' }], unique: false, where: '…' }]);
});
