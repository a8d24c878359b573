import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { NO_FILTER } from '@tabularium/sdk';
import { createTestSocket } from '@tabularium/sdk/testing';
import { shareOf } from '../../../../scripts/testing/shareOf.ts';
import { requirePermitted } from '../console/requirePermitted.ts';
import { PgDatabase } from '../pgDatabase.ts';
import { readFacts } from '../serverFacts.ts';
import { closed, collect, doorsOf, rowsIn } from './doors.test-helper.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, consoleOf, open, read, ref, sessionOf, signal } from '../session.test-helper.ts';
import { judgeVerdict } from '../sql/judge.ts';
import type { Judged } from '../sql/judge.ts';
import { verdictOf } from '../sql/verdict.ts';
import { Link } from '../wire/link.ts';
import { LinkBudget } from '../wire/linkBudget.ts';
import { Links } from '../wire/links.ts';
import { PgClient } from '../wire/pgClient.ts';
import { PlannedStatements } from './plannedStatements.ts';
import { MOST_LOCKED, READS, TOO_MANY_TABLES } from './reached.ts';

const OBJECTS = `
DROP SCHEMA IF EXISTS sly CASCADE; CREATE SCHEMA sly AUTHORIZATION sly; GRANT USAGE ON SCHEMA sly TO PUBLIC; SET ROLE sly;
CREATE FUNCTION sly.trace() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE format('COPY (SELECT 1) TO %L', current_setting('data_directory') || '/trace' || random()); END $$;
CREATE FUNCTION sly.acts(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF current_user = 'tester' THEN PERFORM sly.trace(); END IF; RETURN true; END $$;
CREATE TABLE sly.plain (id int PRIMARY KEY, t text); INSERT INTO sly.plain VALUES (1, 'a'), (2, 'b');
CREATE TYPE sly.report AS (id int, t text); CREATE INDEX listing ON sly.plain (t);
RESET ROLE; ALTER TYPE sly.report OWNER TO tester; GRANT SELECT ON ALL TABLES IN SCHEMA sly TO PUBLIC`;

const EVIL = 'AS SELECT id, t FROM sly.plain WHERE sly.acts(1)';

/** Things that can't be locked before a statement names them, and what another transaction puts in their place. */
const TURNS: readonly (readonly [turn: string, statement: string, sql: string])[] = [
  ['a type that becomes a view', 'SELECT * FROM sly.report', `DROP TYPE sly.report; CREATE VIEW sly.report ${EVIL}`],
  ['an index that becomes a view', 'SELECT * FROM sly.listing', `DROP INDEX sly.listing; CREATE VIEW sly.listing ${EVIL}`],
  [
    'an index that is made while another is built again',
    'SELECT a.* FROM sly.plain a JOIN sly.plain b USING (id) WHERE a.t > $$a$$',
    'REINDEX INDEX sly.listing; CREATE INDEX odd ON sly.plain (id) WHERE sly.acts(1)',
  ],
];

/** Files that {@link OBJECTS} leave where their function ran as the superuser, which last when the transaction is rolled back. */
const TRACES = `SELECT count(*)::int AS n FROM pg_ls_dir(current_setting('data_directory')) AS f WHERE f LIKE 'trace%'`;

/** Longer than a statement needs that doesn't wait. */
const A_WHILE = 400;

describeWithServer('what comes to be reached while a statement is planned', (server) => {
  let session: Session;
  let other: PgClient;
  let watcher: PgClient;
  let traces = 0;

  beforeAll(async () => {
    await administer(server(), `CREATE ROLE sly LOGIN PASSWORD 'sly'`);
    session = await open(server());
    other = new PgClient({ ...clientOptions(server()), user: 'sly', password: 'sly', database: 'postgres' });
    watcher = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await Promise.all([other.connect(), watcher.connect()]);
  });
  beforeEach(async () => {
    await other.query('ROLLBACK');
    await administer(server(), OBJECTS);
    traces = await countTraces();
  });
  afterAll(async () => {
    await Promise.all([other.end(), watcher.end(), session.close()]);
  });

  const countTraces = async (): Promise<number> => (await watcher.query<{ n: number }>(TRACES)).rows[0]?.n ?? -1;

  const expectNothing = async (): Promise<void> => {
    expect(await countTraces()).toBe(traces);
  };

  /** Does something while another transaction has done this and isn't at its end. */
  const during = async <T>(sql: string, work: () => Promise<T>, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): Promise<T> => {
    await other.query(`BEGIN; ${sql}`);
    let isDone = false;
    const running = work().finally(() => {
      isDone = true;
    });
    running.catch(() => undefined);
    await wait(A_WHILE);
    expect(isDone).toBe(false);
    await other.query(end);
    return await running;
  };

  const doors = doorsOf(() => session);

  describe.each(Object.entries(doors))('in %s', (name, runner) => {
    it.each(shareOf(TURNS, { of: 2, at: Object.keys(doors).indexOf(name) }))('isn’t run: %s', async (turn, statement, sql) => {
      const door = await runner();
      const { effect, tables } = await door.classify(statement, { signal });
      expect(effect).toBe('read');
      // Where the other transaction ends in the moment of planning, the statement may be planned without what that has made.
      const ended = await during(sql, () => collect(door, statement, { effect, tables })).catch((error: unknown) => error);
      if (!Array.isArray(ended)) expect(ended).toMatchObject({ code: 'CONFLICT' });
      else expect(turn).toContain('index that is made');
      await expectNothing();
      await closed(door);
    });

    it('isn’t waited for longer than the other transaction, and leaves a transaction as it was', async () => {
      const door = await runner();
      const all = await during('REINDEX INDEX sly.listing', () => collect(door, TURNS[2]?.[1] ?? ''), 'ROLLBACK');
      expect(rowsIn(all)).toEqual([[2, 'b']]);
      const [setting] = rowsIn(await collect(door, `SELECT current_setting('lock_timeout')`));
      expect(setting).toEqual(['0']);
      await closed(door);
    });

    it('doesn’t hinder a stop', async () => {
      const door = await runner();
      await other.query('BEGIN; REINDEX INDEX sly.listing');
      const stop = new AbortController();
      const running = collect(door, TURNS[2]?.[1] ?? '', undefined, stop.signal);
      setTimeout(() => stop.abort(), A_WHILE);
      await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
      await other.query('ROLLBACK');
      expect(rowsIn(await collect(door, 'SELECT count(*) FROM sly.plain'))).toEqual([[2]]);
      await closed(door);
    });
  });

  const rows: Readonly<Record<string, (raw: string) => Promise<unknown>>> = {
    'a page': (raw) => read(session, ref('plain', 'sly'), { filter: { ...NO_FILTER, raw }, sorts: [] }),
    'a count': (raw) => session.countRows({ table: ref('plain', 'sly'), filter: { ...NO_FILTER, raw } }, { signal }),
    'an export': (raw) =>
      Array.fromAsync(session.export?.rows({ table: ref('plain', 'sly'), filter: { ...NO_FILTER, raw } }, { signal }) ?? []),
    'a plan': async (raw) => await session.explain?.explain(`SELECT * FROM sly.plain WHERE ${raw}`, { analyze: false, signal }),
  };

  describe.each(Object.entries(rows))('in the condition of %s', (door, work) => {
    it.each(TURNS.slice(0, 2))('isn’t run: %s', async (_turn, statement, sql) => {
      const raw = `id IN (${statement.replace('*', 'id')})`;
      if (door === 'a plan') await session.explain?.classify(`SELECT * FROM sly.plain WHERE ${raw}`, { analyze: false, signal });
      await session.describeTable(ref('plain', 'sly'), { signal });
      await expect(during(sql, () => work(raw))).rejects.toMatchObject({
        code: door === 'a plan' ? 'CONFLICT' : 'UNSUPPORTED',
      });
      await expectNothing();
    });
  });

  it('isn’t read in the place of a table whose name a type has taken', async () => {
    await session.describeTable(ref('plain', 'sly'), { signal });
    await other.query(`DROP TABLE sly.plain CASCADE; CREATE TYPE sly.plain AS (id int, t text)`);
    for (const door of [
      () => read(session, ref('plain', 'sly')),
      () => session.rows?.read({ table: ref('plain', 'sly'), keys: [[1]] }, { signal }),
    ])
      await expect(door()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('leaves a trace where it is run', async () => {
    await other.query(`CREATE VIEW sly.seen ${EVIL}; GRANT SELECT ON sly.seen TO PUBLIC`);
    await collect(consoleOf(session), 'SELECT * FROM sly.seen');
    expect(await countTraces()).toBeGreaterThan(traces);
  });

  /** A connection whose statements are planned here, and the others of its database. */
  async function opened(): Promise<{ readonly link: Link; readonly links: Links; readonly database: PgDatabase }> {
    const { port, user, password } = server();
    const socket = createTestSocket({ host: '127.0.0.1', port, maxSockets: 2 });
    const openLink = (): Promise<Link> => Link.open(socket, { user, password, database: 'postgres' }, signal);
    const link = await openLink();
    const links = new Links(openLink, new LinkBudget(1));
    const database = new PgDatabase(links, await readFacts(link, signal));
    return { link, links, database };
  }

  it.each(['before it is planned', 'before it is judged'])('is judged once more where it came %s', async (moment) => {
    const text = 'SELECT count(*) FROM sly.plain WHERE id > 0';
    const { link, links, database } = await opened();
    const verdict = verdictOf(text);
    const statements = new PlannedStatements<Judged>(link, database, {
      reach: READS,
      judge: (reader) => judgeVerdict(reader, verdict, text, signal),
      check: (judged, first) => requirePermitted(judged, first),
      beginning: [{ text: 'BEGIN' }],
    });
    const turn = 'CREATE INDEX odd ON sly.plain (id) WHERE sly.acts(id)';
    try {
      if (moment === 'before it is judged') await other.query(turn);
      expect(await statements.judged(signal)).toMatchObject({ effect: moment === 'before it is judged' ? 'write' : 'read' });
      if (moment === 'before it is planned') await other.query(turn);
      const planned = statements.plan([{ text }], [], signal);
      if (moment === 'before it is planned') await expect(planned).rejects.toMatchObject({ code: 'CONFLICT' });
      else expect((await link.batch(await planned, signal))[0]?.rows).toEqual([['2']]);
    } finally {
      await Promise.all([link.close(), links.close()]);
    }
  });

  it('has other columns when it is planned than when it was parsed, and is parsed again', async () => {
    const text = 'SELECT DISTINCT pg_catalog.pg_typeof(v) AS type, v FROM thing';
    await administer(
      server(),
      'CREATE TABLE public.thing (v int); INSERT INTO public.thing VALUES (1); GRANT SELECT ON public.thing TO PUBLIC',
    );
    const { link, links, database } = await opened();
    let turn = 0;
    const statements = new PlannedStatements(link, database, {
      reach: READS,
      judge: async () => {
        turn += 1;
        if (turn === 1) await administer(server(), 'CREATE TABLE public.ends_a_transaction ()');
        // A new schema has the server look the names up again.
        if (turn !== 2) return;
        // A new schema has the server look the names up again, when it has heard of that.
        await administer(
          server(),
          `CREATE SCHEMA early; CREATE TABLE early.thing (v text); INSERT INTO early.thing VALUES ('a')`,
        );
        await link.batch([{ text: 'SELECT count(*) FROM pg_catalog.pg_user_mappings' }], signal);
      },
      beginning: [{ text: 'BEGIN' }, { text: 'SET LOCAL search_path = early, public' }],
    });
    try {
      await statements.judged(signal);
      expect((await link.batch(await statements.plan([{ text }], [], signal), signal))[0]?.rows).toEqual([['text', 'a']]);
      expect(turn).toBeGreaterThan(1);
    } finally {
      await Promise.all([link.close(), links.close()]);
      await administer(server(), 'DROP SCHEMA IF EXISTS early CASCADE; DROP TABLE public.thing, public.ends_a_transaction');
    }
  });

  it('is waited for as long as a transaction allows, which stays open', async () => {
    const own = await sessionOf(session);
    await collect(own, 'BEGIN');
    await collect(own, `SET LOCAL lock_timeout = '300ms'`);
    await collect(own, `INSERT INTO sly.plain VALUES (3, 'c')`);
    const holder = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await holder.connect();
    await holder.query('CREATE TABLE sly.far (id int PRIMARY KEY)');
    await holder.query('BEGIN; REINDEX INDEX sly.far_pkey');
    try {
      const began = performance.now();
      const failed = collect(own, 'SELECT * FROM sly.far WHERE id = 1');
      await expect(failed).rejects.toMatchObject({ code: 'CONFLICT', details: { status: '55P03' } });
      expect(performance.now() - began).toBeLessThan(20_000);
      expect(own.context.transaction).toBe('open');
      await holder.query('ROLLBACK');
      expect(rowsIn(await collect(own, 'SELECT count(*) FROM sly.far, sly.plain'))).toEqual([[0]]);
      expect(rowsIn(await collect(own, 'SELECT count(*) FROM sly.plain'))).toEqual([[3]]);
    } finally {
      await Promise.all([holder.end(), own.close()]);
    }
  });

  it('is another thing with the name of a column, which has no part in the statement', async () => {
    await other.query(
      `CREATE VIEW sly.first AS SELECT 1 AS id; CREATE VIEW sly.second AS SELECT * FROM sly.first; CREATE OR REPLACE VIEW sly.first AS SELECT id FROM sly.second;
      CREATE TABLE sly.asked (id int); CREATE POLICY round ON sly.asked USING (id IN (SELECT a.id FROM sly.asked a)); ALTER TABLE sly.asked ENABLE ROW LEVEL SECURITY; ALTER TABLE sly.asked FORCE ROW LEVEL SECURITY; GRANT SELECT ON sly.asked TO PUBLIC`,
    );
    const own = await sessionOf(session);
    await collect(own, 'SET search_path = sly');
    for (const door of [consoleOf(session), own])
      expect(rowsIn(await collect(door, `SELECT p.id AS first, p.t AS asked, 'sly' AS sly FROM sly.plain p`))).toHaveLength(2);
    await own.close();
  });

  it('is gone meanwhile, and no part of the statement', async () => {
    await other.query('CREATE TABLE sly.whole (id int) PARTITION BY RANGE (id); GRANT SELECT ON sly.whole TO PUBLIC');
    const stop = new AbortController();
    const changing = (async () => {
      for (let n = 0; !stop.signal.aborted; n += 1) {
        await other.query(
          `CREATE TABLE sly.part_${n} PARTITION OF sly.whole FOR VALUES FROM (${n}) TO (${n + 1}); CREATE TABLE sly.t (id int)`,
        );
        await other.query(`DROP TABLE sly.part_${n}; DROP TABLE sly.t`);
        // On a busy machine a statement is looked at more slowly than these come and go.
        await wait(10);
      }
    })();
    const own = await sessionOf(session);
    await collect(own, 'SET search_path = sly, public');
    try {
      for (let turn = 0; turn < 40; turn += 1) {
        await collect(consoleOf(session), 'SELECT count(*) FROM sly.whole');
        await collect(own, 'SELECT t FROM sly.plain');
        await read(session, ref('whole', 'sly'));
      }
    } finally {
      stop.abort();
      await changing;
      await own.close();
    }
    await expectNothing();
  });

  it('is no more tables than can be locked, unless a person has agreed to that', async () => {
    await administer(server(), 'CREATE TABLE sly.wide (id int) PARTITION BY RANGE (id)');
    // Few in each transaction: their locks are in memory that all sessions share.
    for (let from = 0; from <= MOST_LOCKED; from += 250)
      await administer(
        server(),
        `DO $$ BEGIN FOR n IN ${from}..${from + 249} LOOP EXECUTE format('CREATE TABLE sly.wide_%s PARTITION OF sly.wide FOR VALUES FROM (%s) TO (%s)', n, n, n + 1); END LOOP; END $$`,
      );
    await administer(server(), 'INSERT INTO sly.wide VALUES (1), (2)');
    const { uncertainRead } = await session.describeTable(ref('wide', 'sly'), { signal });
    expect(JSON.stringify(uncertainRead)).toContain(TOO_MANY_TABLES);
    expect(await read(session, ref('wide', 'sly'))).toHaveLength(2);
  });
});
