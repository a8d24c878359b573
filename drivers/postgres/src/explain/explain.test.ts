import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExplainFacet, Session, StatementPlan } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open, signal } from '../session.test-helper.ts';

describeWithServer('plans of PostgreSQL', (server) => {
  let session: Session;
  let explain: ExplainFacet;
  const plan = (statement: string, analyze = false): Promise<StatementPlan> => explain.explain(statement, { analyze, signal });
  const effect = async (statement: string, analyze = false): Promise<string> => {
    const { effect: found, unknown } = await explain.classify(statement, { analyze, signal });
    return unknown === true ? 'unknown' : found;
  };
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA plans; SET search_path = plans; CREATE TABLE plans.armed (yes int);
      CREATE TABLE plans.book (id int PRIMARY KEY, title text NOT NULL, shelf int, note text DEFAULT 'none');
      INSERT INTO plans.book SELECT i, 'Book ' || i, i % 40, NULL FROM generate_series(1, 4000) AS i; ANALYZE plans.book;
      CREATE TABLE plans.skewed (a int, b int); INSERT INTO plans.skewed SELECT i % 100, i % 100 FROM generate_series(1, 20000) AS i; ANALYZE plans.skewed;
      CREATE FUNCTION plans.trace() RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF EXISTS (SELECT FROM plans.armed) THEN RAISE EXCEPTION 'It ran.'; END IF; PERFORM set_config('plans.called', 'yes', false); RETURN 1; END $$;
      CREATE FUNCTION plans.traceof(int) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF EXISTS (SELECT FROM plans.armed) THEN RAISE EXCEPTION 'It ran.'; END IF; PERFORM set_config('plans.called', 'yes', false); RETURN 1; END $$;
      CREATE FUNCTION plans.acts() RETURNS int LANGUAGE plpgsql AS $$ BEGIN IF EXISTS (SELECT FROM plans.armed) THEN RAISE EXCEPTION 'It ran.'; END IF; PERFORM set_config('plans.called', 'yes', false); RETURN 1; END $$;
      CREATE FUNCTION plans.inlined() RETURNS int LANGUAGE sql AS $$ SELECT plans.trace() $$;
      CREATE TABLE plans.counted (id serial PRIMARY KEY, at timestamptz DEFAULT clock_timestamp(), n int);
      CREATE TABLE plans.sly_default (id int, n int DEFAULT plans.trace());
      CREATE TABLE plans.sly_generated (id int, n int GENERATED ALWAYS AS (plans.trace() + id) STORED);
      CREATE VIEW plans.sly_view AS SELECT id FROM plans.sly_default;
      CREATE TABLE plans.ruled (id int); CREATE RULE also AS ON INSERT TO plans.ruled DO ALSO INSERT INTO plans.sly_default (id) VALUES (NEW.id);
      CREATE DOMAIN plans.sly_domain AS int DEFAULT plans.trace(); CREATE TABLE plans.by_domain (id int, n plans.sly_domain);
      CREATE TYPE plans.mood AS ENUM ('good');
      CREATE FUNCTION plans.to_mood(int) RETURNS plans.mood LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF EXISTS (SELECT FROM plans.armed) THEN RAISE EXCEPTION 'It ran.'; END IF; PERFORM set_config('plans.called', 'yes', false); RETURN 'good'; END $$;
      CREATE CAST (int AS plans.mood) WITH FUNCTION plans.to_mood(int) AS ASSIGNMENT; CREATE TABLE plans.moods (m plans.mood);
      INSERT INTO plans.armed VALUES (1);`,
    );
    session = await open(server());
    const { explain: facet } = session;
    if (facet === undefined) throw new Error('The session explains nothing.');
    explain = facet;
  });
  afterAll(async () => {
    await session.close();
    await administer(server(), 'DROP SCHEMA plans CASCADE');
  });

  it('has the steps of a plan as a tree, with estimates and no measures', async () => {
    const found = await plan('SELECT title FROM plans.book b WHERE shelf = (SELECT max(a) FROM plans.skewed) ORDER BY title');
    expect(found.nodes.map(({ depth, operation, target }) => [depth, operation, target])).toEqual([
      [0, 'Sort', undefined],
      [1, 'Aggregate (InitPlan)', undefined],
      [2, 'Seq Scan', 'skewed'],
      [1, 'Seq Scan', 'book b'],
    ]);
    expect(found.nodes[3]).toMatchObject({
      facts: expect.arrayContaining([{ label: 'Filter', value: expect.any(String) as string }]) as unknown,
    });
    expect(
      found.nodes.every(({ cost = 0, actualRows, loops }) => cost > 0 && actualRows === undefined && loops === undefined),
    ).toBe(true);
    expect(JSON.parse(found.raw?.text ?? '')).toMatchObject([{ Plan: { 'Node Type': 'Sort' } }]);
    expect(found.executionMilliseconds).toBeUndefined();
  });

  it('measures a statement that reads, and shows by how much an estimate is off', async () => {
    const statement = 'SELECT count(*) FROM plans.skewed WHERE a = 1 AND b = 1';
    expect(await effect(statement, true)).toBe('read');
    const found = await plan(statement, true);
    const scan = found.nodes.find(({ operation }) => operation === 'Seq Scan');
    expect(scan).toMatchObject({ target: 'skewed', actualRows: 200, loops: 1 });
    expect(200 / (scan?.estimatedRows ?? 200)).toBeGreaterThan(10);
    expect(found.executionMilliseconds).toBeGreaterThan(0);
    // A step that never ran has no measures.
    const never = await plan('SELECT * FROM (SELECT 1 WHERE false) none, plans.book b WHERE b.id > 5', true);
    for (const node of never.nodes) if (node.loops === 0) expect(node.actualRows).toBeUndefined();
  });

  it('explains changes without carrying them out, and never measures them', async () => {
    const rows = async (): Promise<number> => {
      const { rows: count } = await session.countRows(
        { table: { namespace: ['plans'], name: 'book' }, filter: { match: 'all', conditions: [] } },
        { signal },
      );
      return count;
    };
    for (const statement of [
      "INSERT INTO plans.book VALUES (9001, 'New')",
      'UPDATE plans.book SET title = upper(title)',
      'DELETE FROM plans.book',
      'WITH gone AS (DELETE FROM plans.book RETURNING id) SELECT count(*) FROM gone',
    ]) {
      expect(await effect(statement)).toBe('read');
      expect(JSON.stringify((await plan(statement)).nodes)).toMatch(/Insert|Update|Delete/);
      expect(await effect(statement, true)).not.toBe('read');
      await expect(plan(statement, true)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    }
    expect(await rows()).toBe(4_000);
  });

  it('explains one statement that has a plan, and nothing else', async () => {
    for (const statement of [
      'DROP TABLE plans.book',
      'TRUNCATE plans.book',
      'VACUUM plans.book',
      'CALL plans.acts()',
      'EXPLAIN SELECT 1',
      'ANALYZE) SELECT 1',
      'EXPLAIN ANALYZE DELETE FROM plans.book',
      'CREATE TABLE plans.x AS SELECT 1',
      "COPY plans.book TO PROGRAM 'true'",
    ])
      for (const analyze of [false, true]) await expect(plan(statement, analyze)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    for (const statement of [
      'SELECT 1; DROP TABLE plans.book',
      'SELECT 1; SELECT 2',
      '',
      '-- nothing',
      '(ANALYZE) DELETE FROM plans.book',
      '(ANALYZE true, FORMAT JSON) SELECT 1',
    ])
      await expect(plan(statement)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(plan('SELECT nothing FROM plans.book')).rejects.toMatchObject({ code: 'STRUCTURE_CHANGED' });
    await expect(plan('SELECT 1 FROM plans.gone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await plan('SELECT 1;')).nodes).toMatchObject([{ operation: 'Result' }]);
  });

  it('finds what planning would call: an immutable function, a default, a domain, a rule, a cast', async () => {
    const sly = [
      'SELECT plans.trace()',
      'SELECT * FROM plans.book WHERE id = plans.trace()',
      'SELECT plans.inlined()',
      'INSERT INTO plans.sly_default (id) VALUES (1)',
      'INSERT INTO plans.sly_view (id) VALUES (1)',
      'INSERT INTO plans.sly_generated (id) VALUES (1)',
      'UPDATE plans.sly_generated SET id = 2',
      'INSERT INTO plans.ruled VALUES (1)',
      'INSERT INTO plans.by_domain (id) VALUES (1)',
      'INSERT INTO plans.moods VALUES (1)',
      'MERGE INTO plans.sly_default s USING plans.book b ON b.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (b.id)',
    ];
    for (const statement of sly) {
      expect([statement, await effect(statement)]).toEqual([statement, 'unknown']);
      // The console says the same of an EXPLAIN that a person wrote.
      expect(await session.console?.classify(`EXPLAIN ${statement}`, { signal })).toMatchObject({
        effect: 'write',
        unknown: true,
      });
    }
    // They are called indeed: the owner may agree to it.
    await expect(plan('INSERT INTO plans.sly_default (id) VALUES (1)')).rejects.toThrow('It ran.');
    // Volatile functions aren't called by a plan; a sequence as a default must not keep a plan from being read.
    expect(await effect('INSERT INTO plans.counted (n) VALUES (1)')).toBe('read');
    await plan('SELECT plans.acts()');
    // And a statement with one is not measured.
    for (const statement of ['SELECT plans.acts()', 'SELECT pg_terminate_backend(1)', "SELECT nextval('plans.counted_id_seq')"])
      await expect(plan(statement, true)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
  });

  it('stops a measured statement that is cancelled, and the session continues', async () => {
    const stop = new AbortController();
    const running = explain.explain('SELECT count(*) FROM plans.skewed a, plans.skewed b, plans.skewed c', {
      analyze: true,
      signal: stop.signal,
    });
    setTimeout(() => stop.abort(), 200);
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
    await session.ping({ signal });
  });
});
