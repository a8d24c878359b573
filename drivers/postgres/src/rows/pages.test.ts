import { afterAll, beforeAll, expect, it } from 'vitest';
import { decodeBatch, NO_FILTER } from '@tabularium/sdk';
import type { Session, Sort } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { serverVersion, since } from '../serverVersion.test-helper.ts';
import { administer, open, ref, signal } from '../session.test-helper.ts';

const ROWS = 300;
/** One page size that divides the rows, and one that doesn't, and that every group of equal rows is larger than. */
const SIZES = [100, 23];

/** Tables that inherit from one, and one of them from another. */
function children(parent: string): string {
  return `CREATE TABLE ${parent}_1 () INHERITS (${parent}); CREATE TABLE ${parent}_2 () INHERITS (${parent}); CREATE TABLE ${parent}_2_1 () INHERITS (${parent}_2);`;
}

/** Relations with the columns that they are sorted by, and the statement that makes each. */
const RELATIONS: Readonly<Record<string, readonly (readonly [name: string, sorts: readonly string[], sql: string])[]>> = {
  tester: [
    ['keyed', ['n'], `CREATE TABLE keyed (id int PRIMARY KEY, n int); INSERT INTO keyed SELECT i, nullif(i % 4, 0) FROM rows i`],
    ['keyless', ['n'], 'CREATE TABLE keyless (n int); INSERT INTO keyless SELECT nullif(i % 4, 0) FROM rows i'],
    ['stored', ['n'], 'CREATE MATERIALIZED VIEW stored AS SELECT nullif(i % 4, 0) AS n FROM rows i'],
    ['seen', ['status'], `CREATE VIEW seen AS SELECT CASE i % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'paid' END AS status FROM rows i`],
    [
      'written',
      ['n'],
      `CREATE VIEW written AS SELECT CASE i % 3 WHEN 0 THEN 1.0 WHEN 1 THEN 1.00 END AS n, (CASE i % 2 WHEN 0 THEN '0' ELSE '-0' END)::float8 AS f,
        (CASE i % 5 WHEN 0 THEN '{"a":1}' ELSE '{"a":1.0}' END)::jsonb AS j FROM rows i`,
    ],
    [
      'heirs',
      ['n'],
      `CREATE TABLE heirs (n int); ${children('heirs')}
      INSERT INTO heirs_1 SELECT i % 4 FROM rows i WHERE i <= 100; INSERT INTO heirs_2 SELECT i % 4 FROM rows i WHERE i > 200; INSERT INTO heirs_2_1 SELECT NULL FROM rows i WHERE i BETWEEN 101 AND 200`,
    ],
    [
      'keyed_heirs',
      ['n'],
      `CREATE TABLE keyed_heirs (id int PRIMARY KEY, n int NOT NULL${since(18, ' NO INHERIT')}); ${children('keyed_heirs')}
      ${serverVersion < 18 ? 'ALTER TABLE keyed_heirs_1 ALTER n DROP NOT NULL; ALTER TABLE keyed_heirs_2 ALTER n DROP NOT NULL; ALTER TABLE keyed_heirs_2_1 ALTER n DROP NOT NULL;' : ''}
      INSERT INTO keyed_heirs SELECT i, i % 4 FROM rows i WHERE i <= 90;
      INSERT INTO keyed_heirs_1 SELECT i, i % 4 FROM rows i WHERE i <= 90; INSERT INTO keyed_heirs_2 SELECT i, NULL FROM rows i WHERE i <= 90; INSERT INTO keyed_heirs_2_1 SELECT 7, 7 FROM rows i WHERE i <= 90`,
    ],
    [
      'series',
      ['n'],
      `CREATE TABLE series (at int PRIMARY KEY, n int); ${children('series')} ${['series_1', 'series_2', 'series_2_1'].map((heir) => `ALTER TABLE ${heir} ADD PRIMARY KEY (at);`).join('')}
      INSERT INTO series SELECT i, i % 4 FROM rows i WHERE i <= 90; INSERT INTO series_1 SELECT i, NULL FROM rows i WHERE i <= 120; INSERT INTO series_2_1 SELECT i, 7 FROM rows i`,
    ],
    [
      'compressed',
      ['n'],
      `CREATE SCHEMA IF NOT EXISTS _timescaledb_internal; CREATE TABLE compressed (at int, n int); CREATE TABLE _timescaledb_internal.chunk_1 () INHERITS (compressed);
      INSERT INTO compressed SELECT i, i % 4 FROM rows i WHERE i <= 90; INSERT INTO _timescaledb_internal.chunk_1 SELECT i, NULL FROM rows i`,
    ],
    [
      'parts',
      ['n'],
      `CREATE TABLE parts (n int) PARTITION BY HASH (n); CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
      CREATE TABLE parts_2 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1); INSERT INTO parts SELECT nullif(i % 4, 0) FROM rows i`,
    ],
    [
      'keyed_parts',
      ['n'],
      `CREATE TABLE keyed_parts (id int PRIMARY KEY, n int) PARTITION BY HASH (id); CREATE TABLE keyed_parts_1 PARTITION OF keyed_parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
      CREATE TABLE keyed_parts_2 PARTITION OF keyed_parts FOR VALUES WITH (MODULUS 2, REMAINDER 1); INSERT INTO keyed_parts SELECT i, nullif(i % 4, 0) FROM rows i`,
    ],
    [
      'filled',
      ['code'],
      `CREATE DOMAIN filled_text AS text NOT NULL; CREATE DOMAIN more_filled AS filled_text; CREATE TABLE codes (i int, code more_filled);
      INSERT INTO codes SELECT i, (i % 4)::text FROM rows i WHERE i <= 200; CREATE TABLE filled (id int PRIMARY KEY, code more_filled);
      INSERT INTO filled SELECT i, (SELECT code FROM codes c WHERE c.i = r.i) FROM rows i`,
    ],
    ['joined', ['code'], 'CREATE VIEW joined AS SELECT i, code FROM rows AS r LEFT JOIN codes USING (i)'],
    [
      'unvalidated',
      ['n', 'm'],
      `CREATE TABLE unvalidated (n int UNIQUE, m int); INSERT INTO unvalidated SELECT CASE WHEN i <= 200 THEN i END, CASE WHEN i <= 200 THEN i % 4 END FROM rows i;
      ${since(18, 'ALTER TABLE unvalidated ADD CONSTRAINT n NOT NULL n NOT VALID, ADD CONSTRAINT m NOT NULL m NOT VALID')}`,
    ],
    [
      'foreign_rows',
      ['n'],
      `CREATE EXTENSION file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
      CREATE TABLE foreign_parts (n int) PARTITION BY LIST (n); CREATE TABLE own_part PARTITION OF foreign_parts DEFAULT; INSERT INTO foreign_parts SELECT 9 FROM rows i;
      DO $$ DECLARE file text := current_setting('data_directory') || '/rows.csv'; BEGIN
        EXECUTE format('COPY (SELECT nullif(mod(i, 4), 0) FROM rows i) TO %L CSV', file);
        EXECUTE format('CREATE FOREIGN TABLE foreign_rows (n int NOT NULL) SERVER files OPTIONS (filename %L, format ''csv'')', file);
        EXECUTE format('CREATE FOREIGN TABLE foreign_part PARTITION OF foreign_parts FOR VALUES IN (NULL, 1, 2, 3) SERVER files OPTIONS (filename %L, format ''csv'')', file); END $$`,
    ],
    ['foreign_parts', ['n'], 'SELECT'],
    ['bare', [], 'CREATE VIEW bare AS SELECT FROM rows i'],
  ],
  // With the right to single columns.
  clerk: [
    [
      'named',
      ['name'],
      `CREATE ROLE clerk LOGIN PASSWORD 'clerk'; CREATE TABLE named (id int PRIMARY KEY, name text, salary int); GRANT SELECT (name) ON named TO clerk;
      INSERT INTO named SELECT i, nullif(i % 4, 0)::text, i FROM rows i`,
    ],
    [
      'keyed_named',
      ['name'],
      `CREATE TABLE keyed_named (id int PRIMARY KEY, name text, salary int); GRANT SELECT (id, name) ON keyed_named TO clerk; INSERT INTO keyed_named SELECT i, nullif(i % 4, 0)::text, i FROM rows i`,
    ],
    [
      'named_parts',
      ['n'],
      `CREATE TABLE named_parts (n int, secret int) PARTITION BY LIST (n); CREATE TABLE named_part PARTITION OF named_parts DEFAULT; GRANT SELECT (n) ON named_parts TO clerk; INSERT INTO named_parts SELECT nullif(i % 4, 0), i FROM rows i`,
    ],
    [
      'named_heirs',
      ['n'],
      `CREATE TABLE named_heirs (id int PRIMARY KEY, n int); ${children('named_heirs')} GRANT SELECT (id, n) ON named_heirs TO clerk;
      INSERT INTO named_heirs SELECT i, i % 4 FROM rows i; INSERT INTO named_heirs_1 SELECT i, NULL FROM rows i; INSERT INTO named_heirs_2_1 SELECT 7, 7 FROM rows i`,
    ],
  ],
};

describeWithServer('pages of every kind of relation', (server) => {
  const sessions = new Map<string, Session>();
  beforeAll(async () => {
    await administer(server(), `CREATE TABLE rows (i int); INSERT INTO rows SELECT generate_series(1, ${ROWS})`);
    for (const [user, relations] of Object.entries(RELATIONS)) {
      for (const [, , sql] of relations) await administer(server(), sql.replaceAll('rows i', 'rows AS r (i)'));
      sessions.set(user, await open(server(), { user, password: user === server().user ? server().password : user }));
    }
  });
  afterAll(() => Promise.all([...sessions.values()].map((session) => session.close())));

  /** Every row from the first page to the last, and the total that the last page gave. */
  async function whole(session: Session, name: string, sorts: readonly Sort[], limit: number) {
    const rows: string[] = [];
    for (let offset = 0; ; offset += limit) {
      const question = { table: ref(name), filter: NO_FILTER, sorts, position: { from: 'offset', offset }, limit } as const;
      const page = await session.readPage(question, { signal });
      rows.push(...textsOf(page.batch, page.rowCount));
      if (page.atEnd) return rows;
      if (offset > 4 * ROWS) throw new Error(`“${name}” has no last page.`);
    }
  }

  function textsOf(batch: Uint8Array, rowCount: number): readonly string[] {
    const { rows } = decodeBatch(batch);
    expect(rows).toHaveLength(rowCount);
    return rows.map((row) => JSON.stringify(row));
  }

  const cases = Object.entries(RELATIONS).flatMap(([user, relations]) =>
    relations.flatMap(([name, columns]) => [
      { user, name, sorts: [] as readonly Sort[] },
      ...columns.flatMap((column) =>
        (['ascending', 'descending'] as const).map((direction) => ({ user, name, sorts: [{ column, direction }] })),
      ),
    ]),
  );

  it.each(cases)('gives each row of $name once, sorted by $sorts', async ({ user, name, sorts }) => {
    const session = sessions.get(user);
    if (session === undefined) throw new Error(`${user} has no session.`);
    const all: string[] = [];
    for await (const event of session.export?.rows({ table: ref(name), filter: NO_FILTER }, { signal }) ?? [])
      if (event.type === 'rows') all.push(...event.rows.map((row) => JSON.stringify(row)));
    expect(await session.countRows({ table: ref(name), filter: NO_FILTER }, { signal })).toEqual({
      rows: all.length,
      exact: true,
    });
    expect(all.length).toBeGreaterThanOrEqual(ROWS);
    for (const limit of SIZES) {
      const read = await whole(session, name, sorts, limit);
      expect(read.toSorted(), `pages of ${limit}`).toEqual(all.toSorted());
      const end = { table: ref(name), filter: NO_FILTER, sorts, position: { from: 'end' }, limit } as const;
      const tail = await session.readPage(end, { signal });
      expect(textsOf(tail.batch, tail.rowCount), `last page of ${limit}`).toEqual(read.slice(-limit));
    }
  });
});
