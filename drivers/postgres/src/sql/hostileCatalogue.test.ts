import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RowChange, Session, TableRef } from '@tabularium/sdk';
import {
  CATALOGUE_CHANGES,
  CATALOGUE_OBJECTS,
  HONEST_DEFINITIONS,
  HOSTILE_DEFINITIONS,
  NUMBERED_QUERIES,
  OWN_CHANGES,
  UNKNOWN_DEFINITIONS,
} from '../hostileCatalogue.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, apply, clientOptions, importRows, open, read, ref, run, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';
import { arrayOf } from './arrayOf.ts';
import { HARMLESS_VOLATILE, MORE_THAN_READS } from './harmlessFunctions.ts';
import { verdictOf } from './verdict.ts';

/** The effect of a statement in a session by its words; none where it is refused there. */
function attempt(statement: string): { readonly effect?: string } {
  try {
    return { effect: verdictOf(statement, 'session').effect };
  } catch {
    return {};
  }
}

const SYSTEM = /system catalogue of PostgreSQL/;

describeWithServer('the tables of the server itself', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(server(), CATALOGUE_OBJECTS);
    session = await open(server());
  });
  afterAll(() => session.close());
  const classify = async (statement: string) => {
    const { effect, unknown, summary = '' } = (await session.console?.classify(statement, { signal })) ?? {};
    return { effect, isUnknown: unknown === true, summary };
  };

  it('are changed and locked by statements that destroy, and that say so', async () => {
    const found: unknown[] = [];
    for (const statement of CATALOGUE_CHANGES) {
      const { effect, summary } = await classify(statement);
      if (effect !== 'destructive' || !/acts on the system catalogue (pg_catalog|information_schema)\./.test(summary))
        found.push([statement, effect, summary]);
    }
    expect(found).toEqual([]);
  });

  it('are locked as a whole in a session by a statement that destroys', async () => {
    const own = await session.console?.openSession?.({ signal });
    for (const statement of ['LOCK pg_catalog.pg_class', 'LOCK TABLE aside.mine, pg_authid IN SHARE MODE'])
      expect(await own?.classify(statement, { signal }), statement).toMatchObject({ effect: 'destructive' });
    expect(await own?.classify('LOCK aside.mine', { signal })).toMatchObject({ effect: 'write' });
    await own?.close();
  });

  it('are not opened to changes by a setting of a superuser, which counts as a change itself', async () => {
    const client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
    const { rows } = await client.query<{ name: string; context: string }>(
      "SELECT lower(name) AS name, context FROM pg_settings WHERE context IN ('user', 'superuser') AND strpos(name, '.') = 0",
    );
    await client.end();
    const found = rows.flatMap(({ name, context }) => {
      const { effect } = attempt(`SET ${name} = DEFAULT`);
      return effect === undefined || effect === (context === 'user' ? 'read' : 'write') ? [] : [[name, context]];
    });
    expect(rows.length).toBeGreaterThan(150);
    expect(found).toEqual([]);
    for (const statement of ['SET LOCAL "Allow_System_Table_Mods" = on', 'SET SESSION zero_damaged_pages TO on'])
      expect(attempt(statement), statement).toEqual({ effect: 'write' });
    for (const statement of [
      "SET app.tenant = 'x'",
      "SET TIME ZONE 'UTC'",
      'SET TRANSACTION READ ONLY',
      'SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY',
      'SET LOCAL ROLE plain',
    ])
      expect(attempt(statement), statement).toEqual({ effect: 'read' });
  });

  it('are named by no other spelling', async () => {
    for (const statement of [
      String.raw`UPDATE U&"pg\005fcatalog".pg_authid SET rolsuper = true`,
      String.raw`UPDATE u&"pg!005fcatalog" UESCAPE '!' .pg_authid SET rolsuper = true`,
    ])
      await expect(run(session, statement), statement).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('have no part in changes of other tables', async () => {
    for (const statement of OWN_CHANGES)
      expect(await classify(statement), statement).toMatchObject({ effect: 'write', isUnknown: false });
  });

  const TABLES: readonly (readonly [table: TableRef, key: string, column: string, value: string])[] = [
    [ref('pg_authid', 'pg_catalog'), '10', 'rolsuper', 'false'],
    [ref('pg_description', 'pg_catalog'), '1', 'description', 'x'],
    [ref('pg_db_role_setting', 'pg_catalog'), '0', 'setconfig', '{}'],
    [ref('sql_features', 'information_schema'), 'B011', 'comments', 'x'],
  ];
  it.each(TABLES)('take no change of a row of %o', async (table, key, column, value) => {
    const { columns } = await session.describeTable(table, { signal });
    for (const { editable } of columns)
      expect(editable).toMatchObject({ allowed: false, reason: expect.stringMatching(SYSTEM) as string });
    const changes: readonly RowChange[] = [
      { kind: 'update', key: [key], assignments: [{ column, value }] },
      { kind: 'insert', values: [{ column, value }] },
      { kind: 'delete', key: [key] },
    ];
    const prepared = await session.edits?.prepare(table, changes, { signal });
    for (const change of prepared ?? [])
      expect(change).toMatchObject({ ready: false, message: expect.stringMatching(SYSTEM) as string });
    for (const change of changes)
      expect(await apply(session, table, [change])).toMatchObject([
        { outcome: 'failed', code: 'UNSUPPORTED', message: expect.stringMatching(SYSTEM) as string },
      ]);
  });

  it.each([...TABLES.map(([table]) => table), ref('roles', 'aside'), ref('more_roles', 'aside'), ref('ruled', 'aside')])(
    'take no import into %o',
    async (table) => {
      const refused = { code: 'UNSUPPORTED', message: expect.stringMatching(SYSTEM) as string };
      await expect(session.import?.form(table, { signal })).rejects.toMatchObject(refused);
      await expect(importRows(session, table, 'create', ['{"id":1}'])).rejects.toMatchObject(refused);
    },
  );

  it('are neither emptied nor dropped', async () => {
    const table = ref('sql_features', 'information_schema');
    for (const { id, ability } of (await session.tableOperations?.list(table, { signal })) ?? []) {
      expect(ability).toMatchObject({ allowed: false, reason: expect.stringMatching(SYSTEM) as string });
      await expect(session.tableOperations?.run(table, id, table, { signal })).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    }
    expect(await read(session, table, { limit: 1 })).toHaveLength(1);
  });

  it('keep other tables and views open to changes', async () => {
    expect(await importRows(session, ref('my_view', 'aside'), 'create', ['{"id":7,"name":"x"}'])).toMatchObject([
      { outcome: 'written' },
    ]);
    const change: RowChange = { kind: 'update', key: ['7'], assignments: [{ column: 'name', value: 'y' }] };
    expect(await apply(session, ref('mine', 'aside'), [change])).toMatchObject([{ outcome: 'saved' }]);
  });

  it('are not what definitions are about, which destroy where one part of them does', async () => {
    const found: unknown[] = [];
    for (const statement of HOSTILE_DEFINITIONS) {
      const { effect } = await classify(statement);
      if (effect !== 'destructive') found.push([statement, effect]);
    }
    for (const statement of UNKNOWN_DEFINITIONS) {
      const { effect, isUnknown } = await classify(statement);
      if (effect !== 'destructive' && !isUnknown) found.push([statement, effect]);
    }
    for (const statement of HONEST_DEFINITIONS) {
      const { effect, isUnknown } = await classify(statement);
      if (effect !== 'write' || isUnknown) found.push([statement, effect, isUnknown]);
    }
    expect(found).toEqual([]);
  });

  it('number transactions, and no query that uses a number up counts as reading', async () => {
    for (const statement of NUMBERED_QUERIES)
      expect(await classify(statement), statement).toMatchObject({ effect: 'write', isUnknown: true });
    const change = 'INSERT INTO aside.mine SELECT 5, txid_current()::text';
    expect(await classify(change)).toMatchObject({ effect: 'write', isUnknown: false });
  });

  it('number transactions for no function that counts as harmless', async () => {
    const client = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await client.connect();
    const none = 'SELECT pg_current_xact_id_if_assigned() IS NULL AS none';
    const { rows } = await client.query<{ name: string }>(
      `SELECT DISTINCT p.proname AS name FROM pg_proc p WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.pronargs = 0 AND p.prokind = 'f'
        AND (p.provolatile <> 'v' OR p.proname = ANY ('${arrayOf(HARMLESS_VOLATILE)}')) AND p.proname <> ALL ('${arrayOf(MORE_THAN_READS)}') ORDER BY 1`,
    );
    expect(rows.length).toBeGreaterThan(50);
    const found: string[] = [];
    for (const { name } of rows) {
      await client.query('BEGIN READ ONLY; SAVEPOINT before');
      await client.query(`SELECT pg_catalog."${name}"()`).catch(() => client.query('ROLLBACK TO SAVEPOINT before'));
      if ((await client.query<{ none: boolean }>(none)).rows[0]?.none !== true) found.push(name);
      await client.query('ROLLBACK');
    }
    await client.end();
    expect(found).toEqual([]);
  });
});
