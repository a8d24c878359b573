import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RowChange, Session } from '@tabularium/sdk';
import { PgClient } from '../wire/pgClient.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, apply, clientOptions, importRows, open, ref, signal } from '../session.test-helper.ts';

/** Values of a type: those that it stores, with the text of the stored one where that is written otherwise, and those that it would change. */
interface Values {
  readonly allowed: readonly (string | readonly [written: string, stored: string])[];
  readonly refused: readonly string[];
}

const positions = (from: number, count: number): string => Array.from({ length: count }, (_, place) => from + place).join(',');
const TYPES: Readonly<Record<string, Values>> = {
  money: {
    allowed: [
      ['12.34', '$12.34'],
      ['$1,234.50', '$1,234.50'],
      ['12.3400', '$12.34'],
      ['-5', '-$5.00'],
      ['($1.5)', '-$1.50'],
    ],
    refused: ['12.345', '$0.001', '-1.999'],
  },
  'varchar(3)': { allowed: ['abc', 'ab ', '', '💥💥💥'], refused: ['ab  ', 'abc ', 'abcd', '💥💥💥 '] },
  'char(3)': {
    allowed: [
      ['ab', 'ab'],
      ['abc', 'abc'],
    ],
    refused: ['abc ', 'ab  ', 'abcd'],
  },
  bpchar: { allowed: [['ab  ', 'ab']], refused: [] },
  name: { allowed: ['x'.repeat(63)], refused: ['x'.repeat(64)] },
  '"char"': { allowed: ['a'], refused: ['ab'] },
  'numeric(5,2)': {
    allowed: [['1.5', '1.50'], ['1.500', '1.50'], ['1e1', '10.00'], 'NaN'],
    refused: ['1.555', '1e-3', '0x1F', '1_000.555'],
  },
  'numeric(5,-2)': { allowed: ['1200', '0'], refused: ['1250', '1200.5'] },
  numeric: { allowed: ['12345678901234567890.12345678901234567890', 'Infinity'], refused: [] },
  float4: { allowed: ['0.1', ['16777216', '1.6777216e+07'], 'NaN'], refused: ['16777217', '0.123456789', '1e39'] },
  float8: {
    allowed: ['0.1', ['9007199254740992', '9.007199254740992e+15'], '-Infinity'],
    refused: ['9007199254740993', '0.12345678901234567890', '1e999'],
  },
  date: {
    allowed: ['2026-01-31', ['2026-01-31 00:00:00', '2026-01-31'], 'infinity'],
    refused: ['2026-01-31 10:00:00', '20260131T101010', '2026-01-31T00:00:00Z'],
  },
  time: {
    allowed: ['10:00:00.123456', ['10:00', '10:00:00']],
    refused: [
      ...['10:00:00.1234567', '10:00+02', '101010.1234567', '101010+02'],
      ...['2020-01-01 10:00:00', '2020-01-01T10:00', 'Jan 31 2020 10:00', '20200131T101010', '31.1.2020 10:00', 'Mon 10:00'],
    ],
  },
  'time(0)': { allowed: ['10:00:00', ['10:00:00.00', '10:00:00']], refused: ['10:00:00.4', '2020-01-01 10:00:00'] },
  'timetz(2)': {
    allowed: ['10:00:00.25+02', ['10:00:00.25-02', '10:00:00.25-02']],
    refused: ['10:00:00.255+02', '2020-01-01 10:00:00+02'],
  },
  timestamp: {
    allowed: ['2026-01-31 10:00:00.123456'],
    refused: [
      '2026-01-31 10:00:00.1234567',
      '2026-01-31T10:00:00Z',
      '20260131T101010.1234567',
      '20260131T101010Z',
      '20260131 101010+02',
    ],
  },
  'timestamp(3)': { allowed: ['2026-01-31 10:00:00.125'], refused: ['2026-01-31 10:00:00.1255'] },
  'timestamptz(0)': {
    allowed: ['2026-01-31 10:00:00+00', ['2026-01-31 12:00:00+02', '2026-01-31 10:00:00+00']],
    refused: ['2026-01-31 10:00:00.5+00'],
  },
  interval: {
    allowed: [
      ...['1 year 2 mons 3 days 04:05:06.123456', '-00:00:01', '-1 days +02:03:00'],
      ...([
        ['1.5 years', '1 year 6 mons'],
        ['1.5 months', '1 mon 15 days'],
        ['0.5 days', '12:00:00'],
        ['1.5 weeks', '10 days 12:00:00'],
        ['P1Y2M3DT4H5M6.7S', '1 year 2 mons 3 days 04:05:06.7'],
        ['1-2', '1 year 2 mons'],
        ['3 4:05:06', '3 days 04:05:06'],
        ['5', '00:00:05'],
        ['1 hour ago', '-01:00:00'],
        ['1500 ms', '00:00:01.5'],
        ['@ 1 minute', '00:01:00'],
        ['1 day 2 hours', '1 day 02:00:00'],
        ['PT1.5H', '01:30:00'],
        ['12:34.5', '00:12:34.5'],
        ['1.5', '00:00:01.5'],
        ['1y2mon', '1 year 2 mons'],
      ] as const),
    ],
    refused: [
      '00:00:00.1234567',
      '0.1 years',
      '1.05 years',
      'P0.1Y',
      '0.0000001 seconds',
      '0.5 us',
      '1.23456789012 days',
      '0.03 decades',
      '12:34.1234567',
    ],
  },
  'interval(0)': {
    allowed: [['1.5 hours', '01:30:00'], '3 days 04:05:06'],
    refused: ['00:00:00.4', '1500 ms', '0.00001 days', 'PT0.5S'],
  },
  'interval day': {
    allowed: ['3 days', ['48 days', '48 days']],
    refused: ['3 days 04:00:00', '5', '36 hours', '1.5 days', '1.05 months'],
  },
  'interval hour to minute': { allowed: ['04:05:00', ['90 minutes', '01:30:00']], refused: ['04:05:06', '90 seconds'] },
  'interval year to month': { allowed: ['1 year 2 mons'], refused: ['1 day', '1 year 2 mons 3 days', '0.5 months'] },
  'interval year': { allowed: ['1 year'], refused: ['1 year 1 mon'] },
  'interval day to second(1)': { allowed: ['1 day 00:00:00.5'], refused: ['1 day 00:00:00.55'] },
  point: { allowed: ['(1.5,-2)'], refused: ['(0.12345678901234567890,1)', '(9007199254740993,0)'] },
  box: { allowed: ['(1.5,1.5),(0,0)'], refused: ['(0.12345678901234567890,1),(0,0)'] },
  circle: { allowed: ['<(1,2),3>'], refused: ['<(1,2),9007199254740993>'] },
  tsvector: {
    allowed: [
      ["'a':1A,3 'b':16383", "'a':1A,3 'b':16383"],
      ['b a a', "'a' 'b'"],
      ["'a:70000' 'it''s':2,1", "'a:70000' 'it''s':1,2"],
      [String.raw`a\:70000`, "'a:70000'"],
      ['x:1 x:1', "'x':1"],
    ],
    refused: [
      'b:70000',
      'a:1A,1B',
      'a:1 b:16384 c:2',
      `a:${positions(1, 257)}`,
      `a:${positions(1, 200)} a:${positions(201, 57)}`,
    ],
  },
  'doors.hstore': {
    allowed: [
      ['a=>1, b=>NULL', '"a"=>"1", "b"=>NULL'],
      ['"a=>1"=>"a=>2,a=>3", a=>"a"', '"a"=>"a", "a=>1"=>"a=>2,a=>3"'],
      ['', ''],
    ],
    refused: ['a=>1,a=>2', '"a"=>1 , a=>2', String.raw`"a\"b"=>1,b=>2,a\"b=>3`],
  },
  'doors.hstore[]': { allowed: [['{"a=>1"}', String.raw`{"\"a\"=>\"1\""}`]], refused: ['{"a=>1,a=>2"}'] },
  int4: { allowed: ['16', [' 7 ', '7']], refused: ['0x10', '1_000', '1.5'] },
  oid: { allowed: ['4294967295'], refused: ['-1', '4294967296'] },
  'varchar(3)[]': { allowed: ['{abc,"a,b",NULL}'], refused: ['{"ab  "}', '{{abc},{"abc "}}'] },
  'numeric(5,2)[]': {
    allowed: [
      ['{1.5,NULL,2}', '{1.50,NULL,2.00}'],
      ['[2:3]={1,2.5}', '[2:3]={1.00,2.50}'],
    ],
    refused: ['{1.555}', '{"1.555"}', '{1_000.555}', '{{1},{1e-3}}'],
  },
  'float4[]': { allowed: ['{0.1,NaN}'], refused: ['{16777217}'] },
  'money[]': { allowed: [['{1.50}', '{$1.50}']], refused: ['{1.505}'] },
  'time(0)[]': { allowed: ['{10:00:00}'], refused: ['{10:00:00.4}', '{10:00+02}'] },
  'timestamp[]': {
    allowed: ['{"2026-01-31 10:00:00"}'],
    refused: ['{"2026-01-31 10:00+00"}', '{"2026-01-31 10:00:00.1234567"}'],
  },
  'interval(0)[]': { allowed: ['{01:30:00}'], refused: ['{00:00:00.4}', '{"0.1 years"}'] },
  'box[]': { allowed: ['{(1,1),(0,0);(2,2),(1,1)}'], refused: ['{(1,1),(0,0);(9007199254740993,2),(1,1)}'] },
  'oid[]': { allowed: ['{1}'], refused: ['{-1}'] },
  numrange: { allowed: ['[1.123456789012345678901234567890,2)', 'empty'], refused: [] },
  tsrange: {
    allowed: ['["2026-01-01 00:00:00","2026-01-02 00:00:00")', ['[2026-01-01,)', '["2026-01-01 00:00:00",)']],
    refused: ['["2026-01-01 00:00:00+02",)', '(,"2026-01-01 00:00:00.1234567"]', '[2026-01-01 00:00:00Z,]'],
  },
  tsmultirange: {
    allowed: ['{["2026-01-01 00:00:00","2026-01-02 00:00:00")}'],
    refused: ['{["2026-01-01 00:00:00","2026-01-02 00:00:00"),[2026-02-01 00:00:00Z,]}'],
  },
  daterange: {
    allowed: ['[2026-01-01,2026-01-05)', ['[2026-01-01,2026-01-04]', '[2026-01-01,2026-01-05)']],
    refused: ['["2026-01-01 10:00",)'],
  },
  'doors.floats': { allowed: ['[0.1,0.2)'], refused: ['[16777217,)'] },
  'doors.prices': { allowed: [['[0.1,0.2)', '[0.10,0.20)']], refused: ['[0.125,)'] },
  'doors.price': { allowed: [['1.5', '1.50']], refused: ['1.555'] },
  'doors.price[]': { allowed: [['{1.5}', '{1.50}']], refused: ['{1.555}'] },
  'doors.label': { allowed: ['abc'], refused: ['abc '] },
  'doors.pair': {
    allowed: [['(1.5,abc,"{0.1}",)', '(1.50,abc,{0.1},)'], '(,,,)', ['(1.50," ab",,"(2,x)")', '(1.50," ab",,"(2.0,x)")']],
    refused: ['(1.555,,,)', '(1,"abc ",,)', '(1,abc ,,)', '(1,,"{16777217}",)', '(1,,,"(2.55,)")'],
  },
  'doors.pair[]': {
    allowed: [['{"(1.5,abc,,)",NULL}', '{"(1.50,abc,,)",NULL}']],
    refused: [String.raw`{"(1.5,\"abc \",,)"}`, '{"(1.555,,,)"}'],
  },
  bytea: {
    allowed: [
      ['AAEC', String.raw`\x000102`],
      ['', String.raw`\x`],
      [String.raw`\xDEADbeef`, String.raw`\xdeadbeef`],
      [String.raw`\x`, String.raw`\x`],
      ['0xdeadbeef', String.raw`\xdeadbeef`],
      ['0xyz', String.raw`\xd31cb3`],
    ],
    refused: ['0x00', '0xDEAD12', 'hello', String.raw`\xabc`, '0x', 'AAE'],
  },
};

/** Texts that the server itself refuses, on each way. */
const REFUSED_BY_SERVER: Readonly<Record<string, readonly string[]>> = {
  'bit(4)': ['101', '10101', 'x1'.repeat(3)],
  'varbit(3)': ['1010'],
  'bit(4)[]': ['{101}'],
  'int[]': ['{1.5}', '{2147483648}'],
};

/** Lists and objects of JSON in rows of an import. */
const JSON_VALUES: Readonly<
  Record<string, { readonly allowed: readonly (readonly [string, string])[]; readonly refused: readonly string[] }>
> = {
  'varchar(3)[]': { allowed: [['["abc",null]', '{abc,NULL}']], refused: ['["ab  "]', '[["abc"],["abc "]]'] },
  'numeric(5,2)[]': { allowed: [['[1.5,"2.25"]', '{1.50,2.25}']], refused: ['[1.555]', '["1.555"]', '[[1],[1.005]]'] },
  'float4[]': { allowed: [['[0.1]', '{0.1}']], refused: ['[16777217]', '[0.10000000149011612]'] },
  'float8[]': { allowed: [['[9007199254740992]', '{9.007199254740992e+15}']], refused: ['[9007199254740993]'] },
  'timestamp[]': {
    allowed: [['["2026-01-31 10:00"]', '{"2026-01-31 10:00:00"}']],
    refused: ['["2026-01-31 10:00+02"]', '["2026-01-31 10:00:00.1234567"]'],
  },
  'doors.pair': {
    allowed: [
      ['{"price":1.5,"label":"abc","ratios":[0.1]}', '(1.50,abc,{0.1},)'],
      ['{"inner":{"n":2,"t":"x"}}', '(,,,"(2.0,x)")'],
    ],
    refused: [
      '{"price":1.555}',
      '{"label":"abc "}',
      '{"ratios":[16777217]}',
      '{"inner":{"n":2.55}}',
      '{"inner":"(2.55,)"}',
      '{"other":1}',
    ],
  },
  'doors.pair[]': { allowed: [['[{"price":1.5}]', '{"(1.50,,,)"}']], refused: ['[{"price":1.555}]', '[{"price":1,"other":2}]'] },
  name: { allowed: [['["a"]', '["a"]']], refused: [`["${'x'.repeat(70)}"]`] },
};

/** Before a value that an edit is to refuse. */
const REFUSED = 'refused: ';
const SCHEMA = `CREATE SCHEMA doors; CREATE EXTENSION hstore SCHEMA doors; CREATE TYPE doors.floats AS RANGE (subtype = float4); CREATE DOMAIN doors.price AS numeric(5,2); CREATE TYPE doors.prices AS RANGE (subtype = doors.price);
  CREATE DOMAIN doors.short AS varchar(3); CREATE DOMAIN doors.label AS doors.short; CREATE TYPE doors.inside AS (n numeric(3,1), t text);
  CREATE TYPE doors.pair AS (price doors.price, label doors.label, ratios float4[], "inner" doors.inside);
  ALTER DATABASE postgres SET "TimeZone" = 'UTC'; ALTER DATABASE postgres SET lc_monetary = 'C';`;
const EVERY_TYPE = [...new Set(['jsonb', ...Object.keys(TYPES), ...Object.keys(REFUSED_BY_SERVER), ...Object.keys(JSON_VALUES)])];
const columnOf = (type: string): string => `c${EVERY_TYPE.indexOf(type)}`;
/** As many as are copied. */
const MANY = 25;
const TABLE = ref('every', 'doors');

interface Given {
  readonly type: string;
  readonly value: string;
}

describeWithServer('a value that the server would store otherwise', (server) => {
  let session: Session;
  let client: PgClient;
  beforeAll(async () => {
    const columns = EVERY_TYPE.map((type) => `${columnOf(type)} ${type}`).join(', ');
    await administer(server(), `${SCHEMA} CREATE TABLE doors.every (id int PRIMARY KEY, ${columns})`);
    session = await open(server());
    client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await session.close();
  });

  /** Of a value that was written: the text of the stored one. Else `refused`, or the whole refusal where it doesn't name the column. */
  type Outcome = string;
  type Door = (given: readonly Given[]) => Promise<readonly Outcome[]>;

  const refusal = ({ type }: Given, column: string | undefined, message: string): Outcome =>
    column === columnOf(type) ? 'refused' : `${column ?? ''}: ${message}`;
  /** The texts of the values of a row each, by its number. */
  const storedOf = async (given: readonly Given[]): Promise<readonly Outcome[]> => {
    const shown = EVERY_TYPE.map((type) => `${columnOf(type)}::text AS ${columnOf(type)}`).join(', ');
    const { rows } = await client.query<Record<string, string>>(`SELECT id::text, ${shown} FROM doors.every`);
    const byId = new Map(rows.map((row) => [row['id'], row]));
    return given.map(({ type }, id) => byId.get(String(id))?.[columnOf(type)] ?? 'nothing');
  };
  const changesOf = (change: 'insert' | 'update', given: readonly Given[]): RowChange[] =>
    given.map(({ type, value }, id) => {
      const assignments = [{ column: columnOf(type), value }];
      return change === 'insert'
        ? { kind: 'insert', values: [{ column: 'id', value: id }, ...assignments] }
        : { kind: 'update', key: [id], assignments };
    });

  const reviewed =
    (change: 'insert' | 'update'): Door =>
    async (given) => {
      const prepared = await session.edits?.prepare(TABLE, changesOf(change, given), { signal });
      return given.map((one, index) => {
        const answer = prepared?.[index];
        return answer?.ready === false ? refusal(one, answer.column, answer.message) : 'taken';
      });
    };
  /** All changes of a call are made, or none: those that are refused are tried one by one. */
  const edited =
    (change: 'insert' | 'update'): Door =>
    async (given) => {
      const rows = `INSERT INTO doors.every (id) SELECT generate_series(0, ${given.length})`;
      await client.query(`TRUNCATE doors.every; ${change === 'update' ? rows : ''}`);
      const changes = changesOf(change, given);
      const failed: (Outcome | undefined)[] = [];
      const made: RowChange[] = [];
      for (const [index, one] of given.entries()) {
        if (!one.value.startsWith(REFUSED)) made.push(...changes.slice(index, index + 1));
        else {
          const alone = changesOf(change, [{ type: one.type, value: one.value.slice(REFUSED.length) }]);
          const [outcome] = await apply(session, TABLE, alone);
          failed[index] = outcome?.outcome === 'failed' ? refusal(one, outcome.column, outcome.message) : 'taken';
        }
      }
      const outcomes = made.length === 0 ? [] : await apply(session, TABLE, made);
      expect(outcomes.filter(({ outcome }) => outcome !== 'saved')).toEqual([]);
      const stored = await storedOf(given);
      return given.map((_, index) => failed[index] ?? stored[index] ?? 'nothing');
    };
  const rowsOf = (given: readonly Given[], isJson: boolean): string[] =>
    given.map(({ type, value }, id) => `{"id":${id},"${columnOf(type)}":${isJson ? value : JSON.stringify(value)}}`);
  const imported =
    (mode: string, isMany: boolean, isJson = false): Door =>
    async (given) => {
      await client.query(`TRUNCATE doors.every`);
      const rows = rowsOf(given, isJson);
      // Neighbours with the same columns are copied together, where there are enough.
      const sent = isMany ? rows.flatMap((row, index) => [row, ...more(given, index)]) : rows;
      const outcomes = await importRows(session, TABLE, mode, sent);
      const stored = await storedOf(given);
      return given.map((one, id) => {
        const outcome = outcomes[sent.indexOf(rows[id] ?? '')];
        return outcome?.outcome === 'rejected' ? refusal(one, outcome.column, outcome.message) : (stored[id] ?? 'nothing');
      });
    };
  /** Rows behind the last value of a type. */
  const more = (given: readonly Given[], index: number): readonly string[] => {
    const { type = '' } = given[index] ?? {};
    if (given[index + 1]?.type === type) return [];
    return Array.from({ length: MANY }, (_, id) => `{"id":${(index + 1) * 1_000 + id},"${columnOf(type)}":null}`);
  };
  const checked =
    (isJson: boolean): Door =>
    async (given) => {
      const problems = await session.import?.check({ table: TABLE, mode: 'create' }, rowsOf(given, isJson), { signal });
      const byIndex = new Map(problems?.map((problem) => [problem.index, problem]));
      return given.map((one, index) => {
        const problem = byIndex.get(index);
        return problem === undefined ? 'taken' : refusal(one, problem.column, problem.message);
      });
    };

  const doors: Readonly<Record<string, Door>> = {
    'the review of a new row': reviewed('insert'),
    'the review of a changed row': reviewed('update'),
    'a new row': edited('insert'),
    'a changed row': edited('update'),
    'the preview of an import': checked(false),
    'an import by INSERT': imported('create', false),
    'an import by COPY': imported('create', true),
    'an import that updates': imported('upsert', false),
  };

  it.each(Object.entries(doors))('is refused by %s with its column, and others are stored to the letter', async (name, door) => {
    const isOnlyLookedAt = /review|preview/.test(name);
    const isEdit = name.endsWith('row') && !isOnlyLookedAt;
    const expected: (readonly [Given, Outcome])[] = [];
    for (const [type, { allowed, refused }] of Object.entries(TYPES)) {
      for (const one of allowed) {
        const [value, stored] = typeof one === 'string' ? [one, one] : one;
        expected.push([{ type, value }, isOnlyLookedAt ? 'taken' : stored]);
      }
      // One by one they take long, and the review has refused each.
      for (const value of isEdit ? refused.slice(0, 1) : refused)
        expected.push([{ type, value: isEdit ? `${REFUSED}${value}` : value }, 'refused']);
    }
    const given = expected.map(([one]) => one);
    const outcomes = await door(given);
    expect(given.map((one, index) => [one, outcomes[index]])).toEqual(expected);
  });

  it('is written in the shown statement so that anybody can run it, and it stores the same', async () => {
    const given = Object.entries(TYPES).flatMap(([type, { allowed }]) =>
      allowed.map((one) => ({ type, value: typeof one === 'string' ? one : one[0] })),
    );
    const expected = Object.values(TYPES).flatMap(({ allowed }) =>
      allowed.map((one) => (typeof one === 'string' ? one : one[1])),
    );
    /** Runs what a review shows, past the driver. */
    const run = async (changes: readonly RowChange[]): Promise<void> => {
      const prepared = (await session.edits?.prepare(TABLE, changes, { signal })) ?? [];
      expect(prepared).toHaveLength(changes.length);
      for (const [index, change] of prepared.entries()) {
        const text = change.ready ? change.text : change.message;
        const { rowCount } = await client.query(text).catch((error: unknown) => {
          throw new Error(`${JSON.stringify(given[index])}: ${text}`, { cause: error });
        });
        expect([rowCount, text]).toEqual([1, text]);
      }
    };
    await client.query('TRUNCATE doors.every');
    await run(changesOf('insert', given));
    expect(await storedOf(given)).toEqual(expected);
    const changes = changesOf('update', given).map((change, index): RowChange => {
      if (change.kind !== 'update') return change;
      const [assignment] = change.assignments;
      return assignment === undefined ? change : { ...change, expected: [{ ...assignment, value: expected[index] ?? null }] };
    });
    await run(changes);
    expect(await storedOf(given)).toEqual(expected);
  });

  it.each(['the review of a new row', 'a new row', 'a changed row'])(
    'is refused by %s where it is JSON by its text',
    async (name) => {
      const isEdit = name.endsWith('row') && !name.includes('review');
      const json = '{"a":[{"b":1,"c":"\\"b\\":"}],"c":{"b":2}}';
      const twice = ['{"a":1,"a":2}', '[{"b":{"a":1, "c":0, "\\u0061" : 2}}]'];
      const given = [json, ...twice.map((value) => `${isEdit ? REFUSED : ''}${value}`)].map((value) => ({
        type: 'jsonb',
        value,
      }));
      const [stored, ...refused] = (await doors[name]?.(given)) ?? [];
      expect(isEdit ? JSON.parse(stored ?? '') : stored).toEqual(isEdit ? JSON.parse(json) : 'taken');
      expect(refused).toEqual(['refused', 'refused']);
    },
  );

  it.each(Object.entries(doors).filter(([name]) => !/review|preview/.test(name)))(
    'is refused by the server itself for %s',
    async (name, door) => {
      const isEdit = name.endsWith('row');
      const given = Object.entries(REFUSED_BY_SERVER).flatMap(([type, values]) =>
        values.map((value) => ({ type, value: isEdit ? `${REFUSED}${value}` : value })),
      );
      const outcomes = await door(given);
      expect(given.map((one, index) => [one, outcomes[index]])).toEqual(
        given.map((one) => [one, expect.stringContaining('PostgreSQL says') as string]),
      );
    },
  );

  it.each(
    Object.entries({
      'the preview': checked(true),
      'a few rows': imported('create', false, true),
      'many rows': imported('create', true, true),
      'rows that update': imported('upsert', false, true),
    }),
  )('in a list or an object is refused by %s of an import', async (name, door) => {
    const expected = Object.entries(JSON_VALUES).flatMap(([type, { allowed, refused }]) => [
      ...allowed.map(([value, stored]) => [{ type, value }, name === 'the preview' ? 'taken' : stored] as const),
      ...refused.map((value) => [{ type, value }, 'refused'] as const),
    ]);
    const given = expected.map(([one]) => one);
    const outcomes = await door(given);
    expect(given.map((one, index) => [one, outcomes[index]])).toEqual(expected);
  });
});
