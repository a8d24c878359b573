import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RowOutcome, Session } from '@tabularium/sdk';
import { PgClient } from '../wire/pgClient.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, importRows, open, ref } from '../session.test-helper.ts';

/** Values that a type takes and others that it doesn't, and characters that mean something in the text format of COPY. */
const TEXTS = [
  '',
  ' ',
  'a',
  'a\tb',
  'a\nb',
  'a\r\nb',
  String.raw`\N`,
  String.raw`\.`,
  '\\',
  String.raw`a\tb`,
  '"',
  "'",
  ',',
  'null',
  'ä😀',
  '\ud800',
  'a  ',
];
const COLUMNS: Readonly<Record<string, { readonly type: string; readonly values: readonly unknown[] }>> = {
  t: { type: 'text', values: [...TEXTS, true, 12, 1.5, null] },
  v: { type: 'varchar(3)', values: [...TEXTS, 'abcd'] },
  c: { type: 'char(3)', values: [...TEXTS, 'abcd', 'abc  '] },
  n: { type: 'int', values: [0, -7, 2_147_483_648, '12', ' 12 ', '', 'x', 1.5, null] },
  d: { type: 'numeric', values: [0, 1.5, '1.50', '1e400', 'NaN', '0.10000000000000000000001', 'x'] },
  s: { type: 'numeric(5,2)', values: [1.25, '1.250', 1.255, 12_345] },
  b: { type: 'boolean', values: [true, false, 'true', 'f', 'maybe', 1, null] },
  at: { type: 'timestamptz', values: ['2026-05-01T10:00:00+02:00', '2026-05-01', 'infinity', 'soon'] },
  day: { type: 'date', values: ['2026-05-01', '2026-02-30', 'x'] },
  span: { type: 'interval', values: ['1 day', 'P1D', 'x'] },
  u: { type: 'uuid', values: ['00000000-0000-4000-8000-000000000001', 'x'] },
  e: { type: 'mood', values: ['happy', 'sad', 'angry'] },
  pos: { type: 'positive', values: [1, -1, null] },
  y: { type: 'bytea', values: ['AAEC', '!'] },
  j: { type: 'jsonb', values: [{ a: 1 }, '[1]', null, 'x'] },
  list: { type: 'int[]', values: [[1, 2], ['x'], '{1,2}', null] },
};
const DEFINITION = `id int PRIMARY KEY, ${Object.entries(COLUMNS)
  .map(([name, { type }]) => `${name} ${type}`)
  .join(', ')}, made int DEFAULT 7`;

describeWithServer('rows of an import that are copied', (server) => {
  let session: Session;
  let client: PgClient;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE TYPE mood AS ENUM ('happy', 'sad'); CREATE DOMAIN positive AS int CHECK (VALUE > 0);
      CREATE TABLE together (${DEFINITION}); CREATE TABLE apart (${DEFINITION});
      CREATE TABLE plain (id int PRIMARY KEY, v text);
      CREATE TABLE ruled (id int PRIMARY KEY, v text); CREATE TABLE ruled_into (id int, v text);
      CREATE RULE beside AS ON INSERT TO ruled DO ALSO INSERT INTO ruled_into VALUES (NEW.id, NEW.v);
      CREATE TABLE watched_copies (id int, v text, place serial); CREATE TABLE copies_seen (statement text);
      CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.copies_seen VALUES (current_query()); RETURN NULL; END $$;
      CREATE TRIGGER see AFTER INSERT ON watched_copies FOR EACH STATEMENT EXECUTE FUNCTION see();
      CREATE TABLE owned (id int PRIMARY KEY, v text); ALTER TABLE owned ENABLE ROW LEVEL SECURITY;
      CREATE ROLE copier LOGIN PASSWORD 'copier'; GRANT ALL ON owned TO copier; CREATE POLICY owned ON owned TO copier USING (true) WITH CHECK (v <> 'foreign');
      CREATE TABLE parts (id int PRIMARY KEY, v text) PARTITION BY RANGE (id); CREATE TABLE parts_low PARTITION OF parts FOR VALUES FROM (0) TO (30);
      CREATE TABLE skipped (id int PRIMARY KEY, v text);
      CREATE FUNCTION skip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF NEW.id % 10 = 3 THEN RETURN NULL; END IF; RETURN NEW; END $$;
      CREATE TRIGGER skip BEFORE INSERT ON skipped FOR EACH ROW EXECUTE FUNCTION skip();`,
    );
    session = await open(server());
    client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await session.close();
  });

  const write = async (from: Session, table: string, rows: readonly object[]): Promise<RowOutcome[]> => {
    const texts = rows.map((row) => JSON.stringify(row));
    return importRows(from, ref(table), 'create', texts);
  };
  const stored = async (table: string): Promise<readonly unknown[]> =>
    (await client.query<{ row: string }>(`SELECT t::text AS row FROM ${table} t ORDER BY id`)).rows.map(({ row }) => row);
  const numbered = (count: number, v: (id: number) => string): object[] =>
    Array.from({ length: count }, (_, id) => ({ id, v: v(id) }));

  it('are the rows that INSERT makes of them, with the same outcomes', async () => {
    const taken = new Map<string, readonly unknown[]>();
    for (const [name, { values }] of Object.entries(COLUMNS)) {
      await client.query('TRUNCATE apart');
      const outcomes: RowOutcome[] = [];
      for (const [id, value] of values.entries()) outcomes.push(...(await write(session, 'apart', [{ id, [name]: value }])));
      taken.set(
        name,
        values.filter((_, index) => outcomes[index]?.outcome === 'written'),
      );
    }
    // Where one row is wrong none is copied: half of the lists have none.
    const rows = fc
      .tuple(fc.uniqueArray(fc.constantFrom(...Object.keys(COLUMNS)), { minLength: 1, maxLength: 3 }), fc.boolean())
      .chain(([chosen, isRight]) => {
        const cells = chosen.map((name) => fc.constantFrom(...((isRight ? taken.get(name) : COLUMNS[name]?.values) ?? [])));
        return fc
          .array(fc.tuple(...cells), { minLength: 25, maxLength: 40 })
          .map((list) =>
            list.map((values, id) => ({ id, ...Object.fromEntries(chosen.map((name, index) => [name, values[index]])) })),
          );
      });
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        await client.query('TRUNCATE together, apart');
        const together = await write(session, 'together', list);
        const apart: RowOutcome[] = [];
        // Fewer than are copied.
        for (let from = 0; from < list.length; from += 10)
          apart.push(...(await write(session, 'apart', list.slice(from, from + 10))));
        expect(together).toEqual(apart);
        expect(await stored('together')).toEqual(await stored('apart'));
      }),
      { numRuns: 60 },
    );
  });

  it('come by COPY where nothing is wrong, and in its order', async () => {
    const outcomes = await write(
      session,
      'watched_copies',
      numbered(50, (id) => `row ${id}`),
    );
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['written']));
    const { rows } = await client.query<{ statement: string }>('SELECT statement FROM copies_seen');
    expect(rows).toEqual([{ statement: 'COPY "public"."watched_copies" ("id", "v") FROM STDIN' }]);
    const places = await client.query<{ id: number }>('SELECT id FROM watched_copies ORDER BY place');
    expect(places.rows.map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, id) => id));
  });

  it('are judged one by one where one of them is wrong, and the connection can be used again', async () => {
    await client.query('TRUNCATE plain');
    const list = [...numbered(40, (id) => `row ${id}`), { id: 7, v: 'again' }, { id: 41, v: 'last' }];
    const outcomes = await write(session, 'plain', list);
    expect(outcomes.filter(({ outcome }) => outcome === 'rejected')).toMatchObject([{ present: true }]);
    expect(outcomes[40]).toMatchObject({ outcome: 'rejected' });
    expect(await stored('plain')).toHaveLength(41);
    expect(await write(session, 'plain', [{ id: 50, v: 'more' }])).toEqual([{ outcome: 'written' }]);
  });

  it('of tables with rules or policies, which COPY passes over or refuses, are inserted', async () => {
    await write(
      session,
      'ruled',
      numbered(30, () => 'a'),
    );
    expect(await stored('ruled')).toHaveLength(30);
    expect(await stored('ruled_into')).toHaveLength(30);
    const copier = await open(server(), { user: 'copier', password: 'copier' });
    const outcomes = await write(
      copier,
      'owned',
      numbered(30, (id) => (id === 4 ? 'foreign' : 'mine')),
    );
    expect(outcomes.flatMap(({ outcome }, index) => (outcome === 'rejected' ? [index] : []))).toEqual([4]);
    await copier.close();
  });

  it('of partitions and of triggers that leave rows out have the outcomes of each', async () => {
    const rejected = (outcomes: readonly RowOutcome[]): readonly number[] =>
      outcomes.flatMap(({ outcome }, index) => (outcome === 'rejected' ? [index] : []));
    expect(
      rejected(
        await write(
          session,
          'parts',
          numbered(32, () => 'a'),
        ),
      ),
    ).toEqual([30, 31]);
    expect(
      rejected(
        await write(
          session,
          'skipped',
          numbered(30, () => 'a'),
        ),
      ),
    ).toEqual([3, 13, 23]);
    expect(await stored('skipped')).toHaveLength(27);
  });
});
