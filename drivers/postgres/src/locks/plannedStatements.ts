import { setTimeout as pause } from 'node:timers/promises';
import { DriverError, isDriverError } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';
import { readInside } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { PgStep } from '../wire/batch.ts';
import type { Link } from '../wire/link.ts';
import { savepoint } from '../wire/savepoint.ts';
import { LockedReader, MOMENT } from './lockedReader.ts';
import type { Reach } from './reached.ts';

/** How statements are judged. */
export interface PlannedJudgement<T> {
  readonly reach: Reach;
  readonly judge: (reader: LockedReader) => Promise<T>;
  /**
   * @param first - the judgement before, where this is a later one
   * @throws DriverError where the statements may not run
   */
  readonly check?: (judged: T, first: T | undefined) => void;
  /** Steps that begin the transaction, where it isn't open. */
  readonly beginning?: readonly PgStep[];
}

/** The longest that something is waited for that can't be locked before. */
const MOST_MILLISECONDS = 30_000;
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 500;
const LOCK_NOT_AVAILABLE = '55P03';
/** Also the status of a plan whose columns have changed since it was parsed, which has none of its own. */
const FEATURE_NOT_SUPPORTED = '0A000';
/** Times that a statement is parsed whose columns change meanwhile. */
const MOST_TURNS = 3;

/** Statements that are judged before the server plans them, in the transaction in which they will run, and again before they run. */
export class PlannedStatements<T> {
  readonly #link: Link;
  readonly #reader: LockedReader;
  readonly #judge: (reader: LockedReader) => Promise<T>;
  readonly #check: (judged: T, first: T | undefined) => void;
  #first: T | undefined;

  constructor(link: Link, database: PgDatabase, { reach, judge, check = () => undefined, beginning = [] }: PlannedJudgement<T>) {
    this.#link = link;
    this.#reader = new LockedReader(link, database, reach, beginning);
    this.#judge = judge;
    this.#check = check;
  }

  /** Locks what the statements reach, and judges them. The transaction is open then. @throws what the check does */
  async judged(signal: AbortSignal): Promise<T> {
    const judged = await this.#reader.judged(this.#judge, signal);
    this.#check(judged, this.#first);
    this.#first ??= judged;
    return judged;
  }

  /**
   * Has the server parse and plan the statements, without waiting for a lock: what has to be waited for wasn't locked when they were judged. They are judged once more when they are parsed, unless no other transaction has ended since:
   * parsing locks what they name and calls nothing of it, so they mean from then on what the judge sees.
   *
   * @param settings - of the transaction. They come before any savepoint: at the end of one, a transaction that it made read-only would write again.
   * @returns the steps that run what is planned
   * @throws DriverError what the server says of the statements, and what the check does
   */
  async plan(statements: readonly PgStep[], settings: readonly PgStep[], signal: AbortSignal): Promise<readonly PgStep[]> {
    const stage = (does: 'parse' | 'plan' | 'run'): readonly PgStep[] =>
      statements.map((step, index) => ({ ...step, stage: { name: `tabularium_${index}`, does } }));
    for (let turn = 1; ; turn += 1) {
      const moment = await this.#withoutWaiting(stage('parse'), signal, turn === 1 ? settings : []);
      if (moment !== this.#reader.moment) await this.judged(signal);
      try {
        await this.#withoutWaiting(stage('plan'), signal);
        return stage('run');
      } catch (error) {
        if (turn === MOST_TURNS || !isDriverError(error) || error.details.status !== FEATURE_NOT_SUPPORTED) throw error;
        // Its names mean something else since it was parsed, with other columns.
        await this.#link.settled();
        await this.#link.batch(STAGE.back, signal);
      }
    }
  }

  /**
   * Does something that waits for no lock; where it would have to, again, when the other transaction has ended and the statements are judged once more.
   *
   * @returns the transactions that are at their end then
   */
  async #withoutWaiting(steps: readonly PgStep[], signal: AbortSignal, settings: readonly PgStep[] = []): Promise<string> {
    let first = settings;
    const began = performance.now();
    let longest = MOST_MILLISECONDS;
    for (let milliseconds = FIRST_PAUSE; ; milliseconds = Math.min(milliseconds * 2, LONGEST_PAUSE)) {
      const { moment, error } = await unlessLocked(this.#link, steps, signal, first);
      first = [];
      if (error === undefined) return moment;
      if (milliseconds === FIRST_PAUSE) longest = Math.min(longest, await lockTimeout(this.#link, signal));
      const isOver = (): boolean => performance.now() - began >= longest;
      do {
        if (isOver()) throw staysLocked(error);
        await pause(milliseconds, undefined, { signal });
      } while (await isIndexLocked(this.#link, signal));
      await this.judged(signal);
    }
  }
}

const STAGE = savepoint('plan');
const WAIT_FOR_NO_LOCK: PgStep = {
  text: `SELECT pg_catalog.set_config('tabularium.lock_timeout', pg_catalog.current_setting('lock_timeout'), true), pg_catalog.set_config('lock_timeout', '1', true)`,
};
const WAIT_AS_BEFORE: PgStep = {
  text: `SELECT pg_catalog.set_config('lock_timeout', pg_catalog.current_setting('tabularium.lock_timeout'), true)`,
};

/**
 * Does something that waits for no lock. Where it would have to, it is not done, and the transaction is as it was.
 *
 * @returns the transactions that are at their end then, or the error of the lock
 */
async function unlessLocked(
  link: Link,
  steps: readonly PgStep[],
  signal: AbortSignal,
  first: readonly PgStep[],
): Promise<{ readonly moment: string; readonly error?: DriverError }> {
  try {
    const all = [...first, STAGE.set, WAIT_FOR_NO_LOCK, ...steps, WAIT_AS_BEFORE, STAGE.release, MOMENT];
    return { moment: (await link.batch(all, signal)).at(-1)?.rows[0]?.[0] ?? '' };
  } catch (error) {
    if (!isDriverError(error) || error.details.status !== LOCK_NOT_AVAILABLE) throw error;
    await link.settled();
    await link.batch(STAGE.back, signal);
    return { moment: '', error };
  }
}

/** The milliseconds that a statement may wait for a lock, by the settings of the transaction. */
async function lockTimeout(link: Link, signal: AbortSignal): Promise<number> {
  const text = `SELECT pg_catalog.date_part('epoch', pg_catalog.current_setting('lock_timeout')::pg_catalog.interval) * 1000`;
  const [answer] = await readInside(link, [{ text }], signal);
  const milliseconds = Number(answer?.rows[0]?.[0] ?? 0);
  return milliseconds > 0 ? milliseconds : Infinity;
}

/** The statement has not begun, and a transaction that was open is as it was. */
function staysLocked(cause: DriverError): DriverError {
  return new DriverError('CONFLICT', 'Another session has locked what the statement names. Nothing was run.', {
    cause,
    details: {
      status: LOCK_NOT_AVAILABLE,
      advice: 'Try again when that session has ended its transaction. The activity shows what it does, and can end it.',
      texts: faultTexts('lock.named', {}, 'lock.held.advice'),
    },
  });
}

/**
 * Whether another transaction has an index for itself, of a table that this one has locked. It is asked before judging again: when planning continues, what the other one has made is there to be judged. Made in the same moment, an
 * index would be planned with before.
 */
const INDEX_LOCKED = `
SELECT FROM pg_catalog.pg_locks own JOIN pg_catalog.pg_index i ON i.indrelid = own.relation JOIN pg_catalog.pg_locks l ON l.relation = i.indexrelid AND l.database = own.database
WHERE own.pid = pg_catalog.pg_backend_pid() AND l.pid <> own.pid AND l.mode = 'AccessExclusiveLock' AND l.granted LIMIT 1`;

async function isIndexLocked(link: Link, signal: AbortSignal): Promise<boolean> {
  const [answer] = await readInside(link, [{ text: INDEX_LOCKED }], signal);
  return (answer?.rows.length ?? 0) > 0;
}
