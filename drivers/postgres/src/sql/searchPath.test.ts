import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsoleFacet, ConsoleSession, PermittedStatement, Session } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, consoleOf, open, sessionOf, signal } from '../session.test-helper.ts';

/** How a name without a schema comes to mean another table, and the path of the role before. The other table is in "elsewhere". */
const TURNS: readonly (readonly [turn: string, before: string, sql: string])[] = [
  ['a schema with the name of the role', '"$user", public', 'ALTER SCHEMA elsewhere RENAME TO guest'],
  ['a right to use a schema', 'elsewhere, public', 'GRANT USAGE ON SCHEMA elsewhere TO guest'],
  ['a new name of a schema', 'later, public', 'GRANT USAGE ON SCHEMA elsewhere TO guest; ALTER SCHEMA elsewhere RENAME TO later'],
  ['a table in an earlier schema', 'earlier, public', 'ALTER TABLE elsewhere.orders SET SCHEMA earlier'],
  [
    'a path of the role, in its next connections',
    'public',
    'GRANT USAGE ON SCHEMA elsewhere TO guest; ALTER ROLE guest SET search_path = elsewhere, public',
  ],
  [
    'a path of the database, in its next connections',
    '',
    'GRANT USAGE ON SCHEMA elsewhere TO guest; ALTER DATABASE postgres SET search_path = elsewhere, public',
  ],
];

/** Ends what the role has open, so that the next question comes by a new connection. */
const RECONNECT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guest'`;

describeWithServer('a name without a schema', (server) => {
  let session: Session;
  beforeEach(async () => {
    await (session as Session | undefined)?.close();
    await administer(
      server(),
      `DO $$ BEGIN IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'guest') THEN CREATE ROLE guest LOGIN PASSWORD 'guest'; END IF; END $$;
      DROP SCHEMA IF EXISTS elsewhere, later, guest, earlier CASCADE; DROP TABLE IF EXISTS public.orders; ALTER DATABASE postgres RESET search_path;
      CREATE TABLE public.orders (id int, t text); CREATE SCHEMA elsewhere; CREATE SCHEMA earlier; CREATE TABLE elsewhere.orders (id int, t text);
      GRANT ALL ON public.orders, elsewhere.orders TO guest; GRANT USAGE ON SCHEMA earlier TO guest`,
    );
  });
  afterAll(() => session.close());

  const opened = async (path: string): Promise<void> => {
    await administer(server(), `ALTER ROLE guest ${path === '' ? 'RESET search_path' : `SET search_path = ${path}`}`);
    session = await open(server(), { user: 'guest', password: 'guest' });
  };

  /** After the schema that is meant may be the role's own. */
  const turned = async (sql: string): Promise<void> => {
    await administer(server(), sql);
    await administer(server(), `GRANT USAGE ON SCHEMA guest TO guest`).catch(() => undefined);
    if (!sql.includes('search_path')) return;
    await administer(server(), RECONNECT);
    // The connections that were ended fail once, whenever that is heard of.
    for (let turn = 0; turn < 4; turn += 1) await session.ping({ signal }).catch(() => undefined);
  };

  const doors: Readonly<Record<string, () => Promise<Pick<ConsoleFacet | ConsoleSession, 'classify' | 'run'>>>> = {
    'the console': async () => consoleOf(session),
    'a console session': () => sessionOf(session),
  };

  describe.each(Object.entries(doors))('in %s', (name, door) => {
    // A session that is open has its path until it ends.
    const turns = TURNS.filter(([turn]) => name === 'the console' || !turn.includes('next connections'));

    it.each(turns)('is judged by the table that it means after %s', async (_turn, path, sql) => {
      await opened(path);
      const runner = await door();
      const statement = "INSERT INTO orders VALUES (1, 'x')";
      const first = await runner.classify(statement, { signal });
      expect(first).toMatchObject({ effect: 'write', tables: [{ namespace: ['public'], name: 'orders' }] });
      expect(first).not.toHaveProperty('unknown');
      await turned(
        `CREATE FUNCTION public.acts() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM public.orders; RETURN NEW; END $$;
        CREATE TRIGGER acts BEFORE INSERT ON elsewhere.orders FOR EACH ROW EXECUTE FUNCTION public.acts(); ${sql}`,
      );
      const { effect, tables } = first;
      await expect(collect(runner, statement, { effect, tables })).rejects.toMatchObject({ code: 'CONFLICT' });
      await expect(collect(runner, statement, { effect })).rejects.toMatchObject({ code: 'CONFLICT' });
      const now = await runner.classify(statement, { signal });
      expect(now).toMatchObject({ effect: 'write', unknown: true });
      expect(now.tables).not.toEqual(tables);
      await administer(server(), 'DROP FUNCTION public.acts() CASCADE');
    });

    it.each(turns)('stands for no other table than was agreed to after %s', async (_turn, path, sql) => {
      await opened(path);
      const runner = await door();
      const statement = 'DELETE FROM orders';
      const first = await runner.classify(statement, { signal });
      expect(first).toMatchObject({ effect: 'destructive', everyRowOf: { namespace: ['public'], name: 'orders' } });
      await turned(sql);
      const { effect, tables, everyRowOf } = first;
      const permitted = { effect, tables, ...(everyRowOf === undefined ? {} : { everyRowOf }) };
      await expect(collect(runner, statement, permitted)).rejects.toMatchObject({ code: 'CONFLICT' });
    });
  });

  it.each(Object.entries(doors))('leads to the system catalogue and destroys, in %s', async (_name, door) => {
    session = await open(server());
    const runner = await door();
    const statement = "UPDATE orders SET t = 'x' WHERE id = 1";
    const { effect, tables } = await runner.classify(statement, { signal });
    expect(effect).toBe('write');
    await administer(
      server(),
      `CREATE SCHEMA tester; CREATE VIEW tester.orders AS SELECT oid::int AS id, rolname::text AS t, rolsuper FROM pg_catalog.pg_authid`,
    );
    expect(await runner.classify(statement, { signal })).toMatchObject({ effect: 'destructive' });
    await expect(collect(runner, statement, { effect, tables })).rejects.toMatchObject({ code: 'CONFLICT' });
    await administer(server(), 'DROP SCHEMA tester CASCADE');
  });

  it('is that of a temporary table in the session that has made it', async () => {
    await opened('public');
    const own = await sessionOf(session);
    await collect(own, 'CREATE TEMPORARY TABLE orders (id int, t text)');
    const { tables } = await own.classify("INSERT INTO orders VALUES (1, 'x')", { signal });
    expect(tables[0]?.namespace[0]).toMatch(/^pg_temp_/);
    await collect(own, "INSERT INTO orders VALUES (1, 'x')", { effect: 'write', tables });
    await own.close();
  });
});

async function collect(
  runner: Pick<ConsoleFacet | ConsoleSession, 'run'>,
  statement: string,
  permitted?: PermittedStatement,
): Promise<void> {
  const options = { maxRows: 10, signal, ...(permitted === undefined ? {} : { permitted }) };
  await Array.fromAsync(runner.run(statement, options) as AsyncIterable<unknown>);
}
