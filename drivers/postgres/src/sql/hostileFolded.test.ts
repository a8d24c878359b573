import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import {
  CAST_OBJECTS,
  CAST_STATEMENTS,
  CAST_TO_JSON,
  FOLDED_BY_LATER_SERVERS,
  FOLDED_CHANGES,
  FOLDED_HONEST,
  FOLDED_OBJECTS,
  FOLDED_STATEMENTS,
} from '../hostileFolded.test-helper.ts';
import { arrayOf } from './arrayOf.ts';
import { ANY_ARRAYS } from './castsToJson.ts';
import { HARMLESS_VOLATILE, RUNS_QUERIES } from './harmlessFunctions.ts';
import { describeWithServer } from '../server.test-helper.ts';
import type { TestServer } from '../server.test-helper.ts';
import { administer, clientOptions, open, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

describeWithServer('what a statement calls without a name in it', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(server(), FOLDED_OBJECTS);
    session = await open(server());
  });
  afterAll(() => session.close());
  const classify = (statement: string) => session.console?.classify(statement, { signal });

  it('counts where planning makes constants of expressions with columns', async () => {
    const read: string[] = [];
    for (const statement of [...FOLDED_STATEMENTS, ...FOLDED_BY_LATER_SERVERS])
      if ((await classify(statement))?.effect === 'read') read.push(statement);
    expect(read).toEqual([]);
  });

  it('is called there, by each of these statements', async () => {
    expect(await silent(server(), FOLDED_STATEMENTS)).toEqual([]);
  });

  it('makes changes unknown whose foreign keys lead to it', async () => {
    const plain: string[] = [];
    for (const statement of FOLDED_CHANGES) if ((await classify(statement))?.unknown !== true) plain.push(statement);
    expect(plain).toEqual([]);
    expect(await classify('INSERT INTO folded.refers_honest VALUES (1)')).toMatchObject({ effect: 'write' });
    expect(await classify('INSERT INTO folded.refers_honest VALUES (1)')).not.toHaveProperty('unknown');
  });

  it('is not called where it has a column itself, and these statements read', async () => {
    for (const statement of FOLDED_HONEST) expect(await classify(statement), statement).toMatchObject({ effect: 'read' });
    expect(await silent(server(), FOLDED_HONEST)).toEqual(FOLDED_HONEST);
  });

  it('counts where the server looks up a cast to JSON by the type of a value', async () => {
    await administer(server(), CAST_OBJECTS);
    const before: string[] = [];
    for (const statement of CAST_STATEMENTS) if ((await classify(statement))?.effect !== 'read') before.push(statement);
    expect(before).toEqual([]);
    await administer(server(), CAST_TO_JSON);
    const read: string[] = [];
    for (const statement of CAST_STATEMENTS) if ((await classify(statement))?.effect === 'read') read.push(statement);
    expect(read).toEqual([]);
    expect(await silent(server(), CAST_STATEMENTS)).toEqual([]);
    expect(await classify('INSERT INTO cast_type.guarded VALUES (1)')).toMatchObject({ effect: 'write', unknown: true });
    expect(await classify("SELECT most_common_vals FROM pg_stats WHERE tablename = 'seen'")).toMatchObject({ effect: 'read' });
    expect(await classify('SELECT to_json(m.id) FROM cast_type.missing m WHERE m.id = 1')).toMatchObject({ effect: 'write' });
    expect(await classify('SELECT to_json(x), row_to_json(c) FROM generate_series(1, 2) x, pg_class c')).toMatchObject({
      effect: 'read',
    });
    await administer(
      server(),
      `CREATE OR REPLACE FUNCTION cast_type.converts(cast_type.mood) RETURNS json LANGUAGE plpgsql AS $$ BEGIN RETURN '"x"'::json; END $$`,
    );
    for (const statement of CAST_STATEMENTS) expect(await classify(statement), statement).toMatchObject({ effect: 'read' });
  });

  it('finds values of a type that no name says in these tables and views alone', async () => {
    const client = await connected(server());
    try {
      const rows = await rowsOf(
        client,
        `
        WITH RECURSIVE holders (oid) AS (
          SELECT 'anyarray'::regtype::oid
          UNION
          SELECT i.oid FROM holders h CROSS JOIN LATERAL (
            SELECT t.oid FROM pg_type t WHERE t.typelem = h.oid OR t.typbasetype = h.oid
            UNION ALL SELECT c.reltype FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid WHERE a.atttypid = h.oid AND a.attnum > 0 AND c.reltype <> 0
          ) i (oid)
        )
        SELECT c.relname FROM holders h JOIN pg_type t ON t.oid = h.oid JOIN pg_class c ON c.oid = t.typrelid ORDER BY c.relname`,
      );
      expect(rows.map(([name]) => name)).toEqual([...ANY_ARRAYS].toSorted());
    } finally {
      await client.end();
    }
  });

  it("isn't called by functions that take the number of a relation and count as harmless", async () => {
    const client = await connected(server());
    try {
      const functions = await rowsOf(
        client,
        `
        SELECT p.oid::regproc, (SELECT string_agg(CASE WHEN t IN ('oid'::regtype, 'regclass'::regtype) THEN '%s' WHEN t = 'text'::regtype THEN '%n'
          WHEN t = 'bool'::regtype THEN 'true' WHEN t = 'tid'::regtype THEN '''(0,1)''' WHEN t = 'name'::regtype THEN '''folded''' ELSE '''1''' END || '::' || t::regtype, ', ' ORDER BY n) FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS a (t, n))
        FROM pg_proc p WHERE p.prokind = 'f' AND p.oid < 16384 AND p.prolang IN (12, 13, 14) AND (p.provolatile <> 'v' OR p.proname = ANY ('${arrayOf(HARMLESS_VOLATILE)}')) AND p.proname <> ALL ('${arrayOf(RUNS_QUERIES)}')
          AND p.proargtypes::oid[] && '{oid,regclass,text}'::regtype[]::oid[] AND p.proargtypes::oid[] <@ '{oid,regclass,text,bool,int2,int4,tid,name}'::regtype[]::oid[]`,
      );
      const relations = await rowsOf(
        client,
        `SELECT c.oid, c.oid::regclass FROM pg_class c WHERE c.relnamespace = 'folded'::regnamespace AND c.relname IN ('i2', 'i2_acts_idx', 's2', 'st2', 'c2', 'cc2', 'parted', 'part', 'keyed', 'keyed_part', 'keyed_more', 'keyed_more_part', 'over_index', 'near', 'refers')
         UNION ALL SELECT q.oid, NULL FROM pg_constraint q WHERE q.conrelid = 'folded.cc2'::regclass UNION ALL SELECT x.oid, NULL FROM pg_statistic_ext x WHERE x.stxname = 'st2'
         UNION ALL SELECT w.oid, NULL FROM pg_rewrite w WHERE w.ev_class = 'folded.over_index'::regclass`,
      );
      expect(functions.length).toBeGreaterThan(200);
      const found: string[] = [];
      for (const [name, types] of functions)
        for (const [oid, relation] of relations) {
          const call = `SELECT ${name}(${(types ?? '').replaceAll('%s', String(oid)).replaceAll('%n', `'${relation ?? 'x'}'`)})`;
          await client.query(call).catch(() => undefined);
          const rows = await rowsOf(
            client,
            "SELECT set_config('folded.called', '', false) FROM current_setting('folded.called', true) AS s (value) WHERE s.value <> ''",
          );
          if (rows.length > 0) found.push(call);
        }
      expect(found).toEqual([]);
    } finally {
      await client.end();
    }
  });
});

/** The statements that call nothing, each run in a session of its own and past the driver. */
async function silent(server: TestServer, statements: readonly string[]): Promise<readonly string[]> {
  const none: string[] = [];
  for (const statement of statements) {
    const client = await connected(server);
    try {
      await client.query(statement);
      if ((await rowsOf(client, "SELECT current_setting('folded.called', true)"))[0]?.[0] !== 'yes') none.push(statement);
    } finally {
      await client.end();
    }
  }
  return none;
}

async function connected(server: TestServer): Promise<PgClient> {
  const client = new PgClient({ ...clientOptions(server), database: 'postgres' });
  await client.connect();
  return client;
}

async function rowsOf(client: PgClient, text: string): Promise<readonly (readonly (string | null)[])[]> {
  return (await client.query<(string | null)[]>({ text, rowMode: 'array' })).rows;
}
