import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type {
  KnownConsole,
  KnownEdit,
  KnownImport,
  KnownLarge,
  KnownNewTable,
  KnownOperation,
  KnownRow,
  KnownTable,
} from '@tabularium/sdk/testing';

// A database file with known rows, for tests of this driver alone and in a process.

const HOSTILE = 'or"der; DROP TABLE shelf; --';

const words = ['Amber', 'Birch', 'cedar', 'Dogwood', 'elder', "Fir's", 'Gum "tree"', 'hazel', 'Ivy', 'juniper', 'Kapok', 'larch'];

/** 24 rows in no order, with nulls, integers beyond 2^53 and bytes. */
const fixtureRows: readonly KnownRow[] = words.flatMap((word, index): KnownRow[] => [
  {
    id: ((index * 7) % 12) * 2 + 1,
    title: word,
    note: index % 3 === 0 ? null : `${word} and ${index * 11} more`,
    stock: index % 4 === 1 ? '9007199254740993' : index * 13 - 40,
    price: index % 5 === 2 ? null : (index * 37) % 50 === 0 ? 0 : ((index * 37) % 50) + 0.25,
    sold: index % 6 === 5 ? null : index % 2 === 0,
    cover: index % 4 === 3 ? null : Buffer.from([index, 255, 0, index]).toString('base64'),
    facts: index % 2 === 0 ? `{"pages":${index},"tags":["a"]}` : null,
  },
  {
    id: ((index * 5) % 12) * 2 + 2,
    title: `${word} II`,
    note: '',
    stock: -index,
    price: index + 0.5,
    sold: index % 3 === 0,
    cover: null,
    facts: null,
  },
]);

const orderRows: readonly KnownRow[] = Array.from({ length: 15 }, (_, index) => ({
  'a"b': `k${(index * 4) % 15}`,
  'line no': index % 3,
  select: index % 4 === 0 ? null : `value ${(index * 7) % 15}`,
  'x.y': index % 5 === 0 ? null : ((index * 7) % 15) - 7,
}));

const logRows: readonly KnownRow[] = Array.from({ length: 12 }, (_, index) => ({
  rowid: index + 1,
  line: `line ${(index * 5) % 12}`,
  weight: ((index * 5) % 12) / 4 + 0.125,
}));

const LARGE_ROWS = 20_000;

export const knownTables: readonly KnownTable[] = [
  {
    ref: { namespace: [], name: 'shelf' },
    rows: fixtureRows,
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
        name: 'not equal lets rows without a value pass',
        filter: { match: 'all', conditions: [{ column: 'note', operator: 'notEquals', values: [''] }] },
        passes: (row) => row['note'] !== '',
      },
    ],
  },
  { ref: { namespace: [], name: HOSTILE }, rows: orderRows },
  { ref: { namespace: [], name: 'log' }, rows: logRows },
  {
    ref: { namespace: [], name: 'cheap' },
    rows: fixtureRows
      .filter((row) => typeof row['price'] === 'number' && row['price'] < 20)
      .map(({ title, price }) => ({ title, price }) as KnownRow),
  },
];

const fixtureEdit: KnownEdit = {
  table: { namespace: [], name: 'shelf' },
  row: {
    id: 1001,
    title: "O'Hara",
    note: null,
    stock: '9223372036854775807',
    price: 1.5,
    sold: true,
    cover: 'AP8=',
    facts: '{"a":1}',
  },
  changed: { title: 'x"y', note: '', stock: '-9223372036854775808', price: null, sold: false },
  refused: [
    { column: 'stock', value: 'many' },
    { column: 'stock', value: '9223372036854775808' },
    { column: 'title', value: null },
    { column: 'price', value: '0.12345678901234567890' },
    { column: 'cover', value: 'no base64!' },
    { column: 'facts', value: '{"a":' },
  ],
};

export const knownEdits: readonly KnownEdit[] = [
  fixtureEdit,
  {
    table: { namespace: [], name: HOSTILE },
    row: { 'a"b': 'new', 'line no': 9, select: null, 'x.y': 1 },
    changed: { select: "'; DROP TABLE shelf; --", 'x.y': null },
    refused: [{ column: 'x.y', value: 'x' }],
  },
];

/** Rows that the kit may import. */
export const knownImports: readonly KnownImport[] = [
  {
    table: { namespace: [], name: 'shelf' },
    row: '{"id":2001,"title":"Import\'s","stock":9007199254740993,"price":0.5,"sold":true,"cover":"AP8=","facts":{"n":9007199254740993}}',
    changed: '{"id":2001,"title":"Other"}',
    rejected: [
      '{"id":2002,"title":"x","stock":"many"}',
      '{"id":2003}',
      '{"id":2004,"title":"x","nosuch":1}',
      '{"id":2005,"title":"x","stock":9223372036854775808}',
      '[1]',
    ],
    key: [2001],
  },
  {
    table: { namespace: [], name: HOSTILE },
    row: '{"a\\"b":"imported","line no":9,"select":"\'; DROP TABLE shelf; --","x.y":null}',
    changed: '{"a\\"b":"imported","line no":9,"x.y":3}',
    rejected: ['{"a\\"b":"imported"}'],
    key: ['imported', 9],
  },
];

export const knownNewTable: KnownNewTable = {
  table: { namespace: [], name: "kit's new; --" },
  rows: ['{"id":"a","n":1,"list":[9007199254740993]}', '{"id":"b","n":1.5,"__proto__":true,"big":123456789012345678901234}'],
};

export const knownConsole: KnownConsole = {
  script: {
    text: `-- first; not a statement
SELECT * FROM shelf; /* a ; in a comment */ INSERT INTO log VALUES ('a ; in a string', 1)
;; CREATE TRIGGER t AFTER INSERT ON log BEGIN DELETE FROM log WHERE line = ';'; SELECT CASE WHEN 1 THEN 2 END; END;
SELECT ";" FROM [log]`,
    statements: 4,
  },
  classified: [
    { statement: 'SELECT * FROM shelf', effect: 'read' },
    { statement: 'with x as (select 1) select * from x', effect: 'read' },
    { statement: 'WITH x AS (SELECT 1) INSERT INTO log SELECT 1, 2', effect: 'write' },
    { statement: 'WITH x AS (SELECT 1) DELETE FROM log', effect: 'destructive' },
    { statement: 'EXPLAIN DELETE FROM log', effect: 'read' },
    { statement: "/* SELECT */ INSERT INTO log VALUES ('DROP TABLE log', 1)", effect: 'write' },
    { statement: 'PRAGMA table_info(shelf)', effect: 'read' },
    { statement: 'PRAGMA user_version = 7', effect: 'destructive' },
    { statement: 'PRAGMA optimize', effect: 'write' },
    { statement: 'REPLACE INTO shelf (id, title) VALUES (1, 2)', effect: 'destructive' },
    { statement: 'UPDATE OR REPLACE shelf SET id = 1', effect: 'destructive' },
    { statement: 'DROP VIEW cheap', effect: 'destructive' },
    { statement: 'ALTER TABLE log DROP COLUMN weight', effect: 'destructive' },
    { statement: 'VACUUM', effect: 'destructive' },
  ],
  reads: [
    { statement: 'SELECT id FROM shelf', rows: [24] },
    { statement: 'VALUES (1), (2), (3)', rows: [3] },
    { statement: `SELECT * FROM "${HOSTILE.replaceAll('"', '""')}" ORDER BY 1`, rows: [15] },
    { statement: 'EXPLAIN QUERY PLAN SELECT * FROM shelf WHERE id = 1', rows: [1] },
    { statement: 'EXPLAIN QUERY PLAN DELETE FROM shelf WHERE id = 1', rows: [1] },
  ],
  refused: ['GET /collections', "SELECT 'open", 'SELECT 1; SELECT 2', 'SELECT ?', '', 'selec 1'].filter((text) => text !== ''),
};

export const knownLarge: KnownLarge = {
  table: { namespace: [], name: 'large' },
  rows: LARGE_ROWS,
  statement: 'SELECT * FROM large',
};

/** Makes the file. */
export function writeFixture(path: string): void {
  const database = new DatabaseSync(path);
  const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE shelf (id INTEGER PRIMARY KEY, title TEXT NOT NULL, note TEXT, stock BIGINT, price REAL, sold BOOLEAN, cover BLOB, facts JSON);
    CREATE TABLE ${quote(HOSTILE)} ("a""b" TEXT, "line no" INT, "select" TEXT, "x.y" INTEGER, PRIMARY KEY ("a""b", "line no")) WITHOUT ROWID;
    CREATE TABLE log (line TEXT, weight REAL);
    CREATE TABLE large (id INTEGER PRIMARY KEY, body TEXT);
    CREATE TABLE scratch (id INTEGER PRIMARY KEY, word TEXT);
    CREATE VIEW cheap AS SELECT title, price FROM shelf WHERE price < 20;
    CREATE INDEX shelf_title ON shelf (title);
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${LARGE_ROWS})
      INSERT INTO large SELECT i, hex(randomblob(500)) FROM n;
  `);
  const cell = (value: unknown): null | bigint | number | string => {
    if (typeof value === 'boolean') return value ? 1n : 0n;
    return value as null | number | string;
  };
  const insert = (table: string, rows: readonly KnownRow[], columns: readonly string[]): void => {
    const statement = database.prepare(
      `INSERT INTO ${quote(table)} (${columns.map(quote).join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    for (const row of rows) {
      statement.run(
        ...columns.map((column) => {
          const value = row[column] ?? null;
          if (column === 'cover' && typeof value === 'string') return Buffer.from(value, 'base64');
          return column === 'stock' && typeof value === 'string' ? BigInt(value) : cell(value);
        }),
      );
    }
  };
  insert('shelf', fixtureRows, ['id', 'title', 'note', 'stock', 'price', 'sold', 'cover', 'facts']);
  insert(HOSTILE, orderRows, ['a"b', 'line no', 'select', 'x.y']);
  insert('log', logRows, ['line', 'weight']);
  fillScratch(database);
  database.close();
}

function fillScratch(database: DatabaseSync): void {
  database.exec(`DROP TABLE IF EXISTS scratch; CREATE TABLE scratch (id INTEGER PRIMARY KEY, word TEXT);
    INSERT INTO scratch (word) VALUES ('one'), ('two'), ('three');`);
}

/** Operations that the kit may carry out in the file. */
export function knownOperations(path: () => string): readonly KnownOperation[] {
  const prepare = async (): Promise<void> => {
    const database = new DatabaseSync(path());
    fillScratch(database);
    database.close();
  };
  const table = { namespace: [], name: 'scratch' };
  return [
    { table, operation: 'empty', after: 0, prepare },
    { table, operation: 'drop', after: 'gone', prepare },
  ];
}

/** A folder that is removed with everything in it. */
export async function temporaryFolder(): Promise<{ readonly path: string; close(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'tabularium-sqlite-'));
  return { path, close: () => rm(path, { recursive: true, force: true }) };
}
