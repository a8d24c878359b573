import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RowChange, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { serverVersion } from '../serverVersion.test-helper.ts';
import { administer, consoleOf, open, ref, signal } from '../session.test-helper.ts';

/** Types that are made of another one: the statement that makes each, and how it is named then. */
const KINDS = {
  'a composite': (inner: string, name: string) => [`CREATE TYPE ${name} AS (n int, q ${inner})`, name],
  'an array': (inner: string) => ['', `${inner}[]`],
  'a domain': (inner: string, name: string) => [`CREATE DOMAIN ${name} AS ${inner}`, name],
  'a range': (inner: string, name: string) => [`CREATE TYPE ${name} AS RANGE (SUBTYPE = ${inner})`, name],
  'a multirange': (inner: string, name: string) => [
    `CREATE TYPE ${name} AS RANGE (SUBTYPE = ${inner})`,
    serverVersion >= 14 ? `${name}_multirange` : name,
  ],
  'the rows of a table': (inner: string, name: string) => [`CREATE TABLE ${name} (n int, q ${inner})`, name],
} satisfies Record<string, (inner: string, name: string) => readonly string[]>;
type Kind = keyof typeof KINDS;

/** The types around the inner one, from the inside to the outside. */
const CHAINS: readonly (readonly Kind[])[] = [
  ...(Object.keys(KINDS) as Kind[]).flatMap((kind): Kind[][] => [
    // An array names its element.
    ...(kind === 'an array' ? [] : [[kind]]),
    [kind, 'a composite'],
    ...(kind === 'a composite' ? [] : [['a composite', kind] as Kind[]]),
  ]),
  ['an array', 'the rows of a table', 'a domain'],
  ['the rows of a table', 'a composite', 'an array'],
  ['a domain', 'an array', 'a composite', 'a range', 'the rows of a table'],
];

/** The inner types: an attribute of either may become another one while a statement waits. */
const INNER = {
  'a composite type': (name: string) => `CREATE TYPE ${name} AS (x int)`,
  'the rows of a table': (name: string) => `CREATE TABLE ${name} (x int)`,
} as const;

/** A read of the driver's own that compares with values of a range which it has read. */
const ORDERED = 'the grid of what is stored';

const OWNERS = ['mallory', 'tester', 'warden'] as const;

interface Case {
  readonly owner: (typeof OWNERS)[number];
  readonly inner: keyof typeof INNER;
  readonly around: string;
  /** The doors that say no reason, where every range is uncertain by the cast to its multirange. Below a domain, the driver names the rows of a table, which are locked then. */
  readonly leftOut: readonly string[];
  readonly name: string;
  readonly type: string;
  readonly sql: string;
}

const CASES: readonly Case[] = OWNERS.flatMap((owner) =>
  (Object.keys(INNER) as (keyof typeof INNER)[]).flatMap((inner, kind) =>
    CHAINS.map((chain, number): Case => {
      const name = `app.${owner}_${kind}_${number}`;
      const made: string[] = [];
      let type = `app.${owner}_inner_${kind}`;
      for (const [depth, around] of chain.entries()) {
        const [sql = '', outer = ''] = KINDS[around](type, `${name}_at_${depth}`);
        made.push(sql);
        type = outer;
      }
      made.push(
        `CREATE TABLE ${name} (id int PRIMARY KEY, v ${type})`,
        `CREATE VIEW ${name}_view AS SELECT id, txt::${type} AS v FROM app.texts`,
        `CREATE TABLE ${name}_checked (id int, txt text, CHECK (id > 0 OR (txt::${type}) IS NULL))`,
      );
      const isRange = chain.some((around) => around === 'a range' || around === 'a multirange');
      const isLocked = kind === 1 && chain.every((around) => around === 'a domain');
      const leftOut = [
        ...(isRange || isLocked ? ['an edit', 'an import'] : []),
        ...(isRange ? ['an edit of another column', ORDERED] : []),
      ];
      return { owner, inner, around: chain.join(' in '), leftOut, name, type, sql: made.join('; ') };
    }),
  ),
);

const OBJECTS = `
CREATE ROLE mallory NOLOGIN; CREATE ROLE warden LOGIN PASSWORD 'warden'; CREATE SCHEMA app; GRANT USAGE ON SCHEMA app TO PUBLIC;
CREATE TABLE app.texts (id int, txt text, j json);
${OWNERS.flatMap((owner) =>
  Object.values(INNER).map((inner, kind) => {
    const name = `app.${owner}_inner_${kind}`;
    return `${inner(name)}; ALTER ${kind === 0 ? 'TYPE' : 'TABLE'} ${name} OWNER TO ${owner};`;
  }),
).join('\n')}
${CASES.map(({ sql }) => sql).join(';\n')};
GRANT ALL ON ALL TABLES IN SCHEMA app TO PUBLIC`;

const WRITTEN: RowChange = {
  kind: 'insert',
  values: [
    { column: 'id', value: '1' },
    { column: 'v', value: '("(1)")' },
  ],
};
const BESIDE: RowChange = { kind: 'insert', values: [{ column: 'id', value: '1' }] };

const READS = ['a read', 'a plan', 'a filled record', 'a filled row', 'a view', 'the grid of a view'];
const WRITES = ['a write', 'a write to a checked table', 'an edit', 'an import'];

/** The doors at which it is uncertain what is done with values of a type, for that reason. */
async function uncertainAt(session: Session, { name, type, inner, owner, leftOut }: Case): Promise<readonly string[]> {
  const table = ref(name.slice('app.'.length), 'app');
  const reason = `the type ${owner}_inner_${Object.keys(INNER).indexOf(inner)}`;
  const classify = async (statement: string) => {
    const { unknown, summary } = await consoleOf(session).classify(statement, { signal });
    return unknown === true && summary.includes(reason);
  };
  const described = async (own: string) =>
    (await session.describeTable(ref(own, 'app'), { signal })).uncertainRead?.includes(reason) === true;
  const prepared = async (change: RowChange) => {
    const [one] = (await session.edits?.prepare(table, [change], { signal })) ?? [];
    expect(one).toMatchObject({ ready: true });
    return one?.ready === true && one.effect === 'destructive';
  };
  const doors: Readonly<Record<string, () => Promise<boolean>>> = {
    'a read': () => classify(`SELECT txt::${type} FROM app.texts`),
    'a plan': () => classify(`EXPLAIN ANALYZE SELECT CAST(txt AS ${type}) FROM app.texts`),
    'a filled record': () => classify(`SELECT * FROM app.texts t CROSS JOIN LATERAL json_to_record(t.j) AS r (v ${type})`),
    'a filled row': () => classify(`SELECT json_populate_record(o, t.j) FROM ${name} o, app.texts t`),
    'a view': () => classify(`SELECT * FROM ${name}_view`),
    'the grid of a view': () => described(`${table.name}_view`),
    'a write': () => classify(`INSERT INTO ${name} SELECT id, txt::${type} FROM app.texts`),
    'a write to a checked table': () => classify(`INSERT INTO ${name}_checked SELECT id, txt FROM app.texts`),
    'an edit': () => prepared(WRITTEN),
    'an import': async () =>
      (await session.import?.form(table, { signal }))?.modes.some(({ effect }) => effect !== 'write') === true,
    // Nothing makes a value there.
    'a read of what is stored': () => classify(`SELECT id, o.v FROM ${name} AS o WHERE o.v IS NOT NULL`),
    [ORDERED]: () => described(table.name),
    'a write of another column': () => classify(`UPDATE ${name} SET id = 2 WHERE id = 1`),
    'an edit of another column': () => prepared(BESIDE),
  };
  const found: string[] = [];
  for (const [door, isUncertain] of Object.entries(doors)) if (!leftOut.includes(door) && (await isUncertain())) found.push(door);
  return found;
}

describeWithServer('a composite type within other types', (server) => {
  let session: Session;
  let warden: Session;
  beforeAll(async () => {
    await administer(server(), OBJECTS);
    session = await open(server());
    warden = await open(server(), { user: 'warden', password: 'warden' });
  });
  afterAll(() => Promise.all([session.close(), warden.close()]));

  const of = (owner: string) => CASES.filter((one) => one.owner === owner);

  it.each(of('mallory'))('of another role is uncertain at each door: $inner in $around', async (one) => {
    expect(await uncertainAt(session, one)).toEqual([...READS, ...WRITES].filter((door) => !one.leftOut.includes(door)));
  });

  it.each(of('tester').filter((_, index) => index % 2 === 0))('of a superuser is certain: $inner in $around', async (one) => {
    expect(await uncertainAt(session, one)).toEqual([]);
  });

  it('is uncertain where the driver compares with values that it has read', async () => {
    await administer(
      server(),
      `CREATE TYPE app.key AS (q app.mallory_inner_0); CREATE TABLE app.keyed (v app.key PRIMARY KEY); CREATE TABLE app.beside (id int PRIMARY KEY, v app.key);
       CREATE TYPE app.span AS RANGE (SUBTYPE = app.key); CREATE TABLE app.ordered (v app.span); CREATE TYPE app.own_key AS (q app.tester_inner_0); CREATE TABLE app.own_keyed (v app.own_key PRIMARY KEY)`,
    );
    const found: Record<string, string | undefined> = {};
    for (const name of ['keyed', 'beside', 'ordered', 'own_keyed'])
      found[name] = (await session.describeTable(ref(name, 'app'), { signal })).uncertainRead;
    expect(found).toEqual({
      keyed: 'the type mallory_inner_0',
      beside: undefined,
      ordered: expect.stringContaining('the type mallory_inner_0') as string,
      own_keyed: undefined,
    });
  });

  it('counts by the rows of a table only where these are a type', async () => {
    await administer(
      server(),
      'CREATE TABLE app.rowed (id int, v app.mallory_inner_0); CREATE TABLE app.other (id int, j json, txt text); CREATE TABLE app.shown (r app.rowed)',
    );
    const isUncertain = async (statement: string) => (await consoleOf(session).classify(statement, { signal })).unknown === true;
    const [used, read] = [
      [
        'SELECT txt::app.rowed FROM app.other',
        'SELECT CAST(txt AS app.rowed) FROM app.other',
        'SELECT CAST(txt AS app . "rowed") FROM app.other',
        'SELECT txt::app.rowed[] FROM app.other',
        'SELECT txt::app._rowed FROM app.other',
        'SELECT json_populate_record(NULL::app.rowed, j) FROM app.other',
        'SELECT json_populate_record(r, j) FROM app.rowed r, app.other',
        'SELECT json_populate_record(r.v, j) FROM app.rowed r, app.other',
        'SELECT json_populate_record(r, j) FROM app.rowed r (a, b), app.other',
        'SELECT * FROM app.other, json_to_recordset(j) AS (id int, v app.rowed)',
        `SELECT * FROM app.other, XMLTABLE('a' PASSING NULL::xml COLUMNS r app.rowed)`,
        `SELECT app.rowed '(1,(1))'`,
        `DO $$ DECLARE r app.rowed; BEGIN SELECT txt INTO r.v FROM app.other; END $$`,
        'INSERT INTO app.shown SELECT txt::app.rowed FROM app.other',
        'CREATE TABLE app.made AS SELECT txt::app.rowed FROM app.other',
        "COPY app.rowed FROM '/nowhere'",
      ],
      [
        'SELECT * FROM app.rowed',
        'TABLE app.rowed',
        'SELECT r.id, o.id::text FROM app.other o, app.rowed r WHERE (r.v).x = 1',
        'SELECT rowed.v FROM ONLY app.rowed JOIN app.other USING (id) ORDER BY rowed.id',
        'SELECT rowed FROM app.rowed WHERE rowed.id = 1',
        'SELECT * FROM app.shown',
        'INSERT INTO app.rowed SELECT id, v FROM app.rowed',
        'UPDATE app.rowed SET id = 2 WHERE id = 1',
        'DELETE FROM app.rowed',
        'TRUNCATE app.rowed',
      ],
    ];
    const wrong: string[] = [];
    for (const statement of used) if (!(await isUncertain(statement))) wrong.push(statement);
    for (const statement of read) if (await isUncertain(statement)) wrong.push(statement);
    expect(wrong).toEqual([]);
  });

  describe('for a role with fewer rights than a superuser', () => {
    it.each(of('mallory').filter((_, index) => index % 6 === 0))(
      'is uncertain where it may write: $inner in $around',
      async (one) => {
        expect(await uncertainAt(warden, one)).toEqual(WRITES.filter((door) => !one.leftOut.includes(door)));
      },
    );

    it.each(of('warden').filter((_, index) => index % 6 === 0))(
      'is certain where it is its own: $inner in $around',
      async (one) => {
        expect(await uncertainAt(warden, one)).toEqual([]);
      },
    );
  });
});
