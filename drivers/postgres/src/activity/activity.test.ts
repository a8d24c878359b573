import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { ActivityFacet, RunningEntry, Session } from '@tabularium/sdk';
import { PgClient } from '../wire/pgClient.ts';
import { describeWithServer } from '../server.test-helper.ts';
import type { TestServer } from '../server.test-helper.ts';
import { administer, open, run, signal } from '../session.test-helper.ts';

interface Other {
  readonly name: string;
  readonly client: PgClient;
  /** Runs a statement, and says how it ended: with `done`, or an SQLSTATE. */
  run(text: string): Promise<string>;
}

const others: Other[] = [];

/** A session past the driver. */
async function another(server: TestServer, name: string, user = server.user, password = server.password): Promise<Other> {
  const options = { host: '127.0.0.1', port: server.port, database: 'postgres', application_name: name };
  const client = new PgClient({ ...options, user, password });
  client.on('error', () => undefined);
  await client.connect();
  const other = {
    name,
    client,
    run: (text: string) =>
      client.query(text).then(
        () => 'done',
        (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : String(error)),
      ),
  };
  others.push(other);
  return other;
}

afterEach(async () => {
  await Promise.all(others.splice(0).map(({ client }) => client.end().catch(() => undefined)));
});

function activityOf({ activity }: Session): ActivityFacet {
  if (activity === undefined) throw new Error('The session shows no activity.');
  return activity;
}

async function entry(session: Session, name: string): Promise<RunningEntry | undefined> {
  const { entries } = await activityOf(session).list({ signal });
  return entries.find(({ application }) => application === name);
}

/** The entry once it is as expected. */
async function entryThat(session: Session, name: string, is: (entry: RunningEntry) => boolean): Promise<RunningEntry> {
  let found: RunningEntry | undefined;
  await expect
    .poll(async () => {
      found = await entry(session, name);
      return found !== undefined && is(found);
    })
    .toBe(true);
  if (found === undefined) throw new Error('The entry is gone.');
  return found;
}

const isBusy = ({ state }: RunningEntry): boolean => state === 'running' || state === 'waiting';
const SLEEPS = 'SELECT pg_sleep(600)';

describeWithServer('activity of PostgreSQL', (server) => {
  let session: Session;
  beforeAll(async () => {
    await administer(
      server(),
      `CREATE SCHEMA busy; CREATE TABLE busy.stock (id int PRIMARY KEY, n int); INSERT INTO busy.stock VALUES (1, 0);
      CREATE ROLE viewer LOGIN PASSWORD 'v'; CREATE ROLE signaller LOGIN PASSWORD 'k' IN ROLE pg_signal_backend; GRANT ALL ON SCHEMA busy TO viewer`,
    );
    session = await open(server());
  });
  afterAll(async () => {
    await session.close();
    await administer(server(), 'DROP SCHEMA busy CASCADE; DROP ROLE viewer; DROP ROLE signaller');
  });

  it('says who waits for whom, for which lock, and since when', async () => {
    const holder = await another(server(), 'holder');
    const waiter = await another(server(), 'waiter');
    await holder.run('BEGIN');
    await holder.run('LOCK TABLE busy.stock');
    const waitingRun = waiter.run('UPDATE busy.stock SET n = n + 1');
    const found = await entryThat(session, 'waiter', ({ state }) => state === 'waiting');
    const held = await entryThat(session, 'holder', ({ state }) => state === 'inTransaction');
    expect(found).toMatchObject({
      kind: 'session',
      user: 'tester',
      namespace: 'postgres',
      client: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
      statement: { text: 'UPDATE busy.stock SET n = n + 1', isCut: false },
      lockWait: { lock: 'relation busy.stock (RowExclusiveLock)', blockedBy: [held.id], others: [] },
      own: false,
      ways: ['cancel', 'terminate'],
    });
    expect(held).toMatchObject({ statement: { text: 'LOCK TABLE busy.stock' }, ways: ['terminate'] });
    expect(held.lockWait).toBeUndefined();
    for (const measure of [
      found.milliseconds,
      found.transactionMilliseconds,
      held.transactionMilliseconds,
      held.sessionMilliseconds,
    ])
      expect(measure).toBeGreaterThanOrEqual(0);
    // Those that run come before those that don't.
    const { entries } = await activityOf(session).list({ signal });
    expect(entries.findIndex(({ id }) => id === found.id)).toBeLessThan(entries.findIndex(({ id }) => id === held.id));
    await holder.run('COMMIT');
    expect(await waitingRun).toBe('done');
  });

  it('hides nothing from a superuser', async () => {
    const found = await activityOf(session).list({ signal });
    expect(found.notes).toEqual([]);
    expect(found.entries.filter(({ state }) => state === 'hidden')).toEqual([]);
  });

  it('cancels the statement that was seen, and leaves the session and its next statement', async () => {
    const other = await another(server(), 'sleeper');
    const first = other.run(SLEEPS);
    const seen = await entryThat(session, 'sleeper', isBusy);
    const request = { id: seen.id, way: 'cancel', statement: seen.statement?.id ?? '' } as const;
    expect(await activityOf(session).end(request, { signal })).toEqual({ outcome: 'ended' });
    expect(await first).toBe('57014');
    // The same text in the same session is another statement.
    const second = other.run(SLEEPS);
    const now = await entryThat(session, 'sleeper', isBusy);
    expect([now.id, now.statement?.text]).toEqual([seen.id, seen.statement?.text]);
    expect(await activityOf(session).end(request, { signal })).toEqual({ outcome: 'gone' });
    expect(await entry(session, 'sleeper')).toMatchObject({ state: 'running', statement: { id: now.statement?.id } });
    expect(await activityOf(session).end({ id: now.id, way: 'cancel' }, { signal })).toEqual({ outcome: 'ended' });
    expect(await second).toBe('57014');
    expect(await other.run('SELECT 1')).toBe('done');
  });

  it('terminates exactly the session that was seen, and not one with the same number', async () => {
    const other = await another(server(), 'leaver');
    const seen = await entryThat(session, 'leaver', ({ state }) => state === 'idle');
    const [pid = '', began = ''] = seen.id.split('-');
    // As if the number had been used again: the process is there, and began at another moment.
    for (const id of [`${pid}-${BigInt(began) - 1n}`, `${pid}-${BigInt(began) + 1n}`, `${pid}-0`, `${Number(pid) + 1}-${began}`])
      for (const way of ['cancel', 'terminate'] as const)
        expect(await activityOf(session).end({ id, way }, { signal })).toEqual({ outcome: 'gone' });
    expect(await other.run('SELECT 1')).toBe('done');
    for (const id of [pid, '', 'x', `${pid} OR true-${began}`, `99999999999-${began}`, `${pid}-`, `${pid}-1.5`])
      await expect(activityOf(session).end({ id, way: 'terminate' }, { signal })).rejects.toMatchObject({
        code: 'INVALID_INPUT',
      });
    await expect(activityOf(session).end({ id: seen.id, way: 'cancel', statement: 'x' }, { signal })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
    expect(await activityOf(session).end({ id: seen.id, way: 'terminate' }, { signal })).toEqual({ outcome: 'ended' });
    expect(await other.run('SELECT 1')).not.toBe('done');
    expect(await entry(session, 'leaver')).toBeUndefined();
    expect(await activityOf(session).end({ id: seen.id, way: 'terminate' }, { signal })).toEqual({ outcome: 'gone' });
  });

  it('names the kind of another lock, and what a statement is cut to', async () => {
    const holder = await another(server(), 'adviser');
    await holder.run('SELECT pg_advisory_lock(7, 9)');
    const waiter = await another(server(), 'advised');
    const waitingRun = waiter.run(`SELECT pg_advisory_lock(7, 9) /* ${'ü'.repeat(3_000)} */`);
    const found = await entryThat(session, 'advised', ({ state }) => state === 'waiting');
    expect(found.lockWait?.lock).toBe('advisory 7 9 (ExclusiveLock)');
    expect(found.statement).toMatchObject({ isCut: true, text: expect.stringMatching(/^SELECT pg_advisory_lock/) as string });
    await activityOf(session).end({ id: found.id, way: 'terminate' }, { signal });
    expect(await waitingRun).toBe('57P01');
  });

  it('marks the sessions of this connection, and ends a statement of its console', async () => {
    const mine = run(session, SLEEPS).catch((error: unknown) => error);
    let found: RunningEntry | undefined;
    await expect
      .poll(async () => {
        const { entries } = await activityOf(session).list({ signal });
        found = entries.find(({ statement, state }) => state === 'running' && statement?.text.includes('pg_sleep') === true);
        return found?.own;
      })
      .toBe(true);
    const request = { id: found?.id ?? '', way: 'cancel', statement: found?.statement?.id ?? '' } as const;
    expect(await activityOf(session).end(request, { signal })).toEqual({ outcome: 'ended' });
    expect(await mine).toMatchObject({ code: 'TIMEOUT' });
    const { entries } = await activityOf(session).list({ signal });
    for (const one of entries.filter(({ own }) => own))
      expect(await activityOf(session).end({ id: one.id, way: 'terminate' }, { signal })).toEqual({ outcome: 'ended' });
    await session.ping({ signal });
  });

  it('lists and ends while every connection of this session that may wait long runs a statement', async () => {
    const busy = await open(server());
    try {
      const runs = Array.from({ length: 4 }, () => run(busy, SLEEPS).catch((error: unknown) => error));
      await expect
        .poll(async () => {
          const { entries } = await activityOf(busy).list({ signal });
          return entries.filter(({ own, statement }) => own && statement?.text.includes('pg_sleep') === true).length;
        })
        .toBe(4);
      const { entries } = await activityOf(busy).list({ signal });
      for (const { id, statement } of entries.filter(({ own }) => own))
        expect(await activityOf(busy).end({ id, way: 'cancel', statement: statement?.id ?? '' }, { signal })).toEqual({
          outcome: 'ended',
        });
      for (const one of await Promise.all(runs)) expect(one).toMatchObject({ code: 'TIMEOUT' });
    } finally {
      await busy.close();
    }
  });

  it('says what a user may not see and may not end, and ends nothing of it', async () => {
    const other = await another(server(), 'secretive');
    const sleeping = other.run(SLEEPS);
    const seen = await entryThat(session, 'secretive', isBusy);
    const viewer = await open(server(), { user: 'viewer', password: 'v' });
    const signaller = await open(server(), { user: 'signaller', password: 'k' });
    const fellow = await another(server(), 'fellow', 'viewer', 'v');
    const fellows = fellow.run(SLEEPS);
    try {
      const { entries, notes, noteTexts } = await activityOf(viewer).list({ signal });
      expect(notes).toEqual([expect.stringMatching(/^viewer doesn't see the statements of other users\./)]);
      expect(noteTexts?.map((text) => text?.id)).toEqual(['activity.hidden']);
      const hidden = entries.find(({ application }) => application === 'secretive');
      expect(hidden).toMatchObject({ state: 'hidden', user: 'tester', ways: [] });
      expect(hidden?.reason).toMatch(/pg_signal_backend/);
      expect(hidden?.statement).toBeUndefined();
      await expect(activityOf(viewer).end({ id: hidden?.id ?? '', way: 'terminate' }, { signal })).rejects.toMatchObject({
        code: 'ACCESS_REFUSED',
      });
      // The identity that an administrator saw names nothing for a user who can't see it.
      expect(await activityOf(viewer).end({ id: seen.id, way: 'cancel' }, { signal })).toEqual({ outcome: 'gone' });
      // May end sessions of others, and sees none of their beginnings.
      const unsafe = await entry(signaller, 'fellow');
      expect(unsafe).toMatchObject({ state: 'hidden', ways: [] });
      expect(unsafe?.reason).toMatch(/same number could be hit.*pg_read_all_stats/);
      await administer(server(), 'GRANT pg_read_all_stats TO signaller');
      const superusers = await entry(signaller, 'secretive');
      expect(superusers).toMatchObject({ state: 'running', ways: [] });
      await expect(activityOf(signaller).end({ id: superusers?.id ?? '', way: 'cancel' }, { signal })).rejects.toMatchObject({
        code: 'ACCESS_REFUSED',
      });
      const own = await entryThat(viewer, 'fellow', isBusy);
      expect(own.ways).toEqual(['cancel', 'terminate']);
      expect(await activityOf(signaller).end({ id: own.id, way: 'terminate' }, { signal })).toEqual({ outcome: 'ended' });
      expect(await fellows).toBe('57P01');
      expect(await entry(session, 'secretive')).toMatchObject({ id: seen.id, state: 'running' });
    } finally {
      await Promise.all([viewer.close(), signaller.close()]);
      await activityOf(session).end({ id: seen.id, way: 'cancel' }, { signal });
      await sleeping;
    }
  });

  it('says why there are no statistics of statements', async () => {
    expect(await activityOf(session).slow?.({ signal })).toMatchObject({
      available: false,
      reason: expect.stringMatching(/isn't installed in postgres\..*CREATE EXTENSION/) as string,
      text: { id: 'activity.noStatistics' },
    });
    await administer(server(), 'CREATE EXTENSION pg_stat_statements');
    expect(await activityOf(session).slow?.({ signal })).toMatchObject({
      available: false,
      reason: expect.stringMatching(/hasn't loaded it/) as string,
    });
    await administer(server(), 'DROP EXTENSION pg_stat_statements');
  });
});

describe('statistics of statements', () => {
  describeWithServer(
    'of a server that records them',
    (server) => {
      it('are those that took most time in all, without values', async () => {
        await administer(server(), 'CREATE SCHEMA "odd ""schema"; CREATE EXTENSION pg_stat_statements SCHEMA "odd ""schema"');
        const session = await open(server());
        try {
          await run(session, 'SELECT pg_sleep(0.2), 12345');
          const found = await activityOf(session).slow?.({ signal });
          if (found?.available !== true) throw new Error(found?.reason);
          const slept = found.statements.find(({ text }) => text.includes('pg_sleep'));
          expect(slept).toMatchObject({ user: 'tester', namespace: 'postgres', calls: 1, rows: 1, isCut: false });
          expect(slept?.text).not.toContain('12345');
          expect(slept?.totalMilliseconds).toBeGreaterThanOrEqual(200);
          const totals = found.statements.map(({ totalMilliseconds }) => totalMilliseconds);
          expect(totals).toEqual(totals.toSorted((a, b) => b - a));
        } finally {
          await session.close();
        }
      });

      it('name a prepared transaction that others wait for', async () => {
        const session = await open(server());
        try {
          await administer(server(), 'CREATE TABLE kept (id int)');
          const preparing = await another(server(), 'preparing');
          for (const text of ['BEGIN', 'LOCK TABLE kept', "PREPARE TRANSACTION 'p'"])
            expect(await preparing.run(text)).toBe('done');
          const waiter = await another(server(), 'behind');
          const waitingRun = waiter.run('SELECT * FROM kept');
          const found = await entryThat(session, 'behind', ({ state }) => state === 'waiting');
          expect(found.lockWait).toMatchObject({ blockedBy: [], others: ['prepared transaction'] });
          await administer(server(), "ROLLBACK PREPARED 'p'");
          expect(await waitingRun).toBe('done');
        } finally {
          await session.close();
        }
      });
    },
    { settings: ["shared_preload_libraries = 'pg_stat_statements'", 'max_prepared_transactions = 2'] },
  );
});
