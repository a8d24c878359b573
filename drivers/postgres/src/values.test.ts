import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { describeWithServer } from './server.test-helper.ts';
import { administer, apply, importRows, open, read, ref, run, signal } from './session.test-helper.ts';

/** A type, values of it as the server writes them, and the cells that they are. */
const TYPES: readonly (readonly [string, readonly (readonly [string, unknown])[]])[] = [
  [
    'numeric',
    [
      ['123456789012345678901234567890.000000000000000000010', '123456789012345678901234567890.000000000000000000010'],
      ['1.50', '1.50'],
      ['NaN', ['text', 'NaN']],
      ['-Infinity', ['text', '-Infinity']],
    ],
  ],
  [
    'numeric(12,2)',
    [
      ['0.10', '0.10'],
      ['-9999999999.99', -9_999_999_999.99],
    ],
  ],
  [
    'bigint',
    [
      ['9223372036854775807', '9223372036854775807'],
      ['42', 42],
    ],
  ],
  [
    'float8',
    [
      ['0.1', 0.1],
      ['1e+300', 1e300],
      ['NaN', ['text', 'NaN']],
      ['5e-324', 5e-324],
    ],
  ],
  [
    'float4',
    [
      ['0.1', 0.1],
      ['3.4028235e+38', 3.4028235e38],
    ],
  ],
  [
    'boolean',
    [
      ['t', true],
      ['f', false],
    ],
  ],
  [
    'bytea',
    [
      ['\\x00ff10', 'AP8Q'],
      ['\\x', ''],
    ],
  ],
  [
    'text',
    [
      ['', ''],
      ['a\tb\nc\\d\'e"f', 'a\tb\nc\\d\'e"f'],
      ['💥é', '💥é'],
    ],
  ],
  ['char(5)', [['ab   ', 'ab   ']]],
  ['char(9000)', [['ab'.padEnd(9_000), 'ab'.padEnd(9_000)]]],
  ['bpchar', [['ab  ', 'ab  ']]],
  ['"char"', [['x', 'x']]],
  ['varchar(10)', [['abc', 'abc']]],
  [
    'date',
    [
      ['2026-02-28', '2026-02-28'],
      ['infinity', ['text', 'infinity']],
      ['0044-03-15 BC', ['text', '0044-03-15 BC']],
    ],
  ],
  [
    'time',
    [
      ['12:34:56.123456', '12:34:56.123456'],
      ['24:00:00', '24:00:00'],
    ],
  ],
  ['timetz', [['12:34:56+02', '12:34:56+02']]],
  [
    'timestamp',
    [
      ['2026-02-28 23:59:59.999999', '2026-02-28 23:59:59.999999'],
      ['infinity', ['text', 'infinity']],
    ],
  ],
  ['timestamptz', [['2026-02-28 12:00:00.000001+00', '2026-02-28 12:00:00.000001+00']]],
  [
    'interval',
    [
      ['1 year 2 mons 3 days 04:05:06.789', '1 year 2 mons 3 days 04:05:06.789'],
      ['-00:00:01', '-00:00:01'],
    ],
  ],
  ['uuid', [['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']]],
  ['json', [['{"a":  1.0000000000000000000000001, "a": 2}', '{"a":  1.0000000000000000000000001, "a": 2}']]],
  ['jsonb', [['{"n": 12345678901234567890.10}', '{"n": 12345678901234567890.10}']]],
  [
    'int[]',
    [
      ['{1,NULL,-3}', '{1,NULL,-3}'],
      ['{{1,2},{3,4}}', '{{1,2},{3,4}}'],
      ['[5:6]={1,2}', '[5:6]={1,2}'],
    ],
  ],
  ['text[]', [['{"a,b","q\\"q",NULL,"NULL",""}', '{"a,b","q\\"q",NULL,"NULL",""}']]],
  [
    'int4range',
    [
      ['[1,5)', '[1,5)'],
      ['empty', 'empty'],
    ],
  ],
  ['tstzrange', [['["2026-01-01 00:00:00+00",)', '["2026-01-01 00:00:00+00",)']]],
  ['nummultirange', [['{[1.5,2.5),[9,)}', '{[1.5,2.5),[9,)}']]],
  ['inet', [['192.168.0.1/24', '192.168.0.1/24']]],
  ['macaddr', [['08:00:2b:01:02:03', '08:00:2b:01:02:03']]],
  ['bit(4)', [['1010', '1010']]],
  ['varbit', [['101', '101']]],
  ['point', [['(1.5,-2)', '(1.5,-2)']]],
  ['xml', [['<a b="c"/>', '<a b="c"/>']]],
  ['tsvector', [["'a':1 'b':2", "'a':1 'b':2"]]],
  ['money', [['$1.50', '$1.50']]],
  ['pg_lsn', [['16/B374D848', '16/B374D848']]],
  ['oid', [['4294967295', 4_294_967_295]]],
  [
    'kinds.mood',
    [
      ['sad', 'sad'],
      ['Happy "x"', 'Happy "x"'],
    ],
  ],
  ['kinds.pair', [['(1,"a ""b"", c")', '(1,"a ""b"", c")']]],
  ['kinds.short', [['ab', 'ab']]],
  ['kinds.whole', [['7', 7]]],
  ['kinds.mood[]', [['{sad,"Happy \\"x\\""}', '{sad,"Happy \\"x\\""}']]],
];

describeWithServer('values of every common type', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA kinds; CREATE TYPE kinds.mood AS ENUM ('sad', 'Happy "x"'); CREATE TYPE kinds.pair AS (a int, b text);
      CREATE DOMAIN kinds.short AS varchar(3); CREATE DOMAIN kinds.deep AS int; CREATE DOMAIN kinds.whole AS kinds.deep CHECK (VALUE > 0);
      ALTER DATABASE postgres SET "TimeZone" = 'UTC'; ALTER DATABASE postgres SET "DateStyle" = 'German'; ALTER DATABASE postgres SET "IntervalStyle" = 'iso_8601';
      ALTER DATABASE postgres SET bytea_output = 'escape'; ALTER DATABASE postgres SET extra_float_digits = -5; ALTER DATABASE postgres SET lc_monetary = 'C';
      ${TYPES.map(([type], index) => `CREATE TABLE kinds.t${index} (id int PRIMARY KEY, v ${type});`).join('\n')}`,
    );
    session = await open(server());
  });
  afterAll(() => session.close());

  it('survive a write, a page, an export, the console and a comparison before the next write, whatever the server is set to', async () => {
    for (const [index, [type, values]] of TYPES.entries()) {
      const table = ref(`t${index}`, 'kinds');
      const cells = values.map(([, cell]) => cell as never);
      const outcomes = await apply(
        session,
        table,
        cells.map((value, id) => ({
          kind: 'insert',
          values: [
            { column: 'id', value: id },
            { column: 'v', value },
          ],
        })),
      );
      expect(
        outcomes.map(({ outcome }) => outcome),
        `${type}: ${JSON.stringify(outcomes)}`,
      ).toEqual(cells.map(() => 'saved'));
      expect(
        (await read(session, table)).map((row) => row.get('v')),
        type,
      ).toEqual(cells);
      // As a window reads it, which asks for long values by their size: they are compared with these before a change.
      const inWindow = await read(session, table, { placeholders: { over: 10_000 } });
      expect(
        inWindow.map((row) => row.get('v')),
        `${type}, of a page`,
      ).toEqual(cells);
      const exported: unknown[] = [];
      for await (const event of session.export?.rows(
        { table, filter: { match: 'all', conditions: [] }, columns: ['v'] },
        { signal },
      ) ?? [])
        if (event.type === 'rows') exported.push(...event.rows.map(([cell]) => cell));
      expect(exported, type).toEqual(cells);
      const [, shown] = await run(session, `SELECT v, v::text FROM kinds.t${index} ORDER BY id`);
      expect(shown, type).toMatchObject({ rows: cells.map((cell) => [cell, expect.anything() as unknown]) });
      const again = await apply(session, table, [
        {
          kind: 'update',
          key: [0],
          assignments: [{ column: 'v', value: null }],
          expected: [{ column: 'v', value: cells[0] ?? null }],
        },
      ]);
      expect(again, type).toMatchObject([{ outcome: 'saved' }]);
    }
  });

  it('come back by an import as an export wrote them', async () => {
    for (const [index, [type, values]] of TYPES.entries()) {
      const table = ref(`t${index}`, 'kinds');
      const plain = values.map(([, cell]) => (Array.isArray(cell) ? (cell as string[])[1] : cell));
      const rows = plain.map((value, id) => JSON.stringify({ id: 100 + id, v: value }));
      const outcomes = await importRows(session, table, 'create', rows);
      expect(outcomes, type).toEqual(rows.map(() => ({ outcome: 'written' })));
      const filter = {
        match: 'all' as const,
        conditions: [{ column: 'id', operator: 'greaterOrEqual' as const, values: ['100'] }],
      };
      const cells = values.map(([, cell]) => cell);
      // A JSON text in a string that isn't a list or an object is a JSON string.
      if (!type.startsWith('json'))
        expect(
          (await read(session, table, { filter })).map((row) => row.get('v')),
          type,
        ).toEqual(cells);
    }
  });

  it('are all that a column names besides its numbers, and no other is stored', async () => {
    const named: Record<string, readonly string[]> = {};
    const every = ['NaN', 'Infinity', '-Infinity'];
    for (const [index, [type]] of TYPES.entries()) {
      const table = ref(`t${index}`, 'kinds');
      const column = (await session.describeTable(table, { signal })).columns.find(({ name }) => name === 'v');
      if (column?.kind !== 'decimal' && column?.kind !== 'integer') continue;
      named[type] = column.specialValues ?? [];
      await administer(server(), `TRUNCATE kinds.${table.name}`);
      const outcomes: unknown[] = [];
      for (const [id, value] of every.entries()) {
        const values = [
          { column: 'id', value: id },
          { column: 'v', value: ['text', value] as const },
        ];
        outcomes.push(...(await apply(session, table, [{ kind: 'insert', values }])));
      }
      const stored = every.filter((value) => named[type]?.includes(value));
      const cells = (await read(session, table)).map((row) => row.get('v'));
      expect(cells, `${type}: ${JSON.stringify(outcomes)}`).toEqual(stored.map((value) => ['text', value]));
    }
    expect(named).toMatchObject({ numeric: every, 'numeric(12,2)': ['NaN'], float8: every, float4: every, bigint: [] });
  });

  it('are refused where the column would round them', async () => {
    const numeric = TYPES.findIndex(([type]) => type === 'numeric(12,2)');
    const single = TYPES.findIndex(([type]) => type === 'float4');
    for (const [table, value] of [
      [numeric, '0.125'],
      [single, '0.123456789'],
      [single, '1e39'],
    ] as const) {
      const prepared = await session.edits?.prepare(
        ref(`t${table}`, 'kinds'),
        [{ kind: 'update', key: [0], assignments: [{ column: 'v', value }] }],
        { signal },
      );
      expect(prepared, value).toMatchObject([{ ready: false, column: 'v' }]);
    }
  });

  it('of an enum are ordered and filtered by the order of its labels', async () => {
    const table = ref(`t${TYPES.findIndex(([type]) => type === 'kinds.mood')}`, 'kinds');
    await administer(
      server(),
      `TRUNCATE kinds.${table.name}; INSERT INTO kinds.${table.name} VALUES (1, 'Happy "x"'), (2, 'sad'), (3, NULL)`,
    );
    const rows = await read(session, table, { sorts: [{ column: 'v', direction: 'ascending' }] });
    expect(rows.map((row) => row.get('id'))).toEqual([2, 1, 3]);
    const above = await read(session, table, {
      filter: { match: 'all', conditions: [{ column: 'v', operator: 'greaterThan', values: ['sad'] }] },
    });
    expect(above.map((row) => row.get('id'))).toEqual([1]);
    const suggested = await session.suggestions?.values({ table, column: 'v', typed: 'hap', limit: 10 }, { signal });
    expect(suggested).toEqual({ values: [{ value: 'Happy "x"' }], from: 'all' });
  });

  it('refuses a value that its column would round or cut without an error, and takes those that it keeps', async () => {
    await administer(
      server(),
      `CREATE DOMAIN money_like AS numeric(10, 2); CREATE DOMAIN price AS money_like; CREATE DOMAIN moment AS timestamp(0);
      CREATE TABLE cutting (id int PRIMARY KEY, price price, moment moment, at timestamptz(3), o time(0), took interval(0), free timestamp,
        one "char", named name, prices numeric(10, 2)[], moments timestamp(0)[], day date, clock time, thousands numeric(5, -2), tiny numeric(2, 4)); INSERT INTO cutting VALUES (1)`,
    );
    const cases: Readonly<Record<string, { readonly stored: readonly string[]; readonly refused: readonly string[] }>> = {
      price: { stored: ['1.00', '1.5', '-3'], refused: ['1.005', '1e-3'] },
      moment: { stored: ['2026-01-31 10:00:00', '2026-01-31 10:00:00.00'], refused: ['2026-01-31 10:00:00.5'] },
      at: { stored: ['2026-01-31 10:00:00.125+00'], refused: ['2026-01-31 10:00:00.1255+00'] },
      o: { stored: ['10:00:00'], refused: ['10:00:00.4'] },
      took: { stored: ['3 days 04:05:06'], refused: ['00:00:00.4'] },
      free: {
        stored: [
          ...['2026-01-31 10:00:00.123456', '2026-01-31T10:00:00', '2026-01-31', 'infinity', 'epoch', '2026-01-31 10:00 PM'],
          ...['Sat 31 January 2026 10:00', '10:00 Jan 31 2026', '0044-03-15 10:00:00 BC'],
        ],
        refused: [
          ...['2026-01-31 10:00:00.1234567', '2026-01-31T10:00:00+02:00', '2026-01-31 10:00-05', '2026-01-31T10:00:00.5Z'],
          ...['2026-01-31 10:00:00 UTC', '2026-01-31 10:00:00 Europe/Berlin'],
        ],
      },
      clock: { stored: ['10:00', '10:00:00 AM'], refused: ['10:00+02', '10:00Z'] },
      one: { stored: ['a', String.raw`\303`], refused: ['abc', 'ü'] },
      named: { stored: ['x'.repeat(63)], refused: ['x'.repeat(64), 'ü'.repeat(32)] },
      prices: { stored: ['{1.50,NULL,2.25}', '[2:3]={1,2.5}'], refused: ['{1.50,2.255}', '{{1},{1e-3}}'] },
      moments: {
        stored: ['{"2026-01-31 10:00:00",NULL,"2026-01-31T10:00"}'],
        refused: ['{"2026-01-31 10:00:00.5"}', '{"2026-01-31 10:00+00"}'],
      },
      day: {
        stored: ['2026-01-31', '2026-01-31 00:00:00', '2026-01-31T00:00:00'],
        refused: ['2026-01-31 10:00:00', '2026-01-31T00:00:00Z', '2026-01-31Z', '2026-01-31+02'],
      },
      thousands: { stored: ['1200', '0', '1.2e3', '-99900'], refused: ['1250', '1200.5', '1'] },
      tiny: { stored: ['0.0012'], refused: ['0.00123'] },
    };
    for (const [column, { stored, refused }] of Object.entries(cases)) {
      for (const value of [...stored, ...refused]) {
        const assignments = [{ column, value }];
        expect([column, value, await apply(session, 'cutting', [{ kind: 'update', key: [1], assignments }])]).toMatchObject([
          column,
          value,
          refused.includes(value) ? [{ outcome: 'failed', code: 'INVALID_INPUT', column }] : [{ outcome: 'saved' }],
        ]);
      }
    }
    await administer(server(), `UPDATE cutting SET one = 'a', named = repeat('x', 63)`);
    const found = async (column: string, value: string) =>
      await read(session, 'cutting', { filter: { match: 'all', conditions: [{ column, operator: 'equals', values: [value] }] } });
    expect([await found('one', 'abc'), await found('named', 'x'.repeat(64))]).toEqual([[], []]);
    expect([(await found('one', 'a')).length, (await found('named', 'x'.repeat(63))).length]).toEqual([1, 1]);
  });

  it('compares with what was read as it is written, and takes it as it was read', async () => {
    await administer(
      server(),
      `CREATE TYPE pair AS (a int, b int); CREATE TABLE compared (id int PRIMARY KEY, took interval, j jsonb, n numeric, f float8, x xml, ns numeric[], p pair, c char(5), v text)`,
    );
    const cases: readonly (readonly [column: string, read: string, now: string])[] = [
      ['took', "'30 days'", "'1 mon'"],
      ['j', `'{"a": 1}'`, `'{"a": 1.0}'`],
      ['n', '1.0', '1.00'],
      ['f', "'0'", "'-0'"],
      ['x', `'<?xml version="1.0" encoding="UTF-8"?><a/>'`, `'<a></a>'`],
      ['ns', "'{1.0}'", "'{1.00}'"],
      ['p', "'(,)'", 'NULL'],
      ['p', 'NULL', "'(,)'"],
      ['v', 'NULL', "''"],
      ['v', "''", 'NULL'],
      ['c', "'ab'", "'ac'"],
    ];
    for (const [column, before, now] of cases) {
      await administer(server(), `TRUNCATE compared; INSERT INTO compared (id, ${column}) VALUES (1, ${before})`);
      const [row] = await read(session, 'compared');
      const expected = [{ column, value: row?.get(column) ?? null }];
      const change = () =>
        apply(session, 'compared', [
          { kind: 'update', key: [1], assignments: [{ column, value: row?.get(column) ?? null }], expected },
        ]);
      expect([column, before, await change()]).toMatchObject([column, before, [{ outcome: 'saved' }]]);
      await administer(server(), `UPDATE compared SET ${column} = ${now}`);
      expect([column, now, await change()]).toMatchObject([column, now, [{ outcome: 'failed', code: 'CONFLICT' }]]);
    }
  });
});
