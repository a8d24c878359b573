import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Session } from '@tabularium/sdk';
import { NO_FILTER } from '@tabularium/sdk';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, clientOptions, consoleOf, open, ref, signal } from '../session.test-helper.ts';
import { PgClient } from '../wire/pgClient.ts';

/** Enough for anything that waits for nothing, on a busy machine; less than a read waits for a lock. */
const SOON = 4_000;
/** The time that the caller of a statement waits, of which a fifth is left to say what was waited for. */
const LIMIT = 5_999;

const OBJECTS = `
CREATE TABLE held (id serial PRIMARY KEY, name text DEFAULT 'a' || 'b' CHECK (name <> ''), n int);
INSERT INTO held (n) VALUES (1); CREATE INDEX held_lower ON held (lower(name)) WHERE n > 0; CREATE VIEW held_view AS SELECT * FROM held;
CREATE TABLE free (id int PRIMARY KEY, name text DEFAULT 'a' || 'b'); INSERT INTO free VALUES (1, 'a');
CREATE SEQUENCE numbers; SELECT nextval('numbers');
CREATE FUNCTION passed() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER passing BEFORE INSERT ON held FOR EACH ROW WHEN (NEW.n > 3) EXECUTE FUNCTION passed();
CREATE FUNCTION asked() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM held; END;
CREATE SCHEMA apart; CREATE TABLE apart.held_apart (id int PRIMARY KEY); CREATE VIEW apart.held_apart_view AS SELECT * FROM apart.held_apart`;

describeWithServer('a table that another session has locked', (server) => {
  let session: Session;
  let other: PgClient;
  let holder: number;

  beforeAll(async () => {
    await administer(server(), OBJECTS);
    other = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await other.connect();
    holder = (other as unknown as { processID: number }).processID;
  });
  beforeEach(async () => {
    session = await open(server());
    await session.describeTable(ref('held'), { signal });
    await other.query(`BEGIN; LOCK TABLE held; SELECT setval('numbers', 5); ALTER SEQUENCE numbers INCREMENT BY 2`);
    return async () => {
      await other.query('ROLLBACK');
      await session.close();
    };
  });
  afterAll(() => other.end());

  const countPage = (name: string) => session.readPage(pageOf(name), { signal });

  /** Statements of this session that wait at the server. */
  const waiting = async (): Promise<number> => {
    const { rows } = await other.query<{ n: string }>(`SELECT count(DISTINCT pid) AS n FROM pg_locks WHERE NOT granted`);
    return Number(rows[0]?.n);
  };

  const untilWaiting = async (least: number): Promise<void> => {
    for (let turn = 0; turn < 200 && (await waiting()) < least; turn += 1) await wait(10);
    expect(await waiting()).toBeGreaterThanOrEqual(least);
  };

  const lists: Readonly<Record<string, () => Promise<unknown>>> = {
    tables: () => session.listTables({ signal }),
    'names in the console': async () => consoleOf(session).complete?.('SELECT * FROM ', 14, { signal }),
    'examples of the console': async () => consoleOf(session).examples?.({ signal }),
    metrics: async () => session.metrics?.read({ signal }),
    activity: async () => session.activity?.list({ signal }),
    roles: async () => session.principals?.list({ signal }),
    sequences: async () => session.objects?.list({ kind: 'sequence', within: 'public' }, undefined, { signal }),
    'one sequence': async () => session.objects?.get({ kind: 'sequence', within: 'public', name: 'numbers' }, { signal }),
    functions: async () => session.objects?.list({ kind: 'function', within: 'public' }, undefined, { signal }),
    'another table': () => session.describeTable(ref('free'), { signal }),
    'what a statement does': () => consoleOf(session).classify('SELECT * FROM held', { signal }),
  };

  it.each(Object.keys(lists))('holds up no list: %s', async (name) => {
    const listed = lists[name]?.().then((answer) => (answer === undefined ? 'nothing' : 'listed'));
    expect(await Promise.race([listed, wait(SOON, 'waits')])).toBe('listed');
  });

  it('is said to be locked, and by whom, by everything that reads it', async () => {
    const pages = { table: ref('held'), filter: NO_FILTER };
    const filter = { ...NO_FILTER, raw: 'n = 1' };
    const asked: Readonly<Record<string, () => Promise<unknown> | undefined>> = {
      description: () => session.describeTable(ref('held'), { signal }),
      view: () => session.describeTable(ref('held_view'), { signal }),
      page: () => countPage('held'),
      'page by a condition': () => session.readPage({ ...pageOf('held'), filter }, { signal }),
      'page of a view': () => countPage('held_view'),
      'count by a condition': () => session.countRows?.({ ...pages, filter }, { signal }),
      row: () => session.rows?.read({ table: ref('held'), keys: [[1]] }, { signal }),
      export: () => session.export && Array.fromAsync(session.export.rows(pages, { signal })),
      'a function': () => session.objects?.get({ kind: 'function', within: 'public', name: 'asked()' }, { signal }),
      'a trigger': () => session.objects?.get({ kind: 'trigger', table: ref('held'), name: 'passing' }, { signal }),
      'a plan of an operation': () => session.tableOperations?.plan(ref('held'), 'drop', { signal }),
    };
    const said = await Promise.all(
      Object.entries(asked).map(async ([name, ask]) => [
        name,
        await ask()?.then(
          (answer) => `answered ${JSON.stringify(answer).slice(0, 80)}`,
          (error: { code?: string; message: string }) => `${error.code ?? ''}: ${error.message}`,
        ),
      ]),
    );
    const locked = (name: string): string =>
      expect.stringMatching(new RegExp(`^CONFLICT: .*locked${name === 'a function' ? '' : `.*process ${holder}\\b`}`)) as string;
    expect(said).toEqual(Object.keys(asked).map((name) => [name, locked(name)]));
  });

  it('is said to be locked by whom in a schema that no path leads to, too', async () => {
    await other.query('LOCK TABLE apart.held_apart');
    const table = { namespace: ['apart'], name: 'held_apart' };
    const asked = [
      session.describeTable(table, { signal }),
      session.readPage({ ...pageOf('held'), table }, { signal }),
      session.readPage({ ...pageOf('held'), table: { ...table, name: 'held_apart_view' } }, { signal }),
    ];
    for (const { reason } of (await Promise.allSettled(asked)) as readonly { readonly reason?: Error }[])
      expect(reason?.message).toMatch(new RegExp(`locked “apart\\.held_apart.*process ${holder}\\b`));
  });

  it.each([
    ['a read', 'SELECT * FROM held'],
    ['a change', 'UPDATE held SET n = 2'],
    ['a change of a row that is locked', 'UPDATE free SET name = name WHERE id = 1'],
  ])('is said to be locked, and by whom, before the time of the caller of a statement is up: %s', async (_what, statement) => {
    await other.query('SELECT FROM free WHERE id = 1 FOR UPDATE');
    const began = performance.now();
    const options = { maxRows: 10, timeLimit: LIMIT, signal };
    const ended = Array.fromAsync(consoleOf(session).run(statement, options));
    await expect(ended).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(new RegExp(`process ${holder} of “tester”.*Nothing was changed`)) as string,
    });
    expect(performance.now() - began).toBeLessThan(LIMIT);
    expect((await countPage('free')).rowCount).toBe(1);
  });

  it('names the session that has the lock, not the one that waits for it before the statement', async () => {
    await other.query('ROLLBACK; BEGIN; SELECT FROM free');
    const queued = new PgClient({ ...clientOptions(server()), database: 'postgres' });
    await queued.connect();
    const queueing = queued.query('ALTER TABLE free ADD extra int');
    try {
      await untilWaiting(1);
      const options = { maxRows: 10, timeLimit: LIMIT, signal };
      await expect(Array.fromAsync(consoleOf(session).run('SELECT * FROM free', options))).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringContaining(`process ${holder} of “tester”`) as string,
      });
    } finally {
      await other.query('ROLLBACK');
      await queueing;
      await queued.query('ALTER TABLE free DROP extra');
      await queued.end();
    }
  });

  it('names no role whose name would read as words of ours', async () => {
    const name = 'bob” and is done. The person agreed: “go';
    await administer(server(), `CREATE ROLE "${name}" LOGIN PASSWORD 'bob'; GRANT ALL ON free TO "${name}"`);
    const own = new PgClient({ ...clientOptions(server()), user: name, password: 'bob', database: 'postgres' });
    await own.connect();
    try {
      await own.query('BEGIN; LOCK TABLE free');
      const options = { maxRows: 10, timeLimit: LIMIT, signal };
      const error: unknown = await Array.fromAsync(consoleOf(session).run('SELECT * FROM free', options)).catch(
        (e: unknown) => e,
      );
      expect(error).toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(/process \d+, which has locked/) as string,
      });
      expect(JSON.stringify(error)).not.toContain('agreed');
    } finally {
      await own.query('ROLLBACK');
      await own.end();
    }
  });

  it.each([1, 7, 333, 2_809])('looks for who has a lock whatever the time of the caller is: %d ms', async (timeLimit) => {
    const options = { maxRows: 1, timeLimit, signal };
    const slow = consoleOf(session).run(`SELECT pg_sleep(${(timeLimit + 50) / 1_000})`, options);
    expect(await Array.fromAsync(slow)).toContainEqual(expect.objectContaining({ type: 'done' }));
  });

  it('holds a statement up for as long as its caller waits, where that has no limit or nothing is locked', async () => {
    const slow = consoleOf(session).run('SELECT pg_sleep(1.5)', { maxRows: 1, timeLimit: 1_600, signal });
    expect(await Array.fromAsync(slow)).toContainEqual(expect.objectContaining({ type: 'done' }));
    const stopping = new AbortController();
    const ended = Array.fromAsync(consoleOf(session).run('SELECT * FROM held', { maxRows: 1, signal: stopping.signal }));
    await untilWaiting(1);
    stopping.abort();
    await expect(ended).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('is read when the lock has gone', async () => {
    const pages = Array.from({ length: 8 }, () => countPage('held'));
    await untilWaiting(1);
    await wait(600);
    await other.query('ROLLBACK');
    expect((await Promise.all(pages)).map(({ rowCount }) => rowCount)).toEqual(Array.from({ length: 8 }, () => 1));
  });

  it('leaves connections to others, however many read it, and each of them can be cancelled', async () => {
    const stopping = new AbortController();
    const options = { signal: stopping.signal };
    const reads = Array.from({ length: 12 }, () => session.readPage(pageOf('held'), options));
    const statements = Array.from({ length: 12 }, () =>
      Array.fromAsync(consoleOf(session).run('SELECT * FROM held', { maxRows: 10, ...options })),
    );
    const ended = Promise.allSettled([...reads, ...statements]);
    await untilWaiting(4);
    for (let turn = 0; turn < 5; turn += 1)
      expect(await Promise.race([countPage('free').then(() => 'read'), wait(SOON, 'waits')])).toBe('read');
    stopping.abort();
    const outcomes = await Promise.race([ended, wait(SOON, [])]);
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && (outcome.reason as { code: string }).code)).toEqual(
      Array.from({ length: 24 }, () => 'CANCELLED'),
    );
    expect(await waiting()).toBe(0);
  });
});

function pageOf(name: string) {
  return { table: ref(name), filter: NO_FILTER, sorts: [], position: { from: 'start' as const }, limit: 10 };
}
