import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { NO_FILTER } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import {
  administer,
  apply,
  clientOptions,
  consoleOf,
  importRows,
  open,
  read,
  ref,
  run,
  sessionOf,
  signal,
} from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

// The owner of a database sets the path of everybody who comes, and can put operators of theirs before those of the server. Nothing that the driver asks on its own calls one.

const OPERATORS = ['=', '<>', '>', '<', '>=', '<=', '||', '+', '-', '*', '/', '&', '~', '->', '->>', '@>', '<@', '&&'];
const TRACES = `SELECT count(*)::int AS n FROM pg_ls_dir(current_setting('data_directory')) AS f WHERE f LIKE 'shadow%'`;

/** Every binary operator of the server under these names, whose namesake leaves a trace where a superuser calls it. */
const SHADOWS = `
DO $do$ DECLARE o record; n int := 0; BEGIN
  FOR o IN SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, oprresult::regtype AS res FROM pg_operator
    WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b' AND oprname = ANY ('{${OPERATORS.map((one) => `"${one}"`).join(',')}}')
      AND oprleft::regtype::text NOT LIKE 'any%' AND oprright::regtype::text NOT LIKE 'any%' AND oprresult::regtype::text NOT LIKE 'any%' LOOP
    n := n + 1;
    EXECUTE format('CREATE FUNCTION evil.f%s(a %s, b %s) RETURNS %s LANGUAGE plpgsql AS $f$ BEGIN PERFORM evil.trace(); RETURN a OPERATOR(pg_catalog.%s) b; END $f$', n, o.l, o.r, o.res, o.oprname);
    EXECUTE format('CREATE OPERATOR evil.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = evil.f%s)', o.oprname, o.l, o.r, n);
  END LOOP;
END $do$`;

const TRACE = `
CREATE SCHEMA evil; GRANT USAGE ON SCHEMA evil TO PUBLIC;
CREATE FUNCTION evil.trace() RETURNS void LANGUAGE plpgsql AS $$ BEGIN
  IF session_user OPERATOR(pg_catalog.=) 'tester'::name THEN
    EXECUTE pg_catalog.format('COPY (SELECT 1) TO %L', pg_catalog.concat(pg_catalog.current_setting('data_directory'), '/shadow', pg_catalog.random()));
  END IF;
END $$`;

describeWithServer('a database whose owner has operators of their own before those of the server', (server) => {
  let watcher: PgClient;
  let session: Session;
  const table = ref('shelf', 'shop');

  beforeAll(async () => {
    await administer(server(), `CREATE ROLE lender LOGIN PASSWORD 'lender'`);
    await administer(server(), 'CREATE DATABASE lent OWNER lender');
    await administer(
      server(),
      `CREATE SCHEMA shop; CREATE TABLE shop.shelf (id int PRIMARY KEY, name text); INSERT INTO shop.shelf SELECT i, 'row' FROM generate_series(1, 20) i`,
      'lent',
    );
    const lender = new PgClient({ ...clientOptions(server()), user: 'lender', password: 'lender', database: 'lent' });
    await lender.connect();
    await lender.query(TRACE);
    await lender.query(SHADOWS);
    await lender.query('ALTER DATABASE lent SET search_path = evil, pg_catalog');
    await lender.end();
    watcher = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await watcher.connect();
  });
  afterAll(async () => {
    await watcher.end();
  });

  const traces = async (): Promise<number> => (await watcher.query<{ n: number }>(TRACES)).rows[0]?.n ?? -1;

  it('is a trap for a statement of a person', async () => {
    const before = await traces();
    const client = new PgClient({ ...clientOptions(server()), database: 'lent' });
    await client.connect();
    await client.query(`SELECT 'a'::name = 'b'::name`);
    await client.end();
    expect(await traces()).toBe(before + 1);
  });

  it.each(['one', 'all'])('is opened without any of them: databases %s', async (databases) => {
    const before = await traces();
    const opened = await open(server(), { database: databases === 'one' ? 'lent' : 'postgres', settings: { databases } });
    await opened.listTables({ signal });
    if (databases === 'all') await opened.describeTable({ namespace: ['lent', 'shop'], name: 'shelf' }, { signal });
    await opened.close();
    expect(await traces()).toBe(before);
  });

  const rows = (from: number): readonly string[] => [from, from + 1].map((id) => JSON.stringify({ id, name: 'new' }));
  const works: Readonly<Record<string, () => unknown>> = {
    tables: () => session.listTables({ signal }),
    description: () => session.describeTable(table, { signal }),
    page: () => read(session, table),
    'sorted page': () => read(session, table, { filter: NO_FILTER, sorts: [{ column: 'name', direction: 'descending' }] }),
    count: () => session.countRows?.({ table, filter: NO_FILTER }, { signal }),
    row: () => session.rows?.read({ table, keys: [[1]] }, { signal }),
    export: () => session.export && Array.fromAsync(session.export.rows({ table, filter: NO_FILTER }, { signal })),
    activity: () => session.activity?.list({ signal }),
    metrics: () => session.metrics?.read({ signal }),
    roles: () => session.principals?.list({ signal }),
    functions: () => session.objects?.list({ kind: 'function', within: 'shop' }, undefined, { signal }),
    sequences: () => session.objects?.list({ kind: 'sequence', within: 'shop' }, undefined, { signal }),
    completion: () => consoleOf(session).complete?.('SELECT * FROM ', 14, { signal }),
    examples: () => consoleOf(session).examples?.({ signal }),
    judgement: () => consoleOf(session).classify('SELECT 1 = 1', { signal }),
    statement: () => run(session, 'SELECT name FROM shop.shelf'),
    'console session': async () => {
      const own = await sessionOf(session);
      for (const statement of ['BEGIN', 'SELECT name FROM shop.shelf', 'SAVEPOINT here', 'SET TIME ZONE 0', 'ROLLBACK'])
        await Array.fromAsync<unknown>(own.run(statement, { maxRows: 5, signal }));
      await own.explain?.explain('SELECT name FROM shop.shelf', { analyze: false, signal });
      await own.parameters?.('SELECT $1::int', { signal });
      await own.close();
    },
    'import form': () => session.import?.form(table, { signal }),
    import: () => importRows(session, table, 'create', rows(100)),
    'import of what is there': () => importRows(session, table, 'upsert', rows(100)),
    'new row': () =>
      apply(session, table, [
        {
          kind: 'insert',
          values: [
            { column: 'id', value: '500' },
            { column: 'name', value: 'x' },
          ],
        },
      ]),
    'plan of an operation': () => session.tableOperations?.plan(table, 'drop', { signal }),
  };

  it('is used without any of them', async () => {
    session = await open(server(), { database: 'lent' });
    try {
      const called: string[] = [];
      for (const [name, work] of Object.entries(works)) {
        const before = await traces();
        // Much of it is refused here, for what it could call. It isn't called before that.
        await Promise.resolve(work()).catch(() => undefined);
        if ((await traces()) !== before) called.push(name);
      }
      expect(called).toEqual([]);
    } finally {
      await session.close();
    }
  });
});
