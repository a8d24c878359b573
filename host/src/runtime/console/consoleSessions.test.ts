import { setTimeout as delay } from 'node:timers/promises';
import { DriverError } from '@tabularium/sdk';
import type { ConsoleSession, SessionEvent } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentLogger } from '../storage/logger.ts';
import { FakeWork, never } from '../work.test-helper.ts';
import { ConsoleSessions } from './consoleSessions.ts';

let work: FakeWork;
let sessions: ConsoleSessions;
let closed: number;

/** A session whose `begin` opens a transaction, and whose `lost` finds the server gone. */
function fakeSession(): ConsoleSession {
  return {
    context: { transaction: 'none' },
    classify: async () => ({ effect: 'read', tables: [], summary: 'Reads' }),
    async *run(statement): AsyncGenerator<SessionEvent> {
      if (statement === 'lost') throw new DriverError('CONNECTION_LOST', 'The server is gone.');
      if (statement === 'begin') yield { type: 'context', context: { transaction: 'open' } };
      yield { type: 'done', truncated: false, milliseconds: 1 };
    },
    endTransaction: async () => ({ transaction: 'none' }),
    close: async () => {
      closed += 1;
    },
  };
}

const make = (times: { idleMilliseconds?: number; unfollowedMilliseconds?: number } = {}): ConsoleSessions =>
  new ConsoleSessions({ sessions: work.sessions, logger: silentLogger, ...times });

beforeEach(() => {
  closed = 0;
  work = new FakeWork();
  work.session.console = {
    split: () => [],
    classify: async () => ({ effect: 'read', tables: [], summary: 'Reads' }),
    async *run() {
      yield await Promise.resolve({ type: 'done', truncated: false, milliseconds: 1 } as const);
    },
    openSession: async () => fakeSession(),
  };
  sessions = make();
});
afterEach(() => work[Symbol.asyncDispose]());

const open = (from = sessions) => from.open(work.connectionId, never);
const run = (sessionId: string, statement: string, from = sessions) =>
  Array.fromAsync(from.of(sessionId, work.connectionId).run(statement, { maxRows: 1, signal: never }));
const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await delay(2);
};

it('reports each context to its follower, and its end', async () => {
  const { sessionId } = await open();
  const states = sessions.watch(sessionId, never);
  expect((await states.next()).value).toEqual({ is: 'open', context: { transaction: 'none' } });
  await run(sessionId, 'begin');
  expect((await states.next()).value).toEqual({ is: 'open', context: { transaction: 'open' } });
  await sessions.close(sessionId);
  expect((await states.next()).value).toEqual({ is: 'ended', why: 'closed', hadTransaction: true });
  expect((await states.next()).done).toBe(true);
  expect(closed).toBe(1);
});

it('reports a commit as a change of tables, and a rollback as none', async () => {
  const changed: string[] = [];
  sessions = new ConsoleSessions({ sessions: work.sessions, logger: silentLogger, onWritten: (id) => changed.push(id) });
  const { sessionId } = await open();
  await sessions.endTransaction({ sessionId, way: 'rollBack' }, never);
  expect(changed).toEqual([]);
  await sessions.endTransaction({ sessionId, way: 'commit' }, never);
  expect(changed).toEqual([work.connectionId]);
});

it('reports that the transaction is over when its commit ended in a rollback', async () => {
  let isOpen = true;
  const session = fakeSession();
  work.session.console = {
    ...work.session.console,
    openSession: async () => ({
      ...session,
      endTransaction: async (way) => {
        if (way === 'commit' && isOpen) {
          isOpen = false;
          throw new DriverError('CONFLICT', 'A constraint failed.');
        }
        return { transaction: 'none' };
      },
    }),
  } as NonNullable<typeof work.session.console>;
  const { sessionId } = await open();
  await run(sessionId, 'begin');
  await expect(sessions.endTransaction({ sessionId, way: 'commit' }, never)).rejects.toMatchObject({ code: 'CONFLICT' });
  expect((await sessions.watch(sessionId, never).next()).value).toEqual({ is: 'open', context: { transaction: 'none' } });
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
  expect(opened.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'INVALID_REQUEST' } });
  await sessions[Symbol.asyncDispose]();
  expect(closed).toBe(8);
});
