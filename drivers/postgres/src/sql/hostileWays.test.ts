import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { namedFor, NO_WAY, STATEMENTS, WAY_OBJECTS, WAYS, WITHOUT_WAY } from '../hostileWays.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, open, ref, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

/** All columns of the server's catalogues that name a function or have a stored tree, which may name one. */
const COLUMNS = `
SELECT DISTINCT c.name FROM (
  SELECT k.fktable::text || '.' || n.name FROM pg_get_catalog_foreign_keys() k CROSS JOIN LATERAL unnest(k.fkcols) n (name) WHERE k.pktable = 'pg_proc'::regclass
  UNION ALL
  SELECT a.attrelid::regclass || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE a.atttypid = 'pg_node_tree'::regtype AND a.attrelid < 16384 AND c.relkind = 'r'
) c (name) ORDER BY 1`;

const GRANTS = 'GRANT USAGE ON SCHEMA NS TO ways_user; GRANT ALL ON ALL TABLES IN SCHEMA NS TO ways_user';

describeWithServer('the ways from a table to a function', (server) => {
  let session: Session;
  let client: PgClient;
  const rows = async <R extends object>(sql: string) => (await client.query<R>(sql)).rows;
  const marks = async () => (await rows<{ n: string }>('SELECT last_value::text AS n FROM ways.marks'))[0]?.n;

  beforeAll(async () => {
    client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
    await client.query(`${WAY_OBJECTS} SELECT nextval('ways.marks')`);
    for (const [number, makes] of [...WAYS.map((way) => way.makes), NO_WAY].entries())
      await administer(server(), namedFor(number, `CREATE SCHEMA NS; ${makes}; ${GRANTS}`));
    session = await open(server());
  });
  afterAll(async () => {
    await session.close();
    await client.end();
  });

  it('are all that the catalogues of the server have', async () => {
    const columns = (await rows<{ name: string }>(COLUMNS)).map(({ name }) => name);
    const known = new Set([...WAYS.flatMap(({ by }) => by), ...Object.keys(WITHOUT_WAY)]);
    expect(columns.length).toBeGreaterThan(40);
    expect(columns.filter((name) => !known.has(name))).toEqual([]);
  });

  it('go by the columns that they say', async () => {
    const others: unknown[] = [];
    for (const [number, way] of WAYS.entries())
      for (const by of way.by) {
        const [table = '', column = ''] = by.split('.');
        const [found] = await rows<{ n: number }>(
          `SELECT count(*)::int AS n FROM pg_catalog.${table} x JOIN pg_proc p ON p.pronamespace = 'way_${number}'::regnamespace AND p.prosrc LIKE '%ways.mark%'
           WHERE CASE pg_typeof(x.${column}) WHEN 'regproc'::regtype THEN x.${column}::text = p.oid::regproc::text ELSE x.${column}::text ~ format('\\m%s\\M', p.oid) END`,
        );
        if (found?.n === 0) others.push([way.way, by]);
      }
    expect(others).toEqual([]);
  });

  it('make each statement uncertain that goes one of them', async () => {
    const certain: unknown[] = [];
    const idle: unknown[] = [];
    for (const [number, way] of WAYS.entries()) {
      let ran = 0;
      const { uncertainRead } = await session.describeTable(ref(`t_${number}`, `way_${number}`), { signal });
      for (const [index, each] of [...STATEMENTS, ...(way.also ?? [])].entries()) {
        if (way.crashes !== undefined && each.startsWith(way.crashes)) continue;
        const statement = namedFor(number, each);
        const before = await marks();
        await client.query(`DISCARD PLANS; BEGIN; ${way.asUser === true ? 'SET LOCAL ROLE ways_user' : ''}`);
        // Some end in an error, and may have called a function before.
        await client.query(`${statement}; SET CONSTRAINTS ALL IMMEDIATE`).catch(() => undefined);
        await client.query('ROLLBACK');
        if ((await marks()) === before) continue;
        ran += 1;
        const { effect, unknown } = (await session.console?.classify(statement, { signal })) ?? {};
        if (unknown !== true) certain.push([way.way, statement, effect]);
        if (index === 0 && uncertainRead === undefined) certain.push([way.way, 'reading the table']);
      }
      if (ran === 0) idle.push(way.way);
    }
    expect(certain).toEqual([]);
    expect(idle).toEqual([]);
  });

  it('leave a table alone that goes none of them', async () => {
    const uncertain: unknown[] = [];
    for (const each of STATEMENTS.filter((one) => !/^COPY|^WITH|AS TABLE/.test(one))) {
      const judged = await session.console?.classify(namedFor(WAYS.length, each), { signal });
      if (judged?.unknown === true) uncertain.push(judged.summary);
    }
    expect(uncertain).toEqual([]);
  });
});
