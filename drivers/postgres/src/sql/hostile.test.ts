import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import {
  HARMLESS_STATEMENTS,
  HONEST_CHANGES,
  HOSTILE_CHANGES,
  HOSTILE_OBJECTS,
  HOSTILE_STATEMENTS,
  REFUSED_STATEMENTS,
} from '../hostileStatements.test-helper.ts';
import {
  HONEST_READS,
  REACHING_CHANGES,
  REACHING_OBJECTS,
  REACHING_STATEMENTS,
  REACHING_TABLES,
} from '../hostileReach.test-helper.ts';
import { arrayOf } from './arrayOf.ts';
import { MORE_THAN_READS } from './harmlessFunctions.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { lackingStatements } from '../serverVersion.test-helper.ts';
import { administer, open, run, signal } from '../session.test-helper.ts';

describeWithServer('statements that hide what they do', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(server(), HOSTILE_OBJECTS);
    await administer(server(), REACHING_OBJECTS);
    // Where a name without a schema leads to them.
    await administer(server(), 'ALTER ROLE tester SET search_path = public, hostile, reach');
    session = await open(server());
  });
  afterAll(() => session.close());
  const classify = (statement: string) => session.console?.classify(statement, { signal });

  it('count as more than reading, every one of them', async () => {
    const read: string[] = [];
    for (const statement of [...HOSTILE_STATEMENTS, ...REACHING_STATEMENTS])
      if ((await classify(statement))?.effect === 'read') read.push(statement);
    expect(read.filter((statement) => !statement.includes('dblink'))).toEqual([]);
  });

  it('are unknown or destroy, where they are changes that do more', async () => {
    const plain: string[] = [];
    for (const statement of [...HOSTILE_CHANGES, ...REACHING_CHANGES]) {
      const { effect, unknown } = (await classify(statement)) ?? {};
      if (effect !== 'destructive' && unknown !== true) plain.push(statement);
    }
    expect(plain).toEqual([]);
  });

  it('leave honest changes alone, which count as writing', async () => {
    const found: unknown[] = [];
    for (const statement of HONEST_CHANGES) {
      const { effect, unknown, summary } = (await classify(statement)) ?? {};
      if (effect !== 'write' || unknown === true) found.push([statement, effect, unknown, summary]);
    }
    expect(found).toEqual([]);
  });

  it.each(['watched', 'assigned', 'quoted', 'dotted', 'parted', 'ruled'])(
    'may be triggers and rules of a table, and an import into %s destroys',
    async (name) => {
      const form = await session.import?.form({ namespace: ['hostile'], name }, { signal });
      expect(form?.modes.map(({ effect }) => effect)).toEqual(form?.modes.map(() => 'destructive'));
    },
  );

  it('follow the keys of a table where an import changes rows, and not where it adds some', async () => {
    const form = await session.import?.form({ namespace: ['hostile'], name: 'keys' }, { signal });
    expect(form?.modes.map(({ id, effect }) => [id, effect])).toEqual([
      ['create', 'write'],
      ['upsert', 'destructive'],
    ]);
  });

  it.each(['plainly', 'stamped', 'victim', 'users'])('may be none, and an import into %s writes', async (name) => {
    const form = await session.import?.form({ namespace: ['hostile'], name }, { signal });
    expect(form?.modes.map(({ effect }) => effect)).toEqual(form?.modes.map(() => 'write'));
  });

  if (lackingStatements().length > 0)
    it('fail where they are of a newer server', async () => {
      for (const statement of lackingStatements())
        await expect(run(session, statement), statement).rejects.toMatchObject({
          details: { serverMessage: expect.stringMatching(/does not exist|syntax error/) as string },
        });
    });

  it('are never run where they would outlive their statement', async () => {
    for (const statement of REFUSED_STATEMENTS) {
      await expect(run(session, statement), statement).rejects.toMatchObject({
        code: expect.stringMatching(/INVALID_INPUT|UNSUPPORTED/) as string,
      });
    }
  });

  it('are called what they are where they are commands of psql', async () => {
    for (const [statement, command] of [
      ['\\dt', '\\dt'],
      ['  \\d+ hostile.victim', '\\d+'],
      ['\\copy victim to /tmp/x', '\\copy'],
    ] as const)
      await expect(run(session, statement), statement).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: `“${command}” is a command of psql, not SQL.`,
      });
  });

  it('names the way to several databases for a command of psql that changes the database', async () => {
    for (const [statement, command] of [
      ['\\connect other', '\\connect'],
      ['\\c other;', '\\c'],
      ['  \\connect\nSELECT 1', '\\connect'],
      ['\\c;', '\\c'],
    ] as const) {
      const refused = await run(session, statement).catch((error: unknown) => error);
      expect(refused, statement).toMatchObject({
        code: 'INVALID_INPUT',
        message: `“${command}” changes the database, and this connection has only one.`,
        details: { advice: expect.stringContaining('“All of the server”') as string },
      });
    }
    for (const other of ['\\copy victim', '\\conninfo'])
      await expect(run(session, other), other).rejects.toThrow(/is a command of psql/);
  });

  it('leave honest statements alone, which run and change nothing', async () => {
    for (const statement of [...HARMLESS_STATEMENTS, ...HONEST_READS]) {
      expect(await classify(statement), statement).toMatchObject({ effect: 'read' });
      expect((await run(session, statement)).at(-1), statement).toMatchObject({ type: 'done' });
    }
    expect(await run(session, 'SELECT count(*) FROM hostile.victim')).toContainEqual({ type: 'rows', rows: [[2]] });
  });

  it('leave the views of the server alone', async () => {
    const events = await run(
      session,
      `SELECT schemaname || '.' || viewname FROM pg_views WHERE schemaname IN ('pg_catalog', 'information_schema')`,
    );
    const views = events.flatMap((event) => (event.type === 'rows' ? event.rows.map(([name]) => String(name)) : []));
    expect(views.length).toBeGreaterThan(100);
    const found: unknown[] = [];
    for (const view of views) {
      const { effect, summary } = (await classify(`SELECT * FROM ${view}`)) ?? {};
      if (effect !== 'read') found.push(summary);
    }
    expect(found).toEqual([]);
  });

  it("use none of the server's own operators and casts, which call what changes nothing and aren't looked up", async () => {
    const events = await run(
      session,
      `SELECT p.proname FROM pg_proc p WHERE (p.provolatile = 'v' OR p.proname = ANY ('${arrayOf(MORE_THAN_READS)}'))
       AND p.oid IN (SELECT oprcode FROM pg_operator WHERE oid < 16384 UNION SELECT castfunc FROM pg_cast WHERE oid < 16384)`,
    );
    expect(events.filter(({ type }) => type === 'rows')).toEqual([]);
  });

  it('may be the reading of a table', async () => {
    const certain: string[] = [];
    for (const name of REACHING_TABLES) {
      const { uncertainRead } = await session.describeTable({ namespace: ['reach'], name }, { signal });
      if (uncertainRead === undefined) certain.push(name);
    }
    expect(certain).toEqual([]);
  });

  it.each([
    [
      'a function that somebody added to an operator family of the server',
      `CREATE FUNCTION reach.in_range(int8, int8, text, bool, bool) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN reach.acts('x'); END $$;
       CREATE FUNCTION reach.in_range(int8, text, text, bool, bool) RETURNS bool LANGUAGE sql IMMUTABLE RETURN true;
       ALTER OPERATOR FAMILY integer_ops USING btree ADD FUNCTION 3 (int8, text) reach.in_range(int8, int8, text, bool, bool)`,
      "SELECT sum(x) OVER (ORDER BY x RANGE BETWEEN 'a'::text PRECEDING AND CURRENT ROW) FROM generate_series(1::bigint, 3) x",
      'ALTER OPERATOR FAMILY integer_ops USING btree DROP FUNCTION 3 (int8, text)',
    ],
    [
      'a view that somebody put in the place of one of the server',
      `CREATE OR REPLACE VIEW information_schema.enabled_roles AS
       SELECT (CASE WHEN hostile.deletes() = 1 THEN a.rolname ELSE a.rolname END)::information_schema.sql_identifier AS role_name FROM pg_authid a`,
      'SELECT * FROM information_schema.role_table_grants',
      `CREATE OR REPLACE VIEW information_schema.enabled_roles AS
       SELECT CAST(a.rolname AS information_schema.sql_identifier) AS role_name FROM pg_authid a WHERE pg_has_role(a.oid, 'USAGE')`,
    ],
    [
      'a check of a domain of the server',
      'ALTER DOMAIN information_schema.yes_or_no ADD CONSTRAINT more CHECK (reach.acts(VALUE::text))',
      'SELECT is_nullable FROM information_schema.columns LIMIT 1',
      'ALTER DOMAIN information_schema.yes_or_no DROP CONSTRAINT more',
    ],
    [
      'an operator that the query of a function of the server finds first',
      `CREATE FUNCTION reach.same(oid, oid) RETURNS bool LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN reach.acts('x'); END $$;
       CREATE OPERATOR reach.= (FUNCTION = reach.same, LEFTARG = oid, RIGHTARG = oid)`,
      "SELECT pg_get_viewdef('reach.orders'::regclass)",
      'DROP OPERATOR reach.= (oid, oid)',
    ],
    [
      'the only operator class of an operator of the server',
      `CREATE FUNCTION reach.points(box, box) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN PERFORM reach.acts('x'); RETURN 0; END $$;
       CREATE OPERATOR CLASS reach.box_ops FOR TYPE box USING btree AS OPERATOR 1 <<(box, box), FUNCTION 1 reach.points(box, box)`,
      "SELECT x FROM unnest(ARRAY['((0,0),(1,1))'::box]) x ORDER BY x USING <<",
      'DROP OPERATOR CLASS reach.box_ops USING btree; DROP OPERATOR FAMILY IF EXISTS reach.box_ops USING btree',
    ],
    [
      'a function in another language in the place of one of the server',
      `CREATE OR REPLACE FUNCTION pg_catalog.quote_ident(text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$ BEGIN PERFORM reach.acts('x'); RETURN $1; END $$`,
      "SELECT quote_ident('x')",
      `CREATE OR REPLACE FUNCTION pg_catalog.quote_ident(text) RETURNS text LANGUAGE internal IMMUTABLE STRICT AS 'quote_ident'`,
    ],
    [
      'a function that a word calls by another name',
      `CREATE FUNCTION pg_catalog.btrim(reach.pair) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM reach.acts('x'); RETURN 'x'; END $$`,
      'SELECT trim(ROW(1)::reach.pair)',
      'DROP FUNCTION pg_catalog.btrim(reach.pair)',
    ],
    [
      'a function that has the name of a type',
      `CREATE FUNCTION pg_catalog.int8(reach.pair) RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN PERFORM reach.acts('x'); RETURN 1; END $$`,
      'SELECT TREAT(ROW(1)::reach.pair AS bigint)',
      'DROP FUNCTION pg_catalog.int8(reach.pair)',
    ],
    [
      'a time zone of another type',
      `CREATE FUNCTION pg_catalog.timezone(text, reach.pair) RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM reach.acts('x'); RETURN 'x'; END $$`,
      "SELECT ROW(1)::reach.pair AT TIME ZONE 'UTC'",
      'DROP FUNCTION pg_catalog.timezone(text, reach.pair)',
    ],
    [
      'a function for a word that compares two pairs',
      `CREATE FUNCTION pg_catalog.overlaps(reach.pair, reach.pair, reach.pair, reach.pair) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RETURN reach.acts('x'); END $$`,
      'SELECT (p, p) OVERLAPS (p, p) FROM (SELECT ROW(1)::reach.pair AS p) t',
      'DROP FUNCTION pg_catalog.overlaps(reach.pair, reach.pair, reach.pair, reach.pair)',
    ],
  ])('may call %s', async (_, makes, statement, ends) => {
    expect(await classify(statement)).toMatchObject({ effect: 'read' });
    await administer(server(), makes);
    try {
      expect(await classify(statement)).toMatchObject({ effect: 'write', unknown: true });
    } finally {
      await administer(server(), ends);
    }
    expect(await classify(statement)).toMatchObject({ effect: 'read' });
  });

  it('are refused in the WHERE row', async () => {
    const table = { namespace: ['hostile'], name: 'victim' };
    for (const raw of [
      'hostile.deletes() > 0',
      "set_config('a.b', 'c', false) IS NOT NULL",
      'id = (SELECT pg_terminate_backend(0)::int)',
      'EXISTS (SELECT FROM hostile.sly_view)',
      'true) OR (true',
      'true; DELETE FROM hostile.victim',
      'true /*',
      "E'a'\n'\\'' = '') OR hostile.deletes() > 0 --'",
      "E'a'\n'\\'' = '' OR hostile.deletes() > 0 --'",
      'id IN (WITH x AS (DELETE FROM hostile.victim RETURNING id) SELECT id FROM x)',
    ]) {
      const filter = { match: 'all' as const, conditions: [], raw };
      await expect(session.countRows({ table, filter }, { signal }), raw).rejects.toMatchObject({
        code: expect.stringMatching(/INVALID_INPUT|UNSUPPORTED/) as string,
      });
    }
    const filter = { match: 'all' as const, conditions: [], raw: 'id > 1 -- and nothing else' };
    expect(await session.countRows({ table, filter }, { signal })).toEqual({ rows: 1, exact: true });
  });
});
