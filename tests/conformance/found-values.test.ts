import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_FILTER, decodeBatch } from '@tabularium/sdk';
import type { Cell, ColumnKind, Filter, Session, TableRef } from '@tabularium/sdk';
import { compareNumerals } from '@tabularium/sdk/unstable';
import { describeWithServer } from '../../drivers/postgres/src/server.test-helper.ts';
import { administer, open as openPostgres } from '../../drivers/postgres/src/session.test-helper.ts';
import postgresPackage from '../../drivers/postgres/package.json' with { type: 'json' };
import { open as openSqlite } from '../../drivers/sqlite/src/session.test-helper.ts';
import sqlitePackage from '../../drivers/sqlite/package.json' with { type: 'json' };
import { answerOf, find, finderOf, keysOf } from './foundRows.test-helper.ts';

// Whatever value a table holds: the text that a cell shows finds its row, a found row has a cell that shows the text or the same value, and the filter of a
// found table finds the rows that were found.

const ROWS = 60;
const signal = new AbortController().signal;

/** A cell as a person sees it. */
interface ShownCell {
  readonly id: string;
  readonly column: string;
  readonly kind: ColumnKind;
  readonly text: string;
  /** Bytes among texts, which are equal to no text. */
  readonly isBytes: boolean;
}

async function idsOf(session: Session, table: TableRef, filter: Filter): Promise<readonly string[]> {
  return (await cellsOf(session, table, filter)).filter(({ column }) => column === 'id').map(({ id }) => id);
}

/** The cells that show a text: truth values, and bytes in columns of them, are left out of a search. */
async function cellsOf(session: Session, table: TableRef, filter: Filter = NO_FILTER): Promise<readonly ShownCell[]> {
  const request = { table, filter, sorts: [], position: { from: 'start' as const }, limit: 1_000 };
  const { columns, rows } = decodeBatch((await session.readPage(request, { signal })).batch);
  const key = columns.findIndex(({ name }) => name === 'id');
  return rows.flatMap((row) =>
    columns.flatMap(({ name, kind }, place): ShownCell[] => {
      const text = shownText(row[place] ?? null, kind);
      return text === undefined ? [] : [{ id: String(row[key]), column: name, kind, text, isBytes: isBytes(row[place] ?? null) }];
    }),
  );
}

function isBytes(cell: Cell): boolean {
  return Array.isArray(cell) && cell[0] === 'bytes';
}

function shownText(cell: Cell, kind: ColumnKind): string | undefined {
  if (cell === null || typeof cell === 'boolean') return undefined;
  if (!Array.isArray(cell)) return kind === 'bytes' ? undefined : String(cell);
  const [tag, text] = cell as readonly string[];
  // Bytes among texts are compared as text.
  return tag === 'bytes' ? Buffer.from(text ?? '', 'base64').toString('utf8') : text;
}

const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Whether a cell shows the text, or the value that it writes. Letters of either case beyond ASCII are the database's own matter. */
function shows({ kind, text: shown }: ShownCell, text: string): boolean {
  const fold = (value: string): string => value.toLowerCase();
  if (fold(shown).includes(fold(text))) return true;
  const trimmed = text.trim();
  if (fold(shown) === fold(trimmed)) return true;
  if (NUMERAL.test(trimmed) && NUMERAL.test(shown)) return compareNumerals(shown, trimmed) === 0;
  if (kind === 'uuid') return shown === trimmed.toLowerCase();
  return kind === 'timestamp' && shown.startsWith(trimmed);
}

/** Other spellings of a number. */
function spellings(text: string): readonly string[] {
  if (!/^-?(?:0|[1-9]\d{0,30})(?:\.\d+)?$/.test(text)) return [text];
  const [whole = '', fraction] = text.split('.');
  const more = fraction === undefined ? [`${text}.00`, `${text}.`, `${text}e0`] : [`${text}0`, `${text}e0`];
  return [text, ...more, ...(whole === '0' && fraction !== undefined ? [`.${fraction}`] : [])];
}

interface Searched {
  readonly session: Session;
  readonly packageJson: { readonly tabularium: unknown };
  readonly table: TableRef;
}

/** Holds the three promises for values of a table at random. */
async function holdForValues({ session, packageJson, table }: Searched): Promise<void> {
  const cells = await cellsOf(session, table);
  expect(new Set(cells.map(({ column }) => column)).size).toBeGreaterThan(6);
  const searchable = cells.filter(({ text }) => text.trim() !== '' && text.length <= 1_000 && !/[\0\ufffd]/.test(text));
  const question = fc.record({
    cell: fc.constantFrom(...searchable),
    spelling: fc.nat(9),
    match: fc.constantFrom('contains' as const, 'contains' as const, 'exact' as const),
    matchCase: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(question, async ({ cell, spelling, match, matchCase }) => {
      const all = match === 'exact' ? [cell.text] : spellings(cell.text);
      const text = all[spelling % all.length] ?? cell.text;
      const answer = answerOf(await find(finderOf(session, packageJson), { text, match, matchCase }), table.name);
      const found = keysOf(answer);
      // A column that wasn't compared is named.
      const isCompared = !answer.uncompared?.names.includes(cell.column) && !(match === 'exact' && cell.isBytes);
      if (isCompared && isFoundAs(cell, text)) expect(found).toContain(cell.id);
      if (match === 'contains') expect(answer.uncompared).toBeUndefined();
      for (const id of found)
        expect(
          cells.filter((one) => one.id === id && shows(one, text)),
          `the found row ${id} shows ${JSON.stringify(text)}`,
        ).not.toEqual([]);
      if (answer.outcome.outcome !== 'found') return;
      expect(answer.outcome.hasMore).toBe(false);
      expect((await idsOf(session, table, answer.outcome.filter)).toSorted()).toEqual(found);
    }),
    { numRuns: 250, seed: 7 },
  );
}

/** A text of another spelling is found in columns of numbers alone. */
function isFoundAs({ kind, text: shown }: ShownCell, text: string): boolean {
  return shown === text || kind === 'integer' || kind === 'decimal';
}

const number = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.constantFrom(4711, 16_777_216, 16_777_217, 1e15, 1e20, 1.5e21, 1e-5, 1e-7, 1.5e300, 5e-324, 0.1, 0.1 + 0.2, 100.25, -0.75),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const words = fc.oneof(
  fc.string({
    unit: fc.constantFrom('a', 'B', '1', '0', '.', '-', '%', '_', "'", ' ', 'é', '😀', ','),
    minLength: 1,
    maxLength: 6,
  }),
  fc.constantFrom('n/a', '4711', '4711.00', '1e20', 'Infinity', 'NaN', '0123', '12abc', 'true', '.1', '2026-02-28'),
);

describe('in a file of SQLite', () => {
  const folder = mkdtempSync(join(tmpdir(), 'found-values-'));
  const path = join(folder, 'values.db');
  const columns = ['i', 'r', 'n', 't', 'b', 'f', 'j', 'd', 'loose'];
  const any = fc.oneof(
    number,
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    words,
    words,
    words.map((text) => `${text}\0behind`),
    fc.constantFrom(null, Infinity, -Infinity, true, false),
    fc.uint8Array({ minLength: 1, maxLength: 4 }),
  );
  let session: Session;

  beforeAll(async () => {
    using database = new DatabaseSync(path);
    database.exec(
      'CREATE TABLE things (id INTEGER PRIMARY KEY, i INTEGER, r REAL, n NUMERIC(8, 2), t TEXT, b BLOB, f BOOLEAN, j JSON, d DATE, loose)',
    );
    const insert = database.prepare(
      `INSERT INTO things VALUES (${Array(columns.length + 1)
        .fill('?')
        .join(', ')})`,
    );
    const rows = fc.sample(fc.tuple(...columns.map(() => any)), { numRuns: ROWS, seed: 3 });
    for (const [index, values] of rows.entries())
      insert.run(
        5_000_000 + index,
        ...values.map((value): SQLInputValue => (typeof value === 'boolean' ? Number(value) : value)),
      );
    session = await openSqlite(path);
  });
  afterAll(async () => {
    await session.close();
    rmSync(folder, { recursive: true });
  });

  it(
    'every value is found by its text, and nothing else is',
    () => holdForValues({ session, packageJson: sqlitePackage, table: { namespace: [], name: 'things' } }),
    300_000,
  );

  it('a text behind a zero character is found', async () => {
    const answer = answerOf(await find(finderOf(session, sqlitePackage), { text: 'BEHIND' }), 'things');
    const holding = (await cellsOf(session, { namespace: [], name: 'things' })).filter(({ text }) => text.includes('\0behind'));
    expect(new Set(keysOf(answer))).toEqual(new Set(holding.map(({ id }) => id)));
    expect(holding.length).toBeGreaterThan(10);
  });
});

describeWithServer('in PostgreSQL', (server) => {
  const pad = (value: number, length = 2): string => String(value).padStart(length, '0');
  const day = fc
    .tuple(fc.constantFrom(44, 1999, 2026, 10_000), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 28 }))
    .map(([year, month, date]) => `${pad(year, 4)}-${pad(month)}-${pad(date)}`);
  const era = fc
    .tuple(day, fc.constantFrom('', '', '', ' BC'))
    .map(([date, more]) => (date.startsWith('10000') ? date : `${date}${more}`));
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.nat(59), fc.nat(59), fc.constantFrom('', '.5', '.123456'))
    .map(([hour, minute, second, fraction]) => `${pad(hour)}:${pad(minute)}:${pad(second)}${fraction}`);
  const moment = fc.tuple(era, time).map(([date, clock]) => date.replace(/^\S+/, (plainDay) => `${plainDay} ${clock}`));
  const special = fc.constantFrom('NaN', 'Infinity', '-Infinity');
  const plain = words.filter((text) => !text.includes('\0'));
  const columns: Readonly<Record<string, fc.Arbitrary<string>>> = {
    'small smallint': fc.integer({ min: -32_768, max: 32_767 }).map(String),
    'i int': fc.oneof(fc.integer(), fc.constantFrom(4711, 16_777_217)).map(String),
    'big bigint': fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
    'n numeric': fc.oneof(number.map(String), special),
    'price numeric(12, 2)': fc.integer({ min: -99_999, max: 99_999 }).map((cents) => (cents / 100).toFixed(2)),
    'f4 real': fc.oneof(
      number.map((value) => String(Math.fround(value))).filter((text) => Number.isFinite(Number(text))),
      special,
    ),
    'f8 double precision': fc.oneof(number.map(String), special),
    't text': plain,
    'v varchar(40)': plain,
    'c char(6)': plain.filter((text) => [...text].length <= 6),
    'mood mood': fc.constantFrom('sad', 'glad', 'So so'),
    'u uuid': fc.uuid(),
    'day date': fc.oneof(era, fc.constantFrom('infinity', '-infinity')),
    'clock time': time,
    'zoned timetz': fc.tuple(time, fc.constantFrom('+00', '-07', '+05:30')).map((parts) => parts.join('')),
    'at timestamp': fc.oneof(moment, fc.constant('infinity')),
    'since timestamptz': moment,
    'doc jsonb': fc.dictionary(fc.constantFrom('a', 'b'), plain, { maxKeys: 2 }).map((value) => JSON.stringify(value)),
    'tags text[]': fc.array(plain, { maxLength: 3 }).map((all) => `{${all.map((one) => JSON.stringify(one)).join(',')}}`),
    'lasts interval': fc.nat(100_000).map((seconds) => `${seconds} seconds`),
    'net inet': fc.ipV4(),
    'truth boolean': fc.constantFrom('true', 'false'),
    'raw bytea': fc.constantFrom('\\x00', '\\x616e6e'),
  };
  let session: Session;

  beforeAll(async () => {
    const row = fc.tuple(...Object.values(columns).map((value) => fc.option(value, { freq: 5 })));
    const literal = (value: string | null): string => (value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`);
    const rows = fc
      .sample(row, { numRuns: ROWS, seed: 5 })
      .map((values, index) => `(${[5_000_000 + index, ...values.map(literal)].join(', ')})`);
    await administer(
      server(),
      `CREATE TYPE mood AS ENUM ('sad', 'glad', 'So so'); CREATE TABLE things (id bigint PRIMARY KEY, ${Object.keys(columns).join(', ')});
      INSERT INTO things VALUES ${rows.join(', ')};
      CREATE TABLE floats (id int PRIMARY KEY, f4 real, f8 double precision, n numeric);
      INSERT INTO floats VALUES (1, 16777216, 16777216, 16777216), (2, 0.1, 0.1, 0.1), (3, 'NaN', 'Infinity', 'NaN');
      CREATE TABLE sales (id int, region text) PARTITION BY LIST (region);
      CREATE TABLE sales_north PARTITION OF sales FOR VALUES IN ('north') PARTITION BY RANGE (id);
      CREATE TABLE sales_north_1 PARTITION OF sales_north FOR VALUES FROM (0) TO (9);
      INSERT INTO sales VALUES (4, 'north');`,
    );
    session = await openPostgres(server());
  });
  afterAll(() => session.close());

  it(
    'every value is found by its text, and nothing else is',
    () => holdForValues({ session, packageJson: postgresPackage, table: { namespace: ['public'], name: 'things' } }),
    300_000,
  );

  it('a number that a column would round is not found', async () => {
    const found = async (text: string) =>
      keysOf(answerOf(await find(finderOf(session, postgresPackage), { text, scope: only('floats') }), 'floats'));
    expect(await found('16777217')).toEqual([]);
    expect(await found('1.6777216e7')).toEqual(['1']);
    expect(await found('0.10000000149011612')).toEqual([]);
    expect(await found('.1')).toEqual(['2']);
    expect([await found('nan'), await found('inf'), await found('-inf')]).toEqual([['3'], ['3'], []]);
  });

  it('a row of a partition is found once', async () => {
    const events = await find(finderOf(session, postgresPackage), { text: 'north' });
    expect(answerOf(events, 'sales').outcome.outcome).toBe('found');
    const whole = { outcome: 'part', of: { namespace: ['public'], name: 'sales' } };
    expect([answerOf(events, 'sales_north').outcome, answerOf(events, 'sales_north_1').outcome]).toEqual([whole, whole]);
  });
});

function only(name: string) {
  return { in: 'tables' as const, tables: [{ namespace: ['public'], name }] };
}
