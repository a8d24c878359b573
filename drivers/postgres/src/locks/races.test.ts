import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RowChange, Session } from '@tabularium/sdk';
import { NO_FILTER } from '@tabularium/sdk';
import { shareOf } from '../../../../scripts/testing/shareOf.ts';
import { closed, collect, doorsOf } from './doors.test-helper.ts';
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
  sessionOf,
  signal,
} from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

/** Things of another role, as they are before each turn. */
const OBJECTS = `
DROP SCHEMA IF EXISTS sly CASCADE; CREATE SCHEMA sly AUTHORIZATION sly; GRANT USAGE ON SCHEMA sly TO PUBLIC; DROP TABLE IF EXISTS public.orders, public.traces; CREATE TABLE public.traces (id int);
CREATE TABLE public.orders (id int PRIMARY KEY, t text); INSERT INTO public.orders VALUES (1, 'x'); ALTER TABLE public.orders OWNER TO sly; SET ROLE sly;
CREATE FUNCTION sly.act() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN IF current_user = 'tester' THEN PERFORM pg_notify('traces', 'ran'); END IF; RETURN true; END $$;
CREATE FUNCTION sly.acts(int) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN IF current_user = 'tester' THEN PERFORM pg_try_advisory_lock(4711); PERFORM pg_notify('traces', 'ran'); END IF; RETURN true; END $$;
CREATE FUNCTION sly.trigger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_notify('traces', 'ran'); PERFORM set_config('sly.ran', 'yes', false); INSERT INTO public.traces VALUES (1); RETURN NEW; END $$;
CREATE TABLE sly.plain (id int PRIMARY KEY, t text); INSERT INTO sly.plain VALUES (1, 'a'), (2, 'b'); CREATE VIEW sly.report AS SELECT id, t FROM sly.plain;
CREATE TABLE sly.whole (id int, t text) PARTITION BY RANGE (id); CREATE TABLE sly.part PARTITION OF sly.whole FOR VALUES FROM (0) TO (9); INSERT INTO sly.whole VALUES (1, 'a');
RESET ROLE; ALTER TABLE public.traces OWNER TO sly; GRANT SELECT ON ALL TABLES IN SCHEMA sly TO PUBLIC`;

/** Changes that another transaction makes to a table that is read, and the table by whose name it is reached. */
const TURNS_OF_READS: readonly (readonly [turn: string, table: string, sql: string])[] = [
  ['a view', 'report', 'CREATE OR REPLACE VIEW sly.report AS SELECT id, t FROM sly.plain WHERE sly.acts(1)'],
  ['a view below a view', 'upper', 'CREATE OR REPLACE VIEW sly.report AS SELECT id, t FROM sly.plain WHERE sly.acts(1)'],
  ['an index', 'plain', 'LOCK TABLE sly.plain; CREATE INDEX odd ON sly.plain (id) WHERE sly.acts(1)'],
  ['the index of a partition', 'whole', 'LOCK TABLE sly.part; CREATE INDEX odd ON sly.part (id) WHERE sly.acts(1)'],
  ['a check of a partition', 'whole', 'ALTER TABLE sly.part ADD CONSTRAINT odd CHECK (sly.acts(1)) NOT VALID'],
  ['a check', 'plain', 'ALTER TABLE sly.plain ADD CONSTRAINT odd CHECK (sly.acts(1)) NOT VALID'],
];

const OTHER_REPORT = 'CREATE OR REPLACE VIEW sly.report AS SELECT id, t FROM sly.plain WHERE sly.acts(1)';

/** Reads of the role are not those of a superuser here, whom no policy binds. */
const POLICY = `CREATE POLICY odd ON sly.plain USING (sly.acts(1)); ALTER TABLE sly.plain ENABLE ROW LEVEL SECURITY`;

const TURNS_OF_CHANGES: readonly (readonly [turn: string, sql: string])[] = [
  ['a trigger before', 'CREATE TRIGGER odd BEFORE INSERT OR UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION sly.trigger()'],
  ['a trigger after', 'CREATE TRIGGER odd AFTER INSERT OR UPDATE ON public.orders FOR EACH ROW EXECUTE FUNCTION sly.trigger()'],
  [
    'a rule',
    'CREATE RULE odd AS ON INSERT TO public.orders DO ALSO INSERT INTO public.traces VALUES (1); CREATE RULE even AS ON UPDATE TO public.orders DO ALSO INSERT INTO public.traces VALUES (1)',
  ],
  ['a check', 'ALTER TABLE public.orders ADD CONSTRAINT odd CHECK (sly.acts(id)) NOT VALID'],
  ['a default', 'ALTER TABLE public.orders ADD COLUMN odd boolean DEFAULT sly.act()'],
  ['an index', 'CREATE INDEX odd ON public.orders (id) WHERE sly.acts(1)'],
];

describeWithServer('what another transaction changes meanwhile', (server) => {
  let session: Session;
  let guest: Session;
  let other: PgClient;
  let watcher: PgClient;
  let heard: string[] = [];

  beforeAll(async () => {
    await administer(
      server(),
      `CREATE ROLE sly LOGIN PASSWORD 'sly'; CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT CREATE ON SCHEMA public TO sly`,
    );
    session = await open(server());
    guest = await open(server(), { user: 'guest', password: 'guest' });
    other = new PgClient({ ...clientOptions(server()), user: 'sly', password: 'sly', database: 'postgres' });
    watcher = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await Promise.all([other.connect(), watcher.connect()]);
    watcher.on('notification', ({ payload }) => void heard.push(payload ?? ''));
    await watcher.query('LISTEN traces');
  });
  beforeEach(async () => {
    await other.query('ROLLBACK');
    await administer(server(), OBJECTS);
    await other.query('CREATE VIEW sly.upper AS SELECT * FROM sly.report; GRANT SELECT ON sly.upper TO PUBLIC');
    heard = [];
  });
  afterAll(async () => {
    await Promise.all([other.end(), watcher.end(), session.close(), guest.close()]);
  });

  /** Whether something waits for a lock at the server. */
  const untilWaiting = async (): Promise<void> => {
    for (let count = 0; count < 200; count += 1) {
      const { rows } = await watcher.query<{ n: string }>(`SELECT count(*) AS n FROM pg_locks WHERE NOT granted`);
      if (rows[0]?.n !== '0') return;
      await wait(10);
    }
    throw new Error('Nothing waits.');
  };

  /** Does something while another transaction has done this and isn't at its end. */
  const during = async <T>(sql: string, work: () => Promise<T>, end: 'COMMIT' | 'ROLLBACK' = 'COMMIT'): Promise<T> => {
    await other.query(`BEGIN; ${sql}`);
    const running = work();
    running.catch(() => undefined);
    await untilWaiting();
    await other.query(end);
    return await running;
  };

  const expectNothing = async (): Promise<void> => {
    const { rows } = await watcher.query<{ n: string }>(
      `SELECT (SELECT count(*) FROM public.traces) + (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory') AS n`,
    );
    expect([rows, heard]).toEqual([[{ n: '0' }], []]);
  };

  const doors = doorsOf(() => session);

  describe.each(Object.entries(doors))('and a statement in %s', (name, runner) => {
    const at = Object.keys(doors).indexOf(name);

    it.each(shareOf(TURNS_OF_READS, { of: 2, at }))('reads nothing by %s', async (_turn, table, sql) => {
      const door = await runner();
      const statement = `SELECT * FROM sly.${table}`;
      const { effect, tables } = await door.classify(statement, { signal });
      expect(effect).toBe('read');
      await expect(during(sql, () => collect(door, statement, { effect, tables }))).rejects.toMatchObject({ code: 'CONFLICT' });
      await expectNothing();
      await closed(door);
    });

    it.each([
      [
        'a sequence that becomes a view',
        'SELECT * FROM sly.counter',
        'DROP SEQUENCE sly.counter; CREATE VIEW sly.counter AS SELECT id FROM sly.plain WHERE sly.acts(1)',
      ],
      ['a view, where a label is a word of other statements', 'SELECT id AS concurrently FROM sly.report', OTHER_REPORT],
    ])('reads nothing by %s', async (_turn, statement, sql) => {
      await administer(server(), 'CREATE SEQUENCE sly.counter; ALTER SEQUENCE sly.counter OWNER TO sly');
      const door = await runner();
      const { effect, tables } = await door.classify(statement, { signal });
      expect(effect).toBe('read');
      await expect(during(sql, () => collect(door, statement, { effect, tables }))).rejects.toThrow();
      await expectNothing();
      await closed(door);
    });

    it.each(shareOf(TURNS_OF_CHANGES, { of: 2, at }))('changes nothing by %s', async (_turn, sql) => {
      const door = await runner();
      const statement = "INSERT INTO orders VALUES (2, 'y')";
      const { effect, unknown, tables } = await door.classify(statement, { signal });
      expect([effect, unknown]).toEqual(['write', undefined]);
      await expect(during(sql, () => collect(door, statement, { effect, tables }))).rejects.toMatchObject({ code: 'CONFLICT' });
      await expectNothing();
      await closed(door);
    });

    it('runs where the other transaction only ends', async () => {
      const door = await runner();
      const locked = 'LOCK TABLE sly.plain, public.orders';
      const all = await during(locked, () => collect(door, 'SELECT * FROM sly.plain', { effect: 'read' }), 'ROLLBACK');
      expect(all.flatMap((event) => (event.type === 'rows' ? event.rows : []))).toHaveLength(2);
      const written = during(locked, () => collect(door, "INSERT INTO orders VALUES (3, 'z')", { effect: 'write' }), 'ROLLBACK');
      expect((await written).at(-1)).toMatchObject({ type: 'done', affectedRows: 1 });
      await closed(door);
    });

    it('can be stopped while it waits, and leaves nothing that waits', async () => {
      const door = await runner();
      await other.query('BEGIN; LOCK TABLE sly.plain, public.orders');
      for (const statement of ['SELECT * FROM sly.plain', "INSERT INTO orders VALUES (3, 'z')"]) {
        const stop = new AbortController();
        const running = collect(door, statement, undefined, stop.signal);
        await untilWaiting();
        stop.abort();
        await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
        expect((await watcher.query('SELECT FROM pg_locks WHERE NOT granted')).rows).toEqual([]);
      }
      await other.query('ROLLBACK');
      await closed(door);
    });
  });

  it('reads nothing by a policy', async () => {
    const statement = 'SELECT * FROM sly.plain';
    const running = during(POLICY, () => collect(consoleOf(guest), statement, { effect: 'read' }));
    await expect(running).rejects.toMatchObject({ code: 'CONFLICT' });
    await expectNothing();
  });

  it('waits no longer than the role has allowed', async () => {
    await administer(server(), `ALTER ROLE guest SET statement_timeout = '300ms'`);
    const limited = await open(server(), { user: 'guest', password: 'guest' });
    await administer(server(), 'ALTER ROLE guest RESET statement_timeout');
    await other.query('BEGIN; LOCK TABLE sly.plain');
    await expect(collect(consoleOf(limited), 'SELECT * FROM sly.plain')).rejects.toMatchObject({ code: 'TIMEOUT' });
    await other.query('ROLLBACK');
    await limited.close();
  });

  it('locks for a role with a right to single columns, for foreign tables and for materialized views', async () => {
    await administer(
      server(),
      `CREATE EXTENSION IF NOT EXISTS file_fdw; DROP SERVER IF EXISTS files CASCADE; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
      CREATE FOREIGN TABLE sly.file (a text) SERVER files OPTIONS (filename '/dev/null'); CREATE MATERIALIZED VIEW sly.kept AS SELECT 1 AS a;
      REVOKE ALL ON sly.plain FROM PUBLIC; GRANT SELECT (id), UPDATE (t) ON sly.plain TO guest; GRANT SELECT ON sly.file, sly.kept TO guest`,
    );
    await collect(consoleOf(guest), 'SELECT id FROM sly.plain', { effect: 'read' });
    await collect(consoleOf(guest), "UPDATE sly.plain SET t = 'c' WHERE id = 1", { effect: 'write' });
    await collect(consoleOf(guest), 'SELECT * FROM sly.kept', { effect: 'read' });
    await collect(consoleOf(guest), 'SELECT * FROM sly.file', { effect: 'read' });
    for (const name of ['kept', 'file']) await read(guest, ref(name, 'sly'));
  });

  describe('and rows of a table', () => {
    const REQUEST = { filter: NO_FILTER, sorts: [] };
    const doorsOfRows: Readonly<Record<string, (table: string) => Promise<unknown>>> = {
      'a page': (table) => read(session, ref(table, 'sly')),
      'a count': (table) => session.countRows({ table: ref(table, 'sly'), filter: NO_FILTER }, { signal }),
      'an export': (table) =>
        Array.fromAsync(session.export?.rows({ table: ref(table, 'sly'), filter: NO_FILTER }, { signal }) ?? []),
      suggestions: async (table) =>
        await session.suggestions?.values({ table: ref(table, 'sly'), column: 't', typed: '', limit: 5 }, { signal }),
      'a condition': (table) => read(session, ref(table, 'sly'), { ...REQUEST, filter: { ...NO_FILTER, raw: 'id > 0' } }),
    };

    describe.each(Object.entries(doorsOfRows))('by %s', (name, door) => {
      it.each(shareOf(TURNS_OF_READS, { of: 2, at: Object.keys(doorsOfRows).indexOf(name) }))(
        'are not read by %s',
        async (_turn, table, sql) => {
          expect(await session.describeTable(ref(table, 'sly'), { signal })).not.toHaveProperty('uncertainRead');
          await door(table);
          await expect(during(sql, () => door(table))).rejects.toMatchObject({ code: 'STRUCTURE_CHANGED' });
          await expectNothing();
        },
      );

      it('are read where the other transaction only ends', async () => {
        await session.describeTable(ref('plain', 'sly'), { signal });
        await door('plain');
        await during('LOCK TABLE sly.plain', () => door('plain'), 'ROLLBACK');
      });
    });

    it('are not read by a row’s key', async () => {
      const one = (): Promise<unknown> =>
        session.rows?.read({ table: ref('plain', 'sly'), keys: [[1]] }, { signal }) ?? Promise.resolve();
      await session.describeTable(ref('plain', 'sly'), { signal });
      await one();
      const turn = 'LOCK TABLE sly.plain; CREATE INDEX odd ON sly.plain (id) WHERE sly.acts(1)';
      await expect(during(turn, one)).rejects.toMatchObject({ code: 'STRUCTURE_CHANGED' });
      await expectNothing();
    });

    it('are read again when the description was, which says what is called', async () => {
      await other.query('CREATE OR REPLACE VIEW sly.report AS SELECT id, t FROM sly.plain WHERE sly.acts(id)');
      expect(await session.describeTable(ref('report', 'sly'), { signal })).toHaveProperty('uncertainRead');
      await expect(read(session, ref('report', 'sly'))).resolves.toHaveLength(2);
    });
  });

  describe.each(['explain', 'console session'] as const)('and a plan by %s', (door) => {
    it.each(TURNS_OF_READS.filter(([turn]) => !turn.includes('check')))('is not made by %s', async (_turn, table, sql) => {
      const facet = door === 'explain' ? session.explain : (await sessionOf(session)).explain;
      const options = { analyze: false, signal };
      const statement = `SELECT * FROM sly.${table}`;
      expect(await facet?.classify(statement, options)).toMatchObject({ effect: 'read' });
      const plan = async (): Promise<unknown> => await facet?.explain(statement, options);
      await expect(during(sql, plan)).rejects.toMatchObject({ code: 'CONFLICT' });
      await expectNothing();
    });
  });

  describe('and changes of rows', () => {
    const changes: Readonly<Record<string, RowChange>> = {
      insert: { kind: 'insert', values: [{ column: 'id', value: 9 }] },
      update: { kind: 'update', key: [1], assignments: [{ column: 't', value: 'new' }] },
    };

    describe.each(Object.entries(changes))('that %s one', (_kind, change) => {
      it.each(TURNS_OF_CHANGES)('are not made by %s', async (_turn, sql) => {
        const [prepared] = (await session.edits?.prepare(ref('orders'), [change], { signal })) ?? [];
        expect(prepared).not.toHaveProperty('effect');
        const made = await during(sql, () => apply(session, 'orders', [change]));
        expect(made).toMatchObject([{ outcome: 'failed', code: 'CONFLICT' }]);
        await expectNothing();
      });

      it('are not made by what came before they were sent, after they were prepared', async () => {
        await session.edits?.prepare(ref('orders'), [change], { signal });
        await other.query(TURNS_OF_CHANGES[0]?.[1] ?? '');
        expect(await apply(session, 'orders', [change])).toMatchObject([{ outcome: 'failed', code: 'CONFLICT' }]);
        await expectNothing();
        // Agreed to as what it is.
        const [prepared] = (await session.edits?.prepare(ref('orders'), [change], { signal })) ?? [];
        expect(prepared).toMatchObject({ effect: 'destructive' });
        expect(await apply(session, 'orders', [change])).toMatchObject([{ outcome: 'saved' }]);
      });

      it('are made where the other transaction only ends', async () => {
        await session.edits?.prepare(ref('orders'), [change], { signal });
        const made = await during('LOCK TABLE public.orders', () => apply(session, 'orders', [change]), 'ROLLBACK');
        expect(made).toMatchObject([{ outcome: 'saved' }]);
      });
    });

    describe.each([
      ['copied', 'create', 30],
      ['inserted', 'create', 1],
      ['replaced', 'upsert', 1],
    ] as const)('by an import, %s', (_how, mode, count) => {
      const rows = Array.from({ length: count }, (_, index) => JSON.stringify({ id: index + 100, t: 'a' }));

      it.each(TURNS_OF_CHANGES)('are not made by %s', async (_turn, sql) => {
        const form = await session.import?.form(ref('orders'), { signal });
        expect(form?.modes.map(({ effect }) => effect)).toEqual(['write', 'write']);
        await expect(during(sql, () => importRows(session, ref('orders'), mode, rows))).rejects.toMatchObject({
          code: 'CONFLICT',
        });
        await expectNothing();
      });

      it('are made where the other transaction only ends', async () => {
        await session.import?.form(ref('orders'), { signal });
        const made = await during('LOCK TABLE public.orders', () => importRows(session, ref('orders'), mode, rows), 'ROLLBACK');
        expect(made.every(({ outcome }) => outcome === 'written')).toBe(true);
      });
    });
  });
});
