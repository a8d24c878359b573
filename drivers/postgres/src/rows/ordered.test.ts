import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, open, read, ref, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

/** Everything that a column may hold: each type of the server alone, in an array, and in types of users. */
const VIEWS = `
CREATE SCHEMA orders; CREATE TYPE orders.mood AS ENUM ('a'); CREATE TYPE orders.pair AS (a int, b json); CREATE DOMAIN orders.short AS text CHECK (length(VALUE) < 9); CREATE DOMAIN orders.doc AS json;
CREATE TYPE orders.span AS RANGE (SUBTYPE = text);
DO $$ DECLARE t oid; BEGIN
  FOR t IN SELECT y.oid FROM pg_type y LEFT JOIN pg_type e ON e.oid = y.typelem WHERE y.typtype <> 'p' AND y.typisdefined AND y.typnamespace IN ('orders'::regnamespace, 'pg_catalog'::regnamespace)
    AND NOT (y.typnamespace = 'pg_catalog'::regnamespace AND (y.typrelid <> 0 OR coalesce(e.typrelid, 0) <> 0)) AND coalesce(e.typtype, 'b') <> 'p' LOOP
    EXECUTE format('CREATE VIEW orders.%I AS SELECT NULL::%s AS v', 't' || t, format_type(t, -1));
  END LOOP;
END $$`;

describeWithServer('a column that is called sortable', (server) => {
  let session: Session;
  let client: PgClient;
  beforeAll(async () => {
    await administer(server(), VIEWS);
    session = await open(server());
    client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await session.close();
  });

  /** The tables of which the server can't order the column, though the description says it. */
  async function wronglySorted(tables: readonly { readonly schema: string; readonly name: string }[]): Promise<unknown[]> {
    const found: unknown[] = [];
    for (const { schema, name } of tables) {
      const { columns } = await session.describeTable(ref(name, schema), { signal });
      for (const { name: column, sortable, type } of columns) {
        if (!sortable.allowed) continue;
        const sorted = client.query(`SELECT 1 FROM ${schema}.${name} ORDER BY "${column}" LIMIT 0`);
        await sorted.catch((error: unknown) => found.push([name, column, type, String(error)]));
      }
    }
    return found;
  }
  async function tablesOf(schema: string) {
    const text = `SELECT relname AS name FROM pg_class WHERE relnamespace = '${schema}'::regnamespace AND relkind IN ('r', 'v') ORDER BY 1`;
    const { rows } = await client.query<{ name: string }>(text);
    return rows.map(({ name }) => ({ schema, name }));
  }

  it('is of a type that the server orders, whatever type it has', async () => {
    const tables = await tablesOf('orders');
    expect(tables.length).toBeGreaterThan(100);
    expect(await wronglySorted(tables)).toEqual([]);
  });

  it('is one in the tables and views of the server, too', async () => {
    expect(
      await wronglySorted([
        { schema: 'pg_catalog', name: 'pg_stats' },
        { schema: 'pg_catalog', name: 'pg_statistic' },
      ]),
    ).toEqual([]);
    const { columns } = await session.describeTable(ref('pg_stats', 'pg_catalog'), { signal });
    expect(columns.find(({ name }) => name === 'most_common_vals')).toMatchObject({ sortable: { allowed: false } });
  });

  it('orders the rows where there is no key, and no other does', async () => {
    await client.query('CREATE TABLE orders.counted AS SELECT n % 3 AS n FROM generate_series(1, 100) n; ANALYZE orders.counted');
    const rows = await read(session, ref('pg_stats', 'pg_catalog'), { limit: 5 });
    expect(rows).toHaveLength(5);
    const failed: unknown[] = [];
    for (const { schema, name } of await tablesOf('orders'))
      await read(session, ref(name, schema), { limit: 1 }).catch((error: unknown) => failed.push([name, String(error)]));
    expect(failed).toEqual([]);
  });
});
