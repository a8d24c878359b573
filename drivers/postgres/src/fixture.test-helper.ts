import type {
  BegunStatement,
  ConformancePlan,
  KnownConsole,
  KnownEdit,
  KnownImport,
  KnownLarge,
  KnownNewTable,
  KnownOperation,
  KnownRow,
  KnownTable,
} from '@tabularium/sdk/testing';
import type { Cell } from '@tabularium/sdk';
import packageJson from '../package.json' with { type: 'json' };
import { driver } from './index.ts';
import { PgClient } from './wire/pgClient.ts';
import { pgCellText, literal, quoted } from './names.ts';
import type { TestServer } from './server.test-helper.ts';
import { administer, grantsOf } from './session.test-helper.ts';

// A database with known rows, for tests of this driver alone and in a process.

const HOSTILE = 'or"der; DROP TABLE shelf; --';
const words = ['Amber', 'Birch', 'cedar', 'Dogwood', 'elder', "Fir's", 'Gum "tree"', 'hazel', 'Ivy', 'juniper', 'Kapok', 'larch'];

/** 24 rows in no order, with nulls, integers beyond 2^53, numbers of many digits and bytes. */
const bookRows: readonly KnownRow[] = words.flatMap((word, index): KnownRow[] => [
  {
    id: ((index * 7) % 12) * 2 + 1,
    title: word,
    note: index % 3 === 0 ? null : `${word} and ${index * 11} more`,
    stock: index % 4 === 1 ? '9007199254740993' : index * 13 - 40,
    price: index % 5 === 2 ? null : `${(index * 37) % 50}.${index % 2 === 0 ? '10' : '123456789012345678901'}`,
    weight: index % 6 === 1 ? null : index / 4 + 0.125,
    sold: index % 6 === 5 ? null : index % 2 === 0,
    cover: index % 4 === 3 ? null : Buffer.from([index, 255, 0, index]).toString('base64'),
    facts: index % 2 === 0 ? `{"tags": ["a"], "pages": ${index}}` : null,
    added: `20${10 + index}-0${1 + (index % 9)}-1${index % 10}`,
    mood: index % 3 === 1 ? null : (['bad', 'good', 'ok'][index % 3 === 0 ? 2 : 0] ?? null),
    tags: index % 4 === 0 ? '{}' : `{x${index},"with \\"quotes\\""}`,
    code: `0000000${index % 10}-0000-4000-8000-00000000000${index % 10}`,
  },
  {
    id: ((index * 5) % 12) * 2 + 2,
    title: `${word} II`,
    note: '',
    stock: -index,
    price: `${index}.50`,
    weight: index + 0.5,
    sold: index % 3 === 0,
    cover: null,
    facts: null,
    added: null,
    mood: 'good',
    tags: null,
    code: null,
  },
]);

const orderRows: readonly KnownRow[] = Array.from({ length: 15 }, (_, index) => ({
  'a"b': `k${(index * 4) % 15}`,
  'line no': index % 3,
  select: index % 4 === 0 ? null : `value ${(index * 7) % 15}`,
  'x.y': index % 5 === 0 ? null : ((index * 7) % 15) - 7,
  constructor: `c${index}`,
  __proto__x: null,
}));

const logRows: readonly KnownRow[] = Array.from({ length: 12 }, (_, index) => ({
  line: `line ${(index * 5) % 12}`,
  weight: ((index * 5) % 12) / 4 + 0.125,
}));

/** 2,000 partitioned rows would say no more. */
const partRows: readonly KnownRow[] = Array.from({ length: 20 }, (_, index) => ({
  id: (index * 7) % 20,
  word: index % 3 === 0 ? null : `w${(index * 3) % 20}`,
}));

const LARGE_ROWS = 20_000;
const shop = (name: string): { readonly namespace: readonly string[]; readonly name: string } => ({ namespace: ['shop'], name });

const knownTables: readonly KnownTable[] = [
  {
    ref: shop('shelf'),
    rows: bookRows,
    filters: [
      {
        name: 'the raw row is one condition among the others',
        filter: {
          match: 'all',
          conditions: [{ column: 'stock', operator: 'lessThan', values: ['0'] }],
          raw: "note = '' OR price > 40",
        },
        passes: (row) => Number(row['stock']) < 0 && (row['note'] === '' || Number(row['price'] ?? 0) > 40),
      },
      {
        name: 'null is not empty',
        filter: { match: 'all', conditions: [{ column: 'note', operator: 'isEmpty', values: [] }] },
        passes: (row) => row['note'] === '',
      },
      {
        name: 'an integer beyond a double is found by all its digits',
        filter: { match: 'all', conditions: [{ column: 'stock', operator: 'equals', values: ['9007199254740993'] }] },
        passes: (row) => row['stock'] === '9007199254740993',
      },
      {
        name: 'an enum is compared by its order',
        filter: { match: 'all', conditions: [{ column: 'mood', operator: 'greaterThan', values: ['bad'] }] },
        passes: (row) => row['mood'] === 'ok' || row['mood'] === 'good',
      },
      {
        name: 'a number beyond every integer is larger than all of them',
        filter: { match: 'all', conditions: [{ column: 'stock', operator: 'lessThan', values: ['99999999999999999999999'] }] },
        passes: () => true,
      },
    ],
  },
  { ref: shop(HOSTILE), rows: orderRows },
  { ref: shop('log'), rows: logRows },
  { ref: shop('parts'), rows: partRows },
  { ref: shop('parts_low'), rows: partRows.filter(({ id }) => Number(id) < 10) },
  {
    ref: shop('Cheap'),
    rows: bookRows
      .filter(({ weight }) => weight !== null && Number(weight) < 2)
      .map(({ title, weight, tags }) => ({ title, weight, tags }) as KnownRow),
  },
];

const knownEdits: readonly KnownEdit[] = [
  {
    table: shop('shelf'),
    row: {
      id: 1001,
      title: "O'Hara \\ x",
      note: null,
      stock: '9223372036854775807',
      price: '0.12345678901234567890123456789',
      weight: 1.5,
      sold: true,
      cover: 'AP8=',
      facts: '{"a": 1}',
      added: '2026-02-28',
      mood: 'good',
      tags: '{a,NULL,"b c"}',
      code: 'ffffffff-0000-4000-8000-000000000001',
    },
    changed: { title: 'x"y', note: '', stock: '-9223372036854775808', price: null, sold: false, mood: 'bad', tags: '{}' },
    refused: [
      { column: 'stock', value: 'many' },
      { column: 'stock', value: '9223372036854775808' },
      { column: 'title', value: null },
      { column: 'title', value: 'a\0b' },
      { column: 'weight', value: '0.12345678901234567890' },
      { column: 'cover', value: 'no base64!' },
      { column: 'facts', value: '{"a":' },
      { column: 'mood', value: 'angry' },
      { column: 'code', value: 'x' },
    ],
  },
  {
    table: shop(HOSTILE),
    row: { 'a"b': 'new', 'line no': 9, select: null, 'x.y': 1, constructor: null, __proto__x: '1' },
    changed: { select: "'; DROP TABLE shelf; --", 'x.y': null },
    refused: [{ column: 'x.y', value: 'x' }],
  },
];

const knownImports: readonly KnownImport[] = [
  {
    table: shop('shelf'),
    row: String.raw`{"id":2001,"title":"imported \\ \"x\"","stock":9223372036854775807,"price":0.12345678901234567890123456789,"cover":"AP8=","facts":{"n":1.10},"tags":["a",null,"b c"],"added":"2026-02-28","mood":"ok"}`,
    changed: '{"id":2001,"title":"changed","facts":[1.0],"tags":"{x}","sold":"true"}',
    rejected: [
      '{"id":2002}',
      '{"id":2002,"title":"x","stock":9223372036854775808}',
      '{"id":2002,"title":"x","stock":1.5}',
      '{"id":2002,"title":"x","price":-5000}',
      '{"id":2002,"title":"x","mood":"angry"}',
      '{"id":2002,"title":"x","no such column":1}',
      String.raw`{"id":2002,"title":"a\u0000b"}`,
    ],
    key: [2001],
  },
];

const knownNewTable: KnownNewTable = {
  table: shop('kit "new"'),
  rows: [
    '{"id":1,"code":"007","at":"2026-01-31T12:00:00Z","big":9223372036854775808}',
    '{"id":2,"code":"x","more":[1,{"a":null}],"price":1.50}',
  ],
};

const knownConsole: KnownConsole = {
  script: {
    text: `-- first; not a statement
SELECT * FROM shop.shelf; /* a ; in /* a nested */ comment */ INSERT INTO shop.log VALUES ('a ; in a string', 1)
;; DO $body$ BEGIN PERFORM 1; PERFORM $x$;$x$; END $body$;
SELECT E'it\\'s; one', ";" FROM shop.log`,
    statements: 4,
  },
  classified: [
    { statement: 'SELECT * FROM shop.shelf', effect: 'read' },
    { statement: '(select 1) union (select 2)', effect: 'read' },
    { statement: 'TABLE shop.shelf', effect: 'read' },
    { statement: 'with x as (select 1) select * from x', effect: 'read' },
    { statement: 'WITH x AS (SELECT 1) INSERT INTO shop.log SELECT 1, 2', effect: 'write' },
    { statement: 'WITH x AS (DELETE FROM shop.log RETURNING *) SELECT * FROM x', effect: 'destructive' },
    { statement: 'WITH x AS (SELECT 1) DELETE FROM shop.log', effect: 'destructive' },
    { statement: 'EXPLAIN DELETE FROM shop.log', effect: 'read' },
    { statement: 'EXPLAIN (ANALYZE) DELETE FROM shop.log', effect: 'destructive' },
    { statement: "/* SELECT */ INSERT INTO shop.log VALUES ('DROP TABLE log', 1)", effect: 'write' },
    {
      statement: 'INSERT INTO shop.shelf (id, title) VALUES (1, $$x$$) ON CONFLICT (id) DO UPDATE SET title = excluded.title',
      effect: 'destructive',
    },
    { statement: 'SHOW search_path', effect: 'read' },
    { statement: 'SELECT 1 FROM shop.shelf FOR UPDATE', effect: 'write' },
    { statement: 'DROP VIEW shop."Cheap"', effect: 'destructive' },
    { statement: 'TRUNCATE shop.log', effect: 'destructive' },
    { statement: 'ALTER TABLE shop.log DROP COLUMN weight', effect: 'destructive' },
    { statement: 'ALTER TABLE shop.log ADD COLUMN more int', effect: 'write' },
    { statement: "ALTER ROLE tester PASSWORD 'x'", effect: 'destructive' },
    { statement: 'VACUUM', effect: 'write' },
  ],
  reads: [
    { statement: 'SELECT id FROM shop.shelf', rows: [24] },
    { statement: 'VALUES (1), (2), (3)', rows: [3] },
    { statement: `SELECT * FROM shop.${quoted(HOSTILE)} ORDER BY 1`, rows: [15] },
    { statement: 'SHOW server_version', rows: [1] },
    { statement: 'SELECT 1 WHERE false', rows: [0] },
  ],
  refused: ['GET /collections', "SELECT 'open", 'SELECT 1; SELECT 2', 'SELECT $1', 'selec 1'],
  sessions: {
    begin: 'BEGIN',
    counted: "SELECT line FROM shop.log WHERE line LIKE 'the kit %'",
    change: "INSERT INTO shop.log (line) VALUES ('the kit was here')",
    undo: "DELETE FROM shop.log WHERE line LIKE 'the kit %'",
    fails: 'SELECT 1/0',
    slow: 'SELECT pg_sleep(60)',
    changeMany: {
      statement: "INSERT INTO shop.log (line) SELECT 'the kit ' || n FROM generate_series(1, 3) AS n RETURNING line",
      rows: 3,
    },
    parameters: { statement: 'SELECT $1::text, $2::int, $3::text', values: ["it's; --", '7', null], row: ["it's; --", 7, null] },
  },
};

const knownLarge: KnownLarge = { table: shop('large'), rows: LARGE_ROWS, statement: 'SELECT * FROM shop.large' };

/** Makes a database with everything in it. */
export async function writeFixture(server: TestServer, database: string): Promise<void> {
  await administer(server, `CREATE DATABASE ${quoted(database)}`);
  const value = (cell: Cell | undefined, column: string): string => {
    if (cell === null || cell === undefined) return 'NULL';
    if (column === 'cover') return `decode(${literal(pgCellText(cell))}, 'base64')`;
    return literal(pgCellText(cell));
  };
  const insert = (table: string, rows: readonly KnownRow[]): string => {
    const columns = Object.keys(rows[0] ?? {});
    const lists = rows.map((row) => `(${columns.map((column) => value(row[column], column)).join(', ')})`);
    return `INSERT INTO shop.${quoted(table)} (${columns.map(quoted).join(', ')}) VALUES ${lists.join(', ')};`;
  };
  await administer(
    server,
    `CREATE SCHEMA shop;
    CREATE TYPE shop.mood AS ENUM ('bad', 'good', 'ok');
    CREATE DOMAIN shop.amount AS numeric CHECK (VALUE IS NULL OR VALUE > -1000);
    CREATE TABLE shop.shelf (id int PRIMARY KEY, title text NOT NULL, note text, stock bigint, price shop.amount, weight float8, sold boolean, cover bytea, facts jsonb,
      added date, mood shop.mood, tags text[], code uuid);
    CREATE INDEX shelf_title ON shop.shelf (title);
    CREATE TABLE shop.${quoted(HOSTILE)} ("a""b" text, "line no" int, "select" text, "x.y" int, "constructor" text, "__proto__x" text, PRIMARY KEY ("a""b", "line no"));
    CREATE TABLE shop.log (line text, weight float8);
    CREATE TABLE shop.parts (id int PRIMARY KEY, word text) PARTITION BY RANGE (id);
    CREATE TABLE shop.parts_low PARTITION OF shop.parts FOR VALUES FROM (0) TO (10);
    CREATE TABLE shop.parts_high PARTITION OF shop.parts FOR VALUES FROM (10) TO (100);
    CREATE TABLE shop.large (id int PRIMARY KEY, body text);
    CREATE VIEW shop."Cheap" AS SELECT title, weight, tags FROM shop.shelf WHERE weight < 2;
    INSERT INTO shop.large SELECT i, repeat(md5(i::text), 32) FROM generate_series(1, ${LARGE_ROWS}) AS i;
    ${insert('shelf', bookRows)} ${insert(HOSTILE, orderRows)} ${insert('log', logRows)} ${insert('parts', partRows)}
    ANALYZE;`,
    database,
  );
}

/** A statement in a session of its own, which runs until it is ended. */
async function beginSleeping(server: TestServer, database: string): Promise<BegunStatement> {
  const { port, user, password } = server;
  const [client, watcher] = [1, 2].map(() => new PgClient({ host: '127.0.0.1', port, user, password, database }));
  if (client === undefined || watcher === undefined) throw new Error('There are no clients.');
  client.on('error', () => undefined);
  await Promise.all([client.connect(), watcher.connect()]);
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = rows[0]?.pid ?? 0;
  const text = `SELECT pg_sleep(900), ${pid}`;
  const ended = client.query(text).catch(() => undefined);
  // The server has begun it when a second session sees it.
  const seen = 'SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND query LIKE $2';
  while ((await watcher.query(seen, [pid, '%pg_sleep%'])).rowCount === 0);
  return {
    text,
    close: async () => {
      await watcher.query('SELECT pg_terminate_backend($1)', [pid]);
      await ended;
      await Promise.all([watcher.end(), client.end().catch(() => undefined)]);
    },
  };
}

/** Operations that the kit may carry out. */
function knownOperations(server: TestServer, database: string): readonly KnownOperation[] {
  const prepare = (): Promise<void> =>
    administer(
      server,
      `DROP TABLE IF EXISTS shop.scratch CASCADE; CREATE TABLE shop.scratch (id int PRIMARY KEY); INSERT INTO shop.scratch VALUES (1), (2), (3);
      CREATE MATERIALIZED VIEW shop.counted AS SELECT id FROM shop.scratch; INSERT INTO shop.scratch VALUES (4)`,
      database,
    );
  return [
    { table: shop('counted'), operation: 'refresh', after: 4, prepare },
    { table: shop('counted'), operation: 'drop', after: 'gone', prepare },
    { table: shop('scratch'), operation: 'empty', after: 0, prepare },
  ];
}

/** All that the kit needs to know of the fixture. */
export function postgresPlan(server: TestServer, database: string): ConformancePlan {
  return {
    driver,
    manifest: packageJson.tabularium,
    tables: knownTables,
    edits: knownEdits,
    imports: knownImports,
    newTable: {
      ...knownNewTable,
      remove: () => administer(server, `DROP TABLE IF EXISTS shop.${quoted(knownNewTable.table.name)}`, database),
    },
    console: knownConsole,
    large: knownLarge,
    operations: knownOperations(server, database),
    // Roles are those of the server: each plan has its own.
    principals: { input: { name: [`kit "${database}"; --`], password: ['a password of the kit'], login: ['true'] } },
    activity: { begin: () => beginSleeping(server, database) },
    textComparison: 'exact',
    secrets: [server.password, 'a password of the kit'],
    open: () => {
      const granted = grantsOf(server, { database });
      return { ...granted, close: () => granted.context.socket.close() };
    },
  };
}

/** The same plan for a session that reaches all databases: each path begins with the database. */
export function allDatabasesPlan(server: TestServer, database: string): ConformancePlan {
  const plan = withDatabase(postgresPlan(server, database), database);
  return {
    ...plan,
    open: () => {
      const granted = grantsOf(server, { database, settings: { databases: 'all' } });
      return { ...granted, close: () => granted.context.socket.close() };
    },
  };
}

/** A part of a plan with a longer path in each reference to a table. */
function withDatabase<Part>(part: Part, database: string): Part {
  if (Array.isArray(part)) return part.map((one: unknown) => withDatabase(one, database)) as Part;
  if (typeof part !== 'object' || part === null || '$$type' in part) return part;
  const entries = Object.entries(part).map(([name, value]: [string, unknown]) => [
    name,
    name === 'namespace' && Array.isArray(value) ? [database, ...(value as string[])] : withDatabase(value, database),
  ]);
  return Object.fromEntries(entries) as Part;
}
