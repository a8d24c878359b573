import { DriverError } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';
import { readOn } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { Link } from '../wire/link.ts';

/** Sessions that wait in one queue for each other, counted from the statement. */
const MOST_IN_QUEUE = 20;
/**
 * The process that one waits for, and its role: the nearest that waits for none itself. One that only waits before it in the queue has locked nothing. $1: the waiting one.
 */
const HOLDER = `WITH RECURSIVE queue (pid, place) AS (
  SELECT b.pid, 1 FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids($1::pg_catalog.int4)) AS b (pid)
  UNION SELECT b.pid, q.place + 1 FROM queue q, pg_catalog.unnest(pg_catalog.pg_blocking_pids(q.pid)) AS b (pid) WHERE q.place < ${MOST_IN_QUEUE})
SELECT q.pid, a.usename FROM queue q LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = q.pid
WHERE q.pid > 0 ORDER BY pg_catalog.cardinality(pg_catalog.pg_blocking_pids(q.pid)) > 0, a.pid IS NULL, q.place, q.pid LIMIT 1`;

/** The share of the time that is left to ask, to stop the statement and to answer, and the most of it. */
const SHARE = 0.2;
const MOST_MILLISECONDS = 2_000;

/**
 * Looks, shortly before the time of a caller is up, whether a statement waits for another session. Then it is ended with an error that names that session: after the time is up the caller hears no error any more.
 */
export class HolderWatch {
  /** Aborted with the caller's, and where the statement waits. */
  readonly signal: AbortSignal;
  readonly #found = new AbortController();
  readonly #over = new AbortController();
  readonly #link: Link;
  readonly #database: PgDatabase;
  #error: DriverError | undefined;

  /** @param timeLimit - the milliseconds that the caller waits; absent where it waits for as long as it takes */
  constructor(link: Link, database: PgDatabase, timeLimit: number | undefined, signal: AbortSignal) {
    this.#link = link;
    this.#database = database;
    this.signal = timeLimit === undefined ? signal : AbortSignal.any([signal, this.#found.signal]);
    // A pooler between makes numbers of processes up.
    if (timeLimit === undefined || link.prepared === undefined) return;
    // A signal takes whole milliseconds only.
    const left = Math.round(Math.min(timeLimit * SHARE, MOST_MILLISECONDS));
    // A look that fails leaves the statement to the time of its caller.
    const timer = setTimeout(() => void this.#look(timeLimit, left, signal).catch(() => undefined), timeLimit - left);
    this.#over.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  /** The error of the statement, where that wasn't ended here. */
  errorOr(error: unknown): unknown {
    return this.#error ?? error;
  }

  end(): void {
    this.#over.abort();
  }

  async #look(timeLimit: number, left: number, caller: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([caller, this.#over.signal, AbortSignal.timeout(left)]);
    const step = { text: HOLDER, values: [`${this.#link.process ?? 0}`] };
    const ask = this.#database.links.useAtOnce(signal, (other) => readOn(other, [step], signal, []));
    const [answer] = await ask.catch(() => []);
    const [process, role] = answer?.rows[0] ?? [];
    if (typeof process !== 'string' || this.#over.signal.aborted || caller.aborted) return;
    this.#error = heldUp(process, role != null && !QUOTES.test(role) ? role : undefined, Math.round(timeLimit / 1_000));
    this.#found.abort();
  }
}

/** In a name they would end it early, and what follows would read as words of this sentence. */
const QUOTES = /[“”„‟"]/u;

function heldUp(process: string, role: string | undefined, seconds: number): DriverError {
  const of = role === undefined ? '' : ` of “${role}”`;
  const message = `The statement was stopped after nearly ${seconds} seconds: it waited for process ${process}${of}, which has locked what it needs. Nothing was changed.`;
  return new DriverError('CONFLICT', message, {
    details: {
      status: '55P03',
      advice: 'Try again when that session has ended its transaction. The activity shows what it does, and can end it.',
      texts: faultTexts(
        'lock.heldUp',
        { process, role: role ?? '', known: role === undefined ? 'no' : 'yes', seconds },
        'lock.held.advice',
      ),
    },
  });
}
