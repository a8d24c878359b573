import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session, TableRef } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, consoleOf, open, ref, signal } from '../session.test-helper.ts';

const A = ref('orders', 'shop');
const B = ref('Odd one', 'shop');

/** Statements that act on tables whole, and the tables. */
const STATEMENTS: readonly (readonly [statement: string, tables: readonly TableRef[]])[] = [
  ['DROP TABLE orders', [A]],
  ['DROP TABLE IF EXISTS shop.orders, "Odd one" CASCADE', [A, B]],
  ['DROP VIEW IF EXISTS seen', [ref('seen', 'shop')]],
  ['DROP MATERIALIZED VIEW stored', [ref('stored', 'shop')]],
  ['DROP INDEX CONCURRENTLY IF EXISTS orders_pkey', [ref('orders_pkey', 'shop')]],
  ['DROP TRIGGER changed ON orders', [A]],
  ['DROP POLICY own ON public.orders', [ref('orders')]],
  ['TRUNCATE orders', [A]],
  ['TRUNCATE TABLE ONLY orders, shop."Odd one" * RESTART IDENTITY', [A, B]],
  ['ALTER TABLE IF EXISTS ONLY orders ADD COLUMN a int', [A]],
  ['ALTER TABLE public.orders RENAME TO old', [ref('orders')]],
  ['ALTER MATERIALIZED VIEW stored SET SCHEMA public', [ref('stored', 'shop')]],
  ['ALTER INDEX orders_pkey RENAME TO other', [ref('orders_pkey', 'shop')]],
  ['CREATE INDEX odd ON ONLY orders (id)', [A]],
  ['CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS odd ON "Odd one" USING btree (id)', [B]],
  ['CREATE TRIGGER odd AFTER INSERT ON orders EXECUTE FUNCTION shop.act()', [A]],
  ['CREATE POLICY odd ON orders USING (true)', [A]],
  ['CREATE RULE odd AS ON INSERT TO orders DO ALSO NOTHING', [A]],
  ['GRANT SELECT, UPDATE (id) ON orders, TABLE "Odd one" TO PUBLIC', [A, B]],
  ['REVOKE ALL ON TABLE orders FROM PUBLIC', [A]],
  ["COPY orders (id) FROM PROGRAM 'true'", [A]],
  ['REFRESH MATERIALIZED VIEW CONCURRENTLY stored', [ref('stored', 'shop')]],
  ['VACUUM (FULL, VERBOSE) orders (id)', [A]],
  ['VACUUM FULL ANALYZE orders, "Odd one"', [A, B]],
  ['ANALYZE orders', [A]],
  ['CLUSTER orders USING orders_pkey', [A, ref('orders_pkey', 'shop')]],
  ['TRUNCATE ONLY (orders)', [A]],
  ['ALTER TABLE ONLY (orders) ADD COLUMN a int', [A]],
  ['DROP TABLE "Odd one", orders', [B, A]],
  ['ALTER TABLE "Odd one" INHERIT orders', [B, A]],
  ['CREATE TABLE made (LIKE orders)', [A]],
  ['CREATE TABLE made (id int REFERENCES orders)', [A]],
  ['VACUUM orders (id), "Odd one"', [A, B]],
  ['COMMENT ON COLUMN shop.orders.id IS $$a$$', [A]],
  ['COPY BINARY orders FROM PROGRAM $$true$$', [A]],
  ['TRUNCATE type, orders', [A]],
  ['REINDEX TABLE CONCURRENTLY orders', [A]],
  ['REINDEX SCHEMA shop', []],
  ['GRANT USAGE ON SCHEMA shop TO PUBLIC', []],
  ['DROP SCHEMA shop', []],
  ['DROP TABLE nowhere', []],
  ['WITH gone AS (DELETE FROM "Odd one" WHERE id = 1 RETURNING id) UPDATE orders SET id = id WHERE id = 1', [A, B]],
];

describeWithServer('the tables of a statement that acts on them whole', (server) => {
  let session: Session;

  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA shop; CREATE TABLE public.orders (id int PRIMARY KEY); CREATE TABLE shop.orders (id int PRIMARY KEY); CREATE TABLE shop."Odd one" (id int);
      CREATE VIEW shop.seen AS SELECT 1 AS a; CREATE MATERIALIZED VIEW shop.stored AS SELECT 1 AS a; ALTER ROLE tester SET search_path = other, shop, public`,
    );
    session = await open(server());
  });
  afterAll(async () => {
    await session.close();
    await administer(server(), 'ALTER ROLE tester RESET search_path');
  });

  it.each(STATEMENTS)('are named: %s', async (statement, tables) => {
    expect((await consoleOf(session).classify(statement, { signal })).tables).toEqual(tables);
  });

  it('are uncertain where there are more than the server is asked about', async () => {
    const list = (count: number): string => Array.from({ length: count }, (_, index) => `none_${index}`).join(', ');
    const classify = async (count: number) =>
      await consoleOf(session).classify(`DROP TABLE IF EXISTS ${list(count)}, orders`, { signal });
    expect((await classify(400)).unknown).toBeUndefined();
    expect(await classify(600)).toMatchObject({
      effect: 'destructive',
      unknown: true,
      summary: expect.stringContaining('more names than can be looked at') as string,
    });
  });

  describe('where a name has come to mean another one', () => {
    beforeAll(async () => {
      await administer(server(), 'CREATE SCHEMA other');
    });

    it.each(STATEMENTS.filter(([statement, [table]]) => table === A && !statement.includes('shop.')))(
      'are not touched: %s',
      async (statement) => {
        await administer(server(), 'DROP SCHEMA other CASCADE; CREATE SCHEMA other');
        const { effect, unknown, tables } = await consoleOf(session).classify(statement, { signal });
        await administer(server(), 'CREATE TABLE other.orders (id int PRIMARY KEY)');
        const permitted = { effect, tables, ...(unknown === true ? { unknown } : {}) };
        const running = Array.fromAsync(consoleOf(session).run(statement, { maxRows: 1, permitted, signal }));
        await expect(running).rejects.toMatchObject({ code: 'CONFLICT' });
      },
    );
  });
});
