import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isDriverError } from '@tabularium/sdk';
import type { ConsoleSession, Session } from '@tabularium/sdk';
import { WHOLE_SWEEPS, shareOf } from '../../../../scripts/testing/shareOf.ts';
import { describeWithServer } from '../server.test-helper.ts';
import { administer, open } from '../session.test-helper.ts';
import { Link } from '../wire/link.ts';
import { closed, collect, doorsOf, rowsIn } from './doors.test-helper.ts';
import type { Door } from './doors.test-helper.ts';

// A person stops a statement whenever they like: before anything of it is sent, between two questions about it, and while the server works on one. What it costs is the statement, and
// never the session or what its transaction has done.

const READ = 'SELECT a.t FROM stops.shelf a JOIN stops.shelf b USING (id)';
const CHANGE = `UPDATE stops.shelf SET t = 'changed'`;
/** More than the questions about a statement. */
const MOMENTS = Array.from({ length: 60 }, (_, index) => index + 1);
/** A walk over all moments takes up to eight seconds on a quiet machine. */
const MOST_MILLISECONDS = 120_000;

describeWithServer('a statement that is stopped', (server) => {
  let session: Session;

  beforeAll(async () => {
    session = await open(server());
    await administer(
      server(),
      `CREATE SCHEMA stops; CREATE TABLE stops.shelf (id int PRIMARY KEY, t text); INSERT INTO stops.shelf SELECT i, 'row' FROM generate_series(1, 50) i;
       CREATE TABLE stops.own (id int)`,
    );
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  afterAll(() => session.close());

  /** The uncommitted rows of the door's own transaction. */
  const own = async (door: Door): Promise<unknown> => rowsIn(await collect(door, 'SELECT count(*) FROM stops.own'))[0]?.[0];

  describe.each(Object.entries(doorsOf(() => session)))('in %s', (name, runner) => {
    const isOpen = name.includes('transaction');

    const cases = [
      { what: 'a read', statement: READ, work: run(READ), moment: 'before' },
      { what: 'a read', statement: READ, work: run(READ), moment: 'while' },
      { what: 'a change', statement: CHANGE, work: run(CHANGE), moment: 'before' },
      { what: 'a change', statement: CHANGE, work: run(CHANGE), moment: 'while' },
      { what: 'a judgement', statement: READ, work: judge(READ), moment: 'before' },
      { what: 'a judgement', statement: READ, work: judge(READ), moment: 'while' },
      { what: 'a plan', statement: READ, work: plan(READ), moment: 'before' },
      { what: 'a plan', statement: READ, work: plan(READ), moment: 'while' },
      { what: 'the types of parameters', statement: READ, work: parameters(`${READ} WHERE a.id = $1`), moment: 'before' },
      { what: 'the types of parameters', statement: READ, work: parameters(`${READ} WHERE a.id = $1`), moment: 'while' },
    ] as const;
    it.each(cases.map((one, at) => ({ ...one, share: { of: 3, at: at + Number(isOpen) } })))(
      'costs no more than itself: $what, stopped $moment each question to the server',
      async ({ what, statement, work, moment, share }) => {
        let stopped = 0;
        for (const at of shareOf(MOMENTS, share)) {
          const door = await runner();
          try {
            if (isOpen) await collect(door, 'INSERT INTO stops.own VALUES (1)');
            const stop = new AbortController();
            const sent = stopAtCall(at, moment, stop);
            const outcome: unknown = await work(door, stop.signal).catch((error: unknown) => error);
            vi.restoreAllMocks();
            const wasStopped = isDriverError(outcome);
            if (wasStopped) expect(outcome.code, `stopped ${moment} call ${at}`).toBe('CANCELLED');
            const after: unknown = await own(door).catch((error: unknown) => error);
            // The server fails the transaction of a change that it has begun. What comes after the ROLLBACK is what was there before.
            if (isDriverError(after) && statement === CHANGE) expect(after.code, `stopped ${moment} call ${at}`).toBe('CONFLICT');
            else expect(after, `after a stop ${moment} call ${at}`).toBe(isOpen ? 1 : 0);
            stopped += wasStopped ? 1 : 0;
            if (sent() < at) break;
          } finally {
            await closed(door);
          }
        }
        // A single short question is often answered before the server hears of the stop.
        if (what === 'a read' || what === 'a change') expect(stopped).toBeGreaterThan(process.env[WHOLE_SWEEPS] === '1' ? 3 : 0);
      },
      MOST_MILLISECONDS,
    );
  });
});

type Work = (door: Door, signal: AbortSignal) => Promise<unknown>;

function run(statement: string): Work {
  return (door, signal) => collect(door, statement, undefined, signal);
}

function judge(statement: string): Work {
  return async (door, signal) => await door.classify(statement, { signal });
}

function plan(statement: string): Work {
  return async (door: Partial<ConsoleSession>, signal) => await door.explain?.explain(statement, { analyze: false, signal });
}

function parameters(statement: string): Work {
  return async (door: Partial<ConsoleSession>, signal) => await door.parameters?.(statement, { signal });
}

/** Stops when the connections are asked for the given time: before it, or when it is on its way. @returns how often they have been asked */
function stopAtCall(at: number, moment: 'before' | 'while', stop: AbortController): () => number {
  let calls = 0;
  for (const method of ['batch', 'stream'] as const) {
    const original = Link.prototype[method] as (...values: unknown[]) => unknown;
    vi.spyOn(Link.prototype, method).mockImplementation(function (this: Link, ...values: unknown[]) {
      calls += 1;
      if (calls !== at) return original.apply(this, values) as never;
      if (moment === 'before') stop.abort();
      else queueMicrotask(() => stop.abort());
      return original.apply(this, values) as never;
    });
  }
  return () => calls;
}
