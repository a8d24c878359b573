import { DriverError } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';
import { readOn } from '../pgDatabase.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { Link } from '../wire/link.ts';

/** The process that one waits for, and its role. $1: the waiting one. */
const HOLDER = `SELECT b.pid, a.usename FROM pg_catalog.unnest(pg_catalog.pg_blocking_pids($1::pg_catalog.int4)) AS b (pid) LEFT JOIN pg_catalog.pg_stat_activity a ON a.pid = b.pid
WHERE b.pid > 0 ORDER BY a.pid IS NULL, b.pid LIMIT 1`;

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
    const left = Math.min(timeLimit * SHARE, MOST_MILLISECONDS);
    const timer = setTimeout(() => void this.#look(timeLimit, left, signal), timeLimit - left);
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
    this.#error = heldUp(process, role ?? undefined, Math.round(timeLimit / 1_000));
    this.#found.abort();
  }
}

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
