import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '@tabularium/sandbox';
import type { Session } from '@tabularium/sdk';
import { ADMIN_KEY, admin, open as openSearch, startFixture } from '../../drivers/search/src/fixture.test-helper.ts';
import searchPackage from '../../drivers/search/package.json' with { type: 'json' };
import { describeWithServer } from '../../drivers/postgres/src/server.test-helper.ts';
import { administer, open as openPostgres } from '../../drivers/postgres/src/session.test-helper.ts';
import postgresPackage from '../../drivers/postgres/package.json' with { type: 'json' };
import { open as openSqlite } from '../../drivers/sqlite/src/session.test-helper.ts';
import sqlitePackage from '../../drivers/sqlite/package.json' with { type: 'json' };
import type { FindRows } from '../../host/src/common/findingRows.ts';
import type { RowFinder } from '../../host/src/runtime/finding/rowFinder.ts';
import { answerOf, find, finderOf, keysOf } from './foundRows.test-helper.ts';

// Rows that are found in all tables are those that a scan of all values finds.

const RUNS = { numRuns: 60 };

interface Row {
  readonly id: number;
  readonly a: string | null;
  readonly b: string | null;
  readonly n: bigint | null;
}

const LETTERS = ['a', 'A', 'b', '1', '0', '-', '%', '_', '\\', "'", '"', '`', ' ', '*', '$', '?', ';', 'é', '😀', '\n', '['];
const text = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 1, maxLength: 3 }).filter((value) => value.trim() !== '');
const cell = fc.option(fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 5 }), { freq: 6 });
const number = fc.option(fc.oneof(fc.bigInt(-20n, 20n), fc.constantFrom(9007199254740993n, -9223372036854775808n)));
const rowsOf = (seed: number): readonly Row[] =>
  fc
    .sample(fc.record({ a: cell, b: cell, n: number }), { seed, numRuns: 80 })
    .map((row, index) => ({ ...row, id: 1_000_000 + index }));
/** Short texts, parts of those that are there, and numbers that are there. */
const wanted = fc.oneof(
  text,
  fc.constantFrom('9007199254740993', '9007199254740992', '-9223372036854775808', '7', '-3', ' 12 ', '007'),
);

/** In small letters as far as ASCII goes: databases differ beyond. */
const small = (value: string): string => value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** The rows that hold the text, by a scan. */
function scan(
  rows: readonly Row[],
  { text: sought, match, matchCase }: Pick<FindRows, 'text' | 'match' | 'matchCase'>,
): readonly number[] {
  const fold = matchCase ? (value: string) => value : small;
  const holds = (value: string | null): boolean =>
    value !== null && (match === 'exact' ? fold(value) === fold(sought) : fold(value).includes(fold(sought)));
  const digits = /^-?(?:0|[1-9]\d*)$/.test(sought.trim()) ? BigInt(sought.trim()) : undefined;
  return rows
    .filter(({ id, a, b, n }) => holds(a) || holds(b) || (digits !== undefined && (n === digits || BigInt(id) === digits)))
    .map(({ id }) => id);
}

/** Compares what is found with the scan, for texts at random. */
async function compareWithScan(finder: () => RowFinder, rows: readonly Row[]): Promise<void> {
  const question = fc.record({
    text: wanted,
    match: fc.constantFrom('contains' as const, 'exact' as const),
    matchCase: fc.boolean(),
  });
  const given = fc.constantFrom(...rows).map(({ a, id }) => (a === null || a.trim() === '' ? String(id) : a));
  const asked = fc.oneof(
    question,
    fc.tuple(question, given).map(([one, value]) => ({ ...one, text: value })),
  );
  await fc.assert(
    fc.asyncProperty(asked, async (one) => {
      expect(keysOf(answerOf(await find(finder(), one), 'things'))).toEqual(scan(rows, one).map(String));
    }),
    RUNS,
  );
}

const sql = (value: string | bigint | number | null): string =>
  value === null ? 'NULL' : typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
const insert = (rows: readonly Row[]): string =>
  rows.map(({ id, a, b, n }) => `INSERT INTO things (id, a, b, n) VALUES (${[id, a, b, n].map(sql).join(', ')});`).join('\n');

describe('in files of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'found-rows-'));
  const rows = rowsOf(1);
  let session: Session;

  beforeAll(async () => {
    const path = join(folder, 'things.db');
    using database = new DatabaseSync(path);
    database.exec(`CREATE TABLE things (id INTEGER PRIMARY KEY, a TEXT, b VARCHAR(20), n BIGINT, data BLOB); ${insert(rows)}
      CREATE TABLE "odd ""name\u202e" (id INTEGER PRIMARY KEY, "a ""b" TEXT, loose);
      INSERT INTO "odd ""name\u202e" VALUES (1, 'needle', 5), (2, 'x', 'needle'), (3, NULL, 4711);
      CREATE VIEW seen AS SELECT a FROM things WHERE id < 1000003;`);
    session = await openSqlite(path);
  });
  afterAll(async () => {
    await session.close();
    rmSync(folder, { recursive: true });
  });

  it('are the rows that a scan finds', () => compareWithScan(() => finderOf(session, sqlitePackage), rows));

  it('are found in columns without a type, under names of any characters', async () => {
    const finder = finderOf(session, sqlitePackage);
    expect(keysOf(answerOf(await find(finder, { text: 'NEEDLE' }), 'odd "name\u202e'))).toEqual(['1', '2']);
    expect(keysOf(answerOf(await find(finder, { text: '4711' }), 'odd "name\u202e'))).toEqual(['3']);
  });
});

describeWithServer('in PostgreSQL', (server) => {
  const rows = rowsOf(2);
  let session: Session;

  beforeAll(async () => {
    await administer(
      server(),
      `CREATE TYPE mood AS ENUM ('sad', 'glad');
      CREATE TABLE things (id bigint PRIMARY KEY, a text, b varchar(20), n bigint);
      ${insert(rows)}
      CREATE TABLE kinds (id int PRIMARY KEY, u uuid, day date, at timestamptz, clock time, price numeric(12, 2), real float8, small smallint, doc jsonb, tags text[], mood mood, raw bytea, lasts interval, net inet, c char(5));
      INSERT INTO kinds VALUES (1, '8c1d0a52-8a3f-4f5b-9d1e-0c3a8b6f2e11', '2026-02-28', '2026-02-28 10:30:00+00', '10:30', 12.50, 0.1, 12, '{"mail":"ann@example.org"}', '{ann,bob}', 'glad', '\\x00', '1 day', '10.0.0.1', 'abc');`,
    );
    session = await openPostgres(server());
  });
  afterAll(() => session.close());

  it('are the rows that a scan finds', () => compareWithScan(() => finderOf(session, postgresPackage), rows));

  it.each([
    '8c1d0a52-8a3f-4f5b-9d1e-0c3a8b6f2e11',
    '8C1D0A52',
    '2026-02-28',
    '2026-02-28 10:30:00+00',
    '10:30',
    '12.5',
    '12.50',
    '0.1',
    '12',
    'ann@example.org',
    'ann',
    'bob',
    'glad',
    '10.0.0.1',
    'abc',
    '1 day',
  ])('find %s in a column of its kind', async (sought) => {
    expect(keysOf(answerOf(await find(finderOf(session, postgresPackage), { text: sought }), 'kinds'))).toEqual(['1']);
  });

  it.each([
    '40000',
    '99999999999999999999',
    '12.51',
    '2026-02-30',
    '2026-02-27',
    '12:99',
    'gladly',
    "'; DROP TABLE kinds; --",
    '{ann',
    'NaN',
  ])('do not find %s, and fail for none of its columns', async (sought) => {
    const { outcome } = answerOf(await find(finderOf(session, postgresPackage), { text: sought }), 'kinds').outcome;
    // The array is compared as PostgreSQL writes it.
    expect(outcome).toBe(sought === '{ann' ? 'found' : 'nothing');
  });
});

describe('in the search server', () => {
  let sandbox: Sandbox;
  let session: Session;

  beforeAll(async () => {
    sandbox = await startFixture();
    const fields = [
      { name: 'title', type: 'string' },
      { name: 'rank', type: 'int32' },
      { name: 'price', type: 'float', optional: true },
    ];
    await admin(sandbox, 'POST', '/collections', JSON.stringify({ name: 'findable', fields }));
    await admin(
      sandbox,
      'POST',
      '/collections/findable/documents',
      JSON.stringify({ id: 'one', title: 'Mail of ann@example.org', rank: 4711, price: 0.5 }),
    );
    await admin(sandbox, 'POST', '/collections/findable/documents', JSON.stringify({ id: '4711', title: 'An order', rank: 1 }));
    session = await openSearch(sandbox, ADMIN_KEY);
  });
  afterAll(async () => {
    await session.close();
    await sandbox.close();
  });

  it('are found by words, numbers and ids', async () => {
    const found = async (sought: string) =>
      keysOf(answerOf(await find(finderOf(session, searchPackage), { text: sought }), 'findable'));
    expect(await found('mail')).toEqual(['one']);
    expect(await found('ann@example.org')).toEqual(['one']);
    expect(await found('4711')).toEqual(['4711', 'one']);
    expect(await found('one')).toEqual(['one']);
    for (const number of ['4711.00', '4.711e3', '.5', '5e-1']) expect(await found(number)).toEqual(['one']);
    // Beyond the range of the field, so the server would refuse the whole filter.
    expect(await found('99999999999')).toEqual([]);
  });

  it.each(['a`b', '` || id:!=x || title:=`', 'a:[b', 'back\\', '*', '&& ('])(
    'takes %s as it is written, or says that it cannot ask for it',
    async (sought) => {
      const events = await find(finderOf(session, searchPackage), { text: sought });
      expect(['nothing', 'noColumns']).toContain(answerOf(events, 'findable').outcome.outcome);
    },
  );
});
