import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ImportFacet, RowOutcome, Session } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../fixture.test-helper.ts';
import { open, ref, signal } from '../session.test-helper.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let session: Session;
let facet: ImportFacet;
const file = (): string => join(folder.path, 'import.db');

/** Runs SQL beside the session. */
function sql(text: string): unknown[] {
  const database = new DatabaseSync(file(), { readBigInts: true });
  try {
    return /^select/i.test(text) ? database.prepare(text).all() : (database.exec(text), []);
  } finally {
    database.close();
  }
}

async function opened(schema: string, settings = {}): Promise<void> {
  sql(schema);
  session = await open(file(), settings);
  if (session.import === undefined) throw new Error('The session has no import.');
  facet = session.import;
}

async function write(table: string, mode: string, rows: readonly string[]): Promise<RowOutcome[]> {
  return Array.fromAsync(facet.write({ table: ref(table), mode }, rows, { signal }));
}

beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  await session.close();
  await folder.close();
});

it('rejects a row with its reason and writes the others, integers digit for digit', async () => {
  await opened('CREATE TABLE t (id INTEGER PRIMARY KEY, n BIGINT CHECK (n <> 7), s TEXT UNIQUE, j JSON, b BOOLEAN)');
  const rows = [
    '{"id":1,"n":9007199254740993,"s":"a","j":{"x":[9007199254740993]},"b":true}',
    '{"id":1,"s":"other"}',
    '{"id":2,"s":"a"}',
    '{"id":3,"n":7}',
    '{"id":4,"n":"many"}',
    'nonsense',
    '{"id":5,"n":-9223372036854775808}',
  ];
  const outcomes = await write('t', 'create', rows);
  expect(outcomes.map(({ outcome }) => outcome[0])).toEqual(['w', 'r', 'r', 'r', 'r', 'r', 'w']);
  expect(outcomes[1]).toMatchObject({ present: true });
  // Another row has the unique value: that is not the row with this key.
  expect(outcomes[2]).not.toHaveProperty('present');
  expect(sql('SELECT id, n, j, b FROM t ORDER BY id')).toEqual([
    { id: 1n, n: 9007199254740993n, j: '{"x":[9007199254740993]}', b: 1n },
    { id: 5n, n: -9223372036854775808n, j: null, b: null },
  ]);
});

it('upserts the given columns only, also where the table says to replace rows, and says which columns are the key', async () => {
  await opened(
    'CREATE TABLE t (id TEXT NOT NULL PRIMARY KEY ON CONFLICT REPLACE, a TEXT, b TEXT, u TEXT UNIQUE ON CONFLICT REPLACE)',
  );
  sql(`INSERT INTO t VALUES ('x', 'old', 'stays', 'u1'), ('y', 'old', 'stays', 'u2')`);
  expect((await facet.form(ref('t'), { signal })).key).toEqual(['id']);
  const outcomes = await write('t', 'upsert', [
    '{"id":"x","a":"new"}',
    '{"id":"y","u":"u1"}',
    '{"id":"x"}',
    '{"id":"z","a":"z"}',
  ]);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['written', 'rejected', 'written', 'written']);
  expect(await write('t', 'create', ['{"id":"x","a":"newer"}'])).toMatchObject([{ outcome: 'rejected', present: true }]);
  expect(sql('SELECT id, a, b FROM t ORDER BY id')).toEqual([
    { id: 'x', a: 'new', b: 'stays' },
    { id: 'y', a: 'old', b: 'stays' },
    { id: 'z', a: 'z', b: null },
  ]);
});

it('gives each row its own outcome where a trigger rolls everything back, or a foreign key is looked at in the end', async () => {
  await opened(`CREATE TABLE p (id INTEGER PRIMARY KEY);
    CREATE TABLE t (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p DEFERRABLE INITIALLY DEFERRED, s TEXT);
    CREATE TRIGGER no BEFORE INSERT ON t WHEN new.s = 'bad' BEGIN SELECT RAISE(ROLLBACK, 'not this one'); END;
    INSERT INTO p VALUES (1)`);
  const outcomes = await write('t', 'create', ['{"id":1,"p":1}', '{"id":2,"s":"bad"}', '{"id":3,"p":9}', '{"id":4}']);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['written', 'rejected', 'rejected', 'written']);
  expect(sql('SELECT id FROM t')).toEqual([{ id: 1n }, { id: 4n }]);
});

it('writes nothing of a call while another program has the file locked', async () => {
  await opened('CREATE TABLE t (id INTEGER PRIMARY KEY)', { busySeconds: 0 });
  const other = new DatabaseSync(file());
  other.exec('BEGIN IMMEDIATE');
  await expect(write('t', 'create', ['{"id":1}'])).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  other.exec('ROLLBACK');
  other.close();
  expect(await write('t', 'create', ['{"id":1}'])).toEqual([{ outcome: 'written' }]);
});

it('calls an upsert destructive where a trigger deletes other rows', async () => {
  await opened(`CREATE TABLE t (id INTEGER PRIMARY KEY, s TEXT); CREATE TABLE log (s TEXT);
    CREATE TRIGGER gone AFTER UPDATE ON t BEGIN DELETE FROM log; END`);
  const { modes } = await facet.form(ref('t'), { signal });
  expect(modes.map(({ id, effect }) => [id, effect])).toEqual([
    ['create', 'write'],
    ['upsert', 'destructive'],
  ]);
  await expect(facet.form(ref('none'), { signal })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('refuses a view and a file that is read-only', async () => {
  await opened('CREATE TABLE t (id INTEGER PRIMARY KEY); CREATE VIEW v AS SELECT 1 AS one', { readOnly: true });
  await expect(facet.form(ref('v'), { signal })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect(write('t', 'create', ['{"id":1}'])).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect(facet.tables?.plan(ref('n'), 'CREATE TABLE n (a)', { signal })).rejects.toMatchObject({ code: 'ACCESS_REFUSED' });
});

it('proposes columns by what the rows hold, and creates what the definition says and nothing else', async () => {
  await opened('CREATE TABLE t ("a b" TEXT, n INT); CREATE INDEX i ON t (n)');
  const { tables } = facet;
  if (tables?.like === undefined) throw new Error('The facet creates no tables.');
  const text = await tables.propose(
    ref('new'),
    ['{"id":1,"f":1.5,"s":"x","o":{"a":1},"b":true}', '{"id":2,"f":2,"s":1,"l":[1],"big":18446744073709551616}'],
    { signal },
  );
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    'CREATE TABLE "new" (',
    '"id" INTEGER PRIMARY KEY,',
    '"f" REAL,',
    '"s" TEXT,',
    '"o" JSON,',
    '"b" BOOLEAN,',
    '"l" JSON,',
    '"big" TEXT',
    ')',
  ]);
  const { definition } = await session.describeTable(ref('t'), { signal });
  expect(await tables.like(ref('t"2'), definition?.text ?? '', { signal })).toBe('CREATE TABLE "t""2" ("a b" TEXT, n INT)');
  for (const wrong of [
    'CREATE TABLE other (a)',
    'CREATE TABLE new (a); DROP TABLE t',
    'CREATE TABLE temp.new (a)',
    'CREATE TEMP TABLE new (a)',
    'CREATE TABLE new AS SELECT * FROM t',
    'DROP TABLE t',
    'CREATE TABLE new (a,, b)',
    '',
  ])
    await expect(tables.create(ref('new'), wrong, { signal }), wrong).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  await expect(tables.propose(ref('new'), ['{"Id":1,"id":2}'], { signal })).rejects.toThrow(/are one name/);
  await expect(tables.plan(ref('T'), 'CREATE TABLE T (a)', { signal })).rejects.toMatchObject({ code: 'CONFLICT' });
  const { requests } = await tables.plan(ref('new'), text, { signal });
  expect(`${requests[0]?.method} ${requests[0]?.path}`).toBe(text);
  await tables.create(ref('new'), text, { signal });
  expect(sql("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")).toEqual([{ name: 'new' }, { name: 't' }]);
  expect(await write('new', 'create', ['{"id":1,"big":18446744073709551616}'])).toEqual([{ outcome: 'written' }]);
  expect(sql('SELECT big FROM new')).toEqual([{ big: '18446744073709551616' }]);
  await expect(tables.discard?.(ref('new'), { signal })).rejects.toMatchObject({ code: 'CONFLICT' });
  await tables.discard?.(ref('t'), { signal });
  expect(sql("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")).toEqual([{ name: 'new' }]);
  await expect(tables.discard?.(ref('t'), { signal })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
