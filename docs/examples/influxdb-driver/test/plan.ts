import { createTestHttp } from '@tabularium/sdk/testing';
import type { ConformancePlan, KnownRow, OpenedTarget } from '@tabularium/sdk/testing';
import packageJson from '../package.json' with { type: 'json' };
import { driver } from '../src/index.ts';
import { ADMINISTRATOR, authorization, startInfluxd } from './influxd.ts';
import type { Influxd } from './influxd.ts';

/** A database and a measurement whose names hold whatever ends a name, a string, a pattern or a statement somewhere. */
export const HOSTILE_DATABASE = `ü "x" 'y' 雪; DROP DATABASE weather --`;
export const HOSTILE_MEASUREMENT = `o"r\\d'e/*r*/s; DROP MEASUREMENT "readings"; --`;
const LARGE_ROWS = 10_000;

/** Points of “weather”.”readings”, in line protocol. */
const readings = [
  `readings,station=a,wind=n\\ w temp=1.5,count=9007199254740993i,note="he said \\"x\\" \\\\ y's",ok=true 1500000000000000001`,
  `readings,station=b temp=-2 1500000000000000001`,
  `readings count=9007199254740992i,note="" 1500000000000000002`,
  `readings,station=b note="Ünï%_*",temp=0.1 1500000000000000002`,
  `readings,station=a note="line\nbreak",temp=1e300 1500000000000000003`,
  `readings,station=ü雪 count=-9223372036854775808i,note="a/b; DROP DATABASE weather" -1`,
  `readings,station=c ok=false,count=9223372036854775807i,note="'; DROP DATABASE weather --" 2`,
];

/** The same as rows. */
const readingRows: KnownRow[] = [
  {
    time: '2017-07-14T02:40:00.000000001Z',
    station: 'a',
    wind: 'n w',
    temp: 1.5,
    count: '9007199254740993',
    note: `he said "x" \\ y's`,
    ok: true,
  },
  { time: '2017-07-14T02:40:00.000000001Z', station: 'b', wind: null, temp: -2, count: null, note: null, ok: null },
  { time: '2017-07-14T02:40:00.000000002Z', station: null, wind: null, temp: null, count: 9007199254740992, note: '', ok: null },
  { time: '2017-07-14T02:40:00.000000002Z', station: 'b', wind: null, temp: 0.1, count: null, note: 'Ünï%_*', ok: null },
  { time: '2017-07-14T02:40:00.000000003Z', station: 'a', wind: null, temp: 1e300, count: null, note: 'line\nbreak', ok: null },
  {
    time: '1969-12-31T23:59:59.999999999Z',
    station: 'ü雪',
    wind: null,
    temp: null,
    count: '-9223372036854775808',
    note: 'a/b; DROP DATABASE weather',
    ok: null,
  },
  {
    time: '1970-01-01T00:00:00.000000002Z',
    station: 'c',
    wind: null,
    temp: null,
    count: '9223372036854775807',
    note: `'; DROP DATABASE weather --`,
    ok: false,
  },
];

/** A tag and a field of one name, and a column whose name is an attack. */
const ATTACK = `x" = 1 OR "y'; --`;
const hostileRows: KnownRow[] = [
  { time: '1970-01-01T00:00:00.000000007Z', 'x::tag': 't1', 'x::field': 3, [ATTACK]: 'one' },
  { time: '1970-01-01T00:00:00.000000008Z', 'x::tag': null, 'x::field': 1, [ATTACK]: null },
  { time: '1970-01-01T00:00:00.000000009Z', 'x::tag': 't2', 'x::field': null, [ATTACK]: 'it’s "two"' },
];

const lineName = (name: string): string => name.replaceAll(/[, =]/g, '\\$&');
const quoted = (name: string): string => `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Creates the databases of the plan. */
export async function fill(server: Influxd): Promise<void> {
  await server.query('CREATE DATABASE weather');
  await server.write('weather', readings);
  await server.query(`CREATE DATABASE ${quoted(HOSTILE_DATABASE)}`);
  const measurement = HOSTILE_MEASUREMENT.replaceAll(/[, ]/g, '\\$&');
  await server.write(HOSTILE_DATABASE, [
    `${measurement},x=t1 x=3i,${lineName(ATTACK)}="one" 7`,
    `${measurement} x=1i 8`,
    `${measurement},x=t2 ${lineName(ATTACK)}="it’s \\"two\\"" 9`,
  ]);
  await server.query('CREATE DATABASE large');
  const text = 'x'.repeat(1_000);
  await server.write(
    'large',
    Array.from({ length: LARGE_ROWS }, (_value, index) => `log text="${text}",number=${index}i ${index}`),
  );
}

const facts: Omit<ConformancePlan, 'open'> = {
  driver,
  manifest: packageJson.tabularium,
  tables: [
    {
      ref: { namespace: ['weather'], name: 'readings' },
      rows: readingRows,
      filters: [
        {
          name: 'an integer beyond 2^53',
          filter: { match: 'all', conditions: [{ column: 'count', operator: 'greaterThan', values: ['9007199254740992'] }] },
          passes: ({ count }) => count === '9007199254740993' || count === '9223372036854775807',
        },
        {
          name: 'times to the nanosecond',
          filter: {
            match: 'all',
            conditions: [
              {
                column: 'time',
                operator: 'between',
                values: ['2017-07-14T02:40:00.000000002Z', '2017-07-14T02:40:00.000000002Z'],
              },
              { column: 'time', operator: 'greaterThan', values: ['2017-07-14 02:40:00.000000001'] },
            ],
          },
          passes: ({ time }) => time === '2017-07-14T02:40:00.000000002Z',
        },
        {
          name: 'points that lack a tag',
          filter: {
            match: 'any',
            conditions: [
              { column: 'station', operator: 'isNull', values: [] },
              { column: 'temp', operator: 'equals', values: ['1e300'] },
            ],
          },
          passes: ({ station, temp }) => station === null || temp === 1e300,
        },
        {
          name: 'a pattern with slashes and quotes',
          filter: {
            match: 'all',
            conditions: [{ column: 'note', operator: 'matchesRegex', values: [String.raw`^a\/b|/|['"]; DROP`] }],
          },
          passes: ({ note }) => typeof note === 'string' && /^a\/b|\/|['"]; DROP/.test(note),
        },
      ],
    },
    { ref: { namespace: [HOSTILE_DATABASE], name: HOSTILE_MEASUREMENT }, rows: hostileRows },
  ],
  console: {
    script: {
      text: `-- a comment; with a semicolon\nSELECT * FROM weather..readings WHERE note =~ /a;b\\/'/; ;\n/* ; */ SHOW DATABASES;\nSELECT ';' -- end\n`,
      statements: 3,
    },
    classified: [
      { statement: 'SELECT * FROM weather..readings', effect: 'read' },
      { statement: `SELECT "into" FROM weather..readings WHERE note = 'a INTO b; DROP'`, effect: 'read' },
      { statement: 'SELECT * FROM weather../read.*/', effect: 'read' },
      { statement: 'SELECT * INTO copy FROM weather..readings', effect: 'destructive' },
      { statement: 'EXPLAIN ANALYZE SELECT * INTO copy FROM weather..readings', effect: 'destructive' },
      { statement: 'CREATE DATABASE one', effect: 'write' },
      { statement: `CREATE USER one WITH PASSWORD 'p'`, effect: 'destructive' },
      { statement: 'DROP MEASUREMENT readings', effect: 'destructive' },
      { statement: 'DELETE FROM readings', effect: 'destructive' },
      { statement: 'GRANT ALL TO one', effect: 'destructive' },
      // Where a pattern could hide a second statement.
      { statement: String.raw`SELECT * FROM weather..readings WHERE note =~ /\Q\\/ 'x/ OR note = 'DROP'`, effect: 'read' },
      { statement: String.raw`SELECT * FROM weather..readings WHERE note =~ /a;b/`, effect: 'write' },
      { statement: 'SELECT /* ; DROP DATABASE weather */ * FROM weather..readings', effect: 'write' },
    ],
    reads: [
      { statement: 'SELECT * FROM weather..readings', rows: [readingRows.length] },
      { statement: 'SELECT count(temp) FROM weather..readings GROUP BY station', rows: [2] },
      { statement: 'SHOW DATABASES', rows: [3] },
    ],
    refused: [
      'WRITE something',
      `SELECT 'open`,
      'SELECT 1; DROP DATABASE weather',
      'SELECT * FROM "weather',
      '; DROP DATABASE weather; SHOW DATABASES',
    ],
  },
  large: {
    table: { namespace: ['large'], name: 'log' },
    rows: LARGE_ROWS,
    statement: 'SELECT * FROM large..log',
  },
  textComparison: 'exact',
  secrets: [ADMINISTRATOR.password, authorization(ADMINISTRATOR)],
};

function openAt(server: Influxd): OpenedTarget {
  const http = createTestHttp(server.origin, { credentials: { Authorization: authorization(ADMINISTRATOR) } });
  return { settings: { signIn: 'password', user: ADMINISTRATOR.user }, context: { http }, close: () => http.close() };
}

/** The plan of the conformance kit for a server that {@link fill} has filled. All checks share it: the driver only reads. */
export function planFor(server: Influxd): ConformancePlan {
  return { ...facts, open: () => openAt(server) };
}

/** The plan that `tabularium-driver check` looks for: it opens one session, at a server of its own. */
export const plan: ConformancePlan = {
  ...facts,
  open: async () => {
    const server = await startInfluxd();
    try {
      await fill(server);
    } catch (error) {
      await server.stop();
      throw error;
    }
    const opened = openAt(server);
    return {
      ...opened,
      close: async () => {
        await opened.close?.();
        await server.stop();
      },
    };
  },
};
