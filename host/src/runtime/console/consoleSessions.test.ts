import { setTimeout as delay } from 'node:timers/promises';
import { DriverError } from '@tabularium/sdk';
import type { ConsoleContext, ConsoleSession, SessionEvent, StatementEffect } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { silentLogger } from '../storage/logger.ts';
import { FakeWork, never } from '../work.test-helper.ts';
import { ConsoleSessions } from './consoleSessions.ts';
import { QueryHistory } from './queryHistory.ts';

let work: FakeWork;
let sessions: ConsoleSessions;
let closed: number;
let last: FakeSession;

/** A session whose `begin` opens a transaction, and whose `lost` finds the server gone. What its commit throws is up to the test. */
class FakeSession implements ConsoleSession {
  context: ConsoleContext = { transaction: 'none' };
  isGone = false;
  commit: (() => Promise<void>) | undefined;

  async classify(): ReturnType<ConsoleSession['classify']> {
    return { effect: 'read', tables: [], summary: 'Reads' };
  }
  async *run(statement: string, { signal }: { readonly signal: AbortSignal }): AsyncGenerator<SessionEvent> {
    if (statement === 'lost') {
      this.isGone = true;
      throw new DriverError('CONNECTION_LOST', 'The server is gone.');
    }
    if (statement === 'foreign') throw new DriverError('CONNECTION_LOST', 'The foreign server is gone.');
    if (statement === 'begin') {
      this.context = { transaction: 'open' };
      yield { type: 'context', context: this.context };
    }
    if (statement === 'stopped') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      this.context = { transaction: 'failed' };
      throw new DriverError('CANCELLED');
    }
    yield { type: 'done', truncated: false, milliseconds: 1 };
  }
  async endTransaction(way: 'commit' | 'rollBack'): Promise<ConsoleContext> {
    if (way === 'commit') await this.commit?.();
    this.context = { transaction: 'none' };
    return this.context;
  }
  async readContext(): Promise<ConsoleContext> {
    if (this.isGone) throw new DriverError('CONNECTION_LOST', 'The server has ended it.');
    return this.context;
  }
  async close(): Promise<void> {
    closed += 1;
  }
}

const make = (
  times: {
    idleMilliseconds?: number;
    unfollowedMilliseconds?: number;
    checkMilliseconds?: number;
    leavingMilliseconds?: number;
  } = {},
): ConsoleSessions => new ConsoleSessions({ sessions: work.sessions, logger: silentLogger, ...times });

beforeEach(() => {
  closed = 0;
  work = new FakeWork();
  work.session.console = {
    split: () => [],
    classify: async () => ({ effect: 'read', tables: [], summary: 'Reads' }),
    async *run() {
      yield await Promise.resolve({ type: 'done', truncated: false, milliseconds: 1 } as const);
    },
    openSession: async () => (last = new FakeSession()),
  };
  sessions = make();
});
afterEach(() => work[Symbol.asyncDispose]());

const open = () => sessions.open(work.connectionId, never);
const run = (
  sessionId: string,
  statement: string,
  { signal = never, effect = 'read' }: { signal?: AbortSignal; effect?: StatementEffect } = {},
) => Array.fromAsync(sessions.of(sessionId, work.connectionId).run(statement, { maxRows: 1, signal }, effect));
const stateOf = async (sessionId: string) => (await sessions.watch(sessionId, never).next()).value;
const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await delay(2);
};

it('reports to its follower that a statement which may write is over, also where it was stopped and the context is the same', async () => {
  const { sessionId } = await open();
  await run(sessionId, 'begin');
  last.context = { transaction: 'failed' };
  await run(sessionId, 'any');
  const states = sessions.watch(sessionId, never);
  await states.next();
  const stopping = new AbortController();
  const stopped = run(sessionId, 'stopped', { signal: stopping.signal, effect: 'write' }).catch(() => undefined);
  const next = states.next();
  await delay(5);
  stopping.abort();
  await stopped;
  expect((await next).value).toEqual({ is: 'open', context: { transaction: 'failed' } });
});

it('remembers how a transaction was ended', async () => {
  const history = new QueryHistory(work.database);
  sessions = new ConsoleSessions({ sessions: work.sessions, logger: silentLogger, history });
  const remembered = async () =>
    (await history.search({ search: '', limit: 10 })).map(({ text, outcome, status }) => [
      text,
      outcome,
      ...(status === undefined ? [] : [status]),
    ]);
  const { sessionId } = await open();
  const end = (way: 'commit' | 'rollBack') => sessions.endTransaction({ sessionId, way }, never).catch(() => undefined);
  await run(sessionId, 'begin');
  await end('rollBack');
  await run(sessionId, 'begin');
  await end('commit');
  for (const code of ['CONFLICT', 'CANCELLED'] as const) {
    await run(sessionId, 'begin');
    last.commit = async () => {
      throw new DriverError(code);
    };
    await end('commit');
  }
  expect(await remembered()).toEqual([
    ['COMMIT', 'cancelled', 'Stopped before its answer came; its changes may have been made.'],
    ['COMMIT', 'failed'],
    ['COMMIT', 'ok'],
    ['ROLLBACK', 'ok'],
  ]);
});

it('reports each context to its follower, and its end', async () => {
  const { sessionId } = await open();
  const states = sessions.watch(sessionId, never);
  expect((await states.next()).value).toEqual({ is: 'open', context: { transaction: 'none' } });
  await run(sessionId, 'begin');
  expect((await states.next()).value).toEqual({ is: 'open', context: { transaction: 'open' } });
  await sessions.close(sessionId);
  expect((await states.next()).value).toEqual({ is: 'ended', why: 'closed', hadTransaction: true, isUncertain: false });
  expect((await states.next()).done).toBe(true);
  expect(closed).toBe(1);
});

it('reports a commit as a change of tables, and a rollback as none', async () => {
  const changed: string[] = [];
  sessions = new ConsoleSessions({ sessions: work.sessions, logger: silentLogger, onWritten: (id) => changed.push(id) });
  const { sessionId } = await open();
  await run(sessionId, 'begin');
  await sessions.endTransaction({ sessionId, way: 'rollBack' }, never);
  expect(changed).toEqual([]);
  await run(sessionId, 'begin');
  await sessions.endTransaction({ sessionId, way: 'commit' }, never);
  expect(changed).toEqual([work.connectionId]);
});

it.each(['CONFLICT', 'INVALID_INPUT', 'SERVER_ERROR', 'TIMEOUT', 'CANCELLED'] as const)(
  'reports that the transaction is over when its commit ended with %s, and refuses a second commit',
  async (code) => {
    const { sessionId } = await open();
    const own = last;
    await run(sessionId, 'begin');
    own.commit = async () => {
      own.context = { transaction: 'none' };
      throw new DriverError(code, 'A deferred trigger failed.');
    };
    await expect(sessions.endTransaction({ sessionId, way: 'commit' }, never)).rejects.toMatchObject({ code });
    expect(await stateOf(sessionId)).toEqual({ is: 'open', context: { transaction: 'none' } });
    own.commit = undefined;
    await expect(sessions.endTransaction({ sessionId, way: 'commit' }, never)).rejects.toThrow(/nothing to commit/);
  },
);

it('never rolls back to learn what a failed commit left', async () => {
  const { sessionId } = await open();
  const own = last;
  await run(sessionId, 'begin');
  const ways: string[] = [];
  own.endTransaction = async (way) => {
    ways.push(way);
    throw new DriverError('CONFLICT', 'The session is running another statement.');
  };
  await expect(sessions.endTransaction({ sessionId, way: 'commit' }, never)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect(ways).toEqual(['commit']);
  expect(await stateOf(sessionId)).toEqual({ is: 'open', context: { transaction: 'open' } });
});

it('says of a commit that was stopped that its outcome is not known, unless the transaction is still open', async () => {
  const { sessionId } = await open();
  const own = last;
  await run(sessionId, 'begin');
  own.commit = async () => {
    throw new DriverError('CANCELLED');
  };
  await expect(sessions.endTransaction({ sessionId, way: 'commit' }, never)).rejects.not.toThrow(/not known/);
  own.commit = async () => {
    own.context = { transaction: 'none' };
    throw new DriverError('CANCELLED');
  };
  await expect(sessions.endTransaction({ sessionId, way: 'commit' }, never)).rejects.toThrow(/not known/);
});

it.each(['commit', 'rollBack'] as const)(
  'refuses to %s what a stopped statement has ended meanwhile, instead of saying that it was done',
  async (way) => {
    const { sessionId } = await open();
    await run(sessionId, 'begin');
    const stopping = new AbortController();
    // A typed COMMIT or ROLLBACK: the server carries it out, and the host hears of it later.
    const finished = Promise.withResolvers<void>();
    last.run = async function* () {
      yield { type: 'progress', message: 'Committing' };
      await finished.promise;
      last.context = { transaction: 'none' };
      throw new DriverError('CANCELLED');
    };
    last.readContext = async () => {
      await finished.promise;
      return { transaction: 'none' };
    };
    const stopped = run(sessionId, 'commit', { signal: stopping.signal, effect: 'write' }).catch(() => undefined);
    stopping.abort();
    const ending = sessions.endTransaction({ sessionId, way }, never);
    const refused = expect(ending).rejects.toMatchObject({ code: 'CONFLICT' });
    await delay(5);
    finished.resolve();
    await refused;
    await stopped;
  },
);

it('reports what a stopped statement did to the transaction', async () => {
  const { sessionId } = await open();
  await run(sessionId, 'begin');
  const stop = new AbortController();
  const running = run(sessionId, 'stopped', { signal: stop.signal });
  stop.abort();
  await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(await stateOf(sessionId)).toEqual({ is: 'open', context: { transaction: 'failed' } });
});

it('reports a session that the server has ended while nothing ran in it', async () => {
  sessions = make({ checkMilliseconds: 5 });
  const { sessionId } = await open();
  await run(sessionId, 'begin');
  last.isGone = true;
  await until(() => closed === 1);
  expect(await stateOf(sessionId)).toEqual({ is: 'ended', why: 'lost', hadTransaction: true, isUncertain: false });
});

it('reports it within a second or so where a transaction is open, which a person relies on', async () => {
  const { sessionId } = await open();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  await run(sessionId, 'begin');
  last.isGone = true;
  await vi.advanceTimersByTimeAsync(1_500);
  expect(await stateOf(sessionId)).toMatchObject({ is: 'ended', why: 'lost', hadTransaction: true });
});

it('stays open when another connection was lost than its own', async () => {
  const { sessionId } = await open();
  await run(sessionId, 'begin');
  await expect(run(sessionId, 'foreign')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  expect(await stateOf(sessionId)).toEqual({ is: 'open', context: { transaction: 'open' } });
});

it('says that changes are uncertain when a session is lost in the middle of a commit or a change, and not of a read', async () => {
  const ends = async (lose: (sessionId: string) => Promise<unknown>): Promise<unknown> => {
    const { sessionId } = await open();
    await run(sessionId, 'begin');
    await expect(lose(sessionId)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    const state = await stateOf(sessionId);
    const isUncertain = state?.is === 'ended' && state.isUncertain;
    expect(() => sessions.of(sessionId, work.connectionId)).toThrow(isUncertain ? /not known/ : /was rolled back/);
    return state;
  };
  expect(await ends((id) => run(id, 'lost'))).toMatchObject({ hadTransaction: true, isUncertain: false });
  expect(await ends((id) => run(id, 'lost', { effect: 'write' }))).toMatchObject({ isUncertain: true });
  const commits = async (sessionId: string): Promise<unknown> => {
    const own = last;
    own.commit = () => {
      own.isGone = true;
      return Promise.reject(new DriverError('CONNECTION_LOST', 'The server is gone.'));
    };
    return sessions.endTransaction({ sessionId, way: 'commit' }, never);
  };
  expect(await ends(commits)).toMatchObject({ isUncertain: true });
});

it('is closed when no window follows it any more', async () => {
  sessions = make({ unfollowedMilliseconds: 5 });
  const { sessionId } = await open();
  const leaving = new AbortController();
  const states = sessions.watch(sessionId, leaving.signal);
  await states.next();
  await delay(40);
  expect(closed).toBe(0);
  leaving.abort();
  await states.next();
  await until(() => closed === 1);
  expect(() => sessions.of(sessionId, work.connectionId)).toThrow(/is closed/);
  // One that no window ever followed.
  await open();
  await until(() => closed === 2);
});

it('is closed when no statement ran in it for long, and says so', async () => {
  sessions = make({ idleMilliseconds: 5 });
  const { sessionId } = await open();
  await run(sessionId, 'begin');
  await until(() => closed === 1);
  expect(() => sessions.of(sessionId, work.connectionId)).toThrow(/for an hour.*rolled back/);
});

it('ends with a server that is gone, and with its connection', async () => {
  const first = await open();
  await expect(run(first.sessionId, 'lost')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  expect(closed).toBe(1);
  const second = await open();
  await work.sessions.close(work.connectionId);
  await until(() => closed === 2);
  expect((await sessions.watch(second.sessionId, never).next()).value).toMatchObject({ is: 'ended', why: 'closed' });
});

it('is of its connection only, and there are eight at most', async () => {
  const { sessionId } = await open();
  expect(() => sessions.of(sessionId, crypto.randomUUID())).toThrow(DriverError);
  const opened = await Promise.allSettled(Array.from({ length: 9 }, () => open()));
  expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
  expect(opened.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'SESSION_LIMIT' } });
  await sessions[Symbol.asyncDispose]();
  expect(closed).toBe(8);
});

it('ends the session of a window that was loaded again, and says what became of its transaction', async () => {
  const { sessionId } = await open();
  await run(sessionId, 'begin');
  const rolledBack = { is: 'ended', why: 'closed', hadTransaction: true, isUncertain: false };
  expect(await sessions.leave(sessionId, never)).toEqual(rolledBack);
  expect(closed).toBe(1);
  // Also where the window's last words had reached the host before.
  expect(await sessions.leave(sessionId, never)).toEqual(rolledBack);
  const { sessionId: other } = await open();
  await run(other, 'begin');
  await sessions.endTransaction({ sessionId: other, way: 'commit' }, never);
  expect(await sessions.leave(other, never)).toMatchObject({ hadTransaction: false, isUncertain: false });
});

it('says of a session that an earlier host had that it is forgotten', async () => {
  expect(await sessions.leave(crypto.randomUUID(), never)).toMatchObject({ is: 'ended', isForgotten: true });
});

it('waits until a window that was loaded again is followed no longer, and leaves a session alone that another one follows', async () => {
  sessions = make({ leavingMilliseconds: 300 });
  const { sessionId } = await open();
  await run(sessionId, 'begin');
  const watching = new AbortController();
  const states = sessions.watch(sessionId, watching.signal);
  await states.next();
  expect(await sessions.leave(sessionId, never)).toMatchObject({ is: 'open', context: { transaction: 'open' } });
  expect(closed).toBe(0);
  const leaving = sessions.leave(sessionId, never);
  watching.abort();
  await states.return();
  expect(await leaving).toMatchObject({ is: 'ended', hadTransaction: true });
});
