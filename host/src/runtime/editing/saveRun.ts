import type { ChangeOutcome, EditsFacet, TableRef } from '@tabularium/sdk';
import { DriverError, isDriverError } from '@tabularium/sdk';
import type { SaveEvent, SaveProblem } from '../../common/editing.ts';
import { errorReport } from '../errors/errorReport.ts';
import { rowChange } from './stagedContent.ts';
import type { StoredRow } from './stagedContent.ts';
import type { TableStage } from './tableStage.ts';

/**
 * Changes that travel to the driver in one call, where each is independent. When driver or host dies, the fate of those is unknown and
 * every other one's is not; and a cancelled save continues to the end of a call.
 */
export const CHANGES_AT_ONCE = 20;
/** Milliseconds for the running call after a save was cancelled; then it is broken off, and the fate of its changes unknown. */
const CANCEL_GRACE = 3_000;

/** Errors after which the driver may have sent more than it reported. After any other error it has not sent the change. */
const UNCERTAIN = new Set(['DRIVER_CRASHED', 'DRIVER_FAULT', 'CONNECTION_LOST', 'TIMEOUT', 'CANCELLED', 'BAD_ANSWER']);

interface SaveRunOptions {
  readonly stage: TableStage;
  readonly table: TableRef;
  readonly rows: readonly StoredRow[];
  readonly signal: AbortSignal;
  readonly notify: (event: SaveEvent) => void;
}

/** One save of staged changes. No change is sent twice, and the outcome of each is in the journal before it is reported. */
export class SaveRun {
  readonly #options: SaveRunOptions;
  readonly #counts = { saved: 0, failed: 0, unknown: 0 };

  constructor(options: SaveRunOptions) {
    this.#options = options;
  }

  async run(facet: EditsFacet): Promise<void> {
    const { rows, signal } = this.#options;
    const atOnce = facet.atomicity === 'all' ? Math.max(1, rows.length) : CHANGES_AT_ONCE;
    const breaking = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const cancel = (): void => {
      timer ??= setTimeout(() => breaking.abort(new DriverError('CANCELLED')), CANCEL_GRACE);
    };
    signal.addEventListener('abort', cancel);
    try {
      for (let start = 0; start < rows.length; start += atOnce) {
        if (signal.aborted) throw new DriverError('CANCELLED', 'The save was cancelled; the rest was not sent.');
        const whole = await this.#batch(facet, rows.slice(start, start + atOnce), breaking.signal);
        if (!whole) return;
      }
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }

  end(error: unknown): SaveEvent {
    const { saved, failed, unknown } = this.#counts;
    const notTried = this.#options.rows.length - saved - failed - unknown;
    return { type: 'end', saved, failed, unknown, notTried, ...(error === undefined ? {} : { error: errorReport(error) }) };
  }

  /** @returns whether the driver reported every change; where it did not, it had a reason to stop */
  async #batch(facet: EditsFacet, rows: readonly StoredRow[], signal: AbortSignal): Promise<boolean> {
    const { stage, table } = this.#options;
    const untold = new Map(rows.map((row, index) => [index, row]));
    stage.markSending(rows.map(({ content }) => content.id));
    try {
      const changes = rows.map(({ content }) => rowChange(content));
      for await (const outcome of untilAborted(facet.apply(table, changes, { signal }), signal)) {
        const row = untold.get(outcome.index);
        if (row === undefined)
          throw new DriverError('DRIVER_FAULT', "The driver reported a change twice, or one that wasn't sent to it.");
        untold.delete(outcome.index);
        this.#record(row, outcome);
      }
    } catch (error) {
      if (isDriverError(error) && !UNCERTAIN.has(error.code)) {
        stage.unmarkSending([...untold.values()]);
      } else {
        const problem = uncertain(error);
        for (const row of untold.values()) this.#notify(row, problem);
        stage.notSaved(
          [...untold.values()].map(({ content }) => content.id),
          problem,
        );
      }
      throw error;
    }
    stage.unmarkSending([...untold.values()]);
    return untold.size === 0;
  }

  #record(row: StoredRow, outcome: ChangeOutcome): void {
    const { stage, notify } = this.#options;
    const { id, kind } = row.content;
    if (outcome.outcome === 'saved') {
      stage.saved(id);
      this.#counts.saved += 1;
      notify({ type: 'outcome', rowId: id, kind, outcome: 'saved', ...(outcome.key === undefined ? {} : { key: outcome.key }) });
      return;
    }
    const problem = problemOf(outcome);
    stage.notSaved([id], problem);
    this.#notify(row, problem);
  }

  #notify({ content: { id, kind } }: StoredRow, problem: SaveProblem): void {
    this.#counts[problem.outcome] += 1;
    this.#options.notify({ type: 'outcome', rowId: id, kind, outcome: problem.outcome, problem });
  }
}

/** Breaks off also what does not listen to its signal. */
async function* untilAborted<T>(items: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T, void, undefined> {
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const abort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', abort);
  const iterator = items[Symbol.asyncIterator]();
  let over = false;
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      over = next.done === true;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    // Not awaited: an iteration that hangs would not end for it either.
    if (!over) void Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

function problemOf(outcome: Exclude<ChangeOutcome, { outcome: 'saved' }>): SaveProblem {
  if (outcome.outcome === 'unknown') return { outcome: 'unknown', message: outcome.message };
  const { code, message, details, column } = outcome;
  return { outcome: 'failed', message, code, details, ...(column === undefined ? {} : { column }) };
}

function uncertain(error: unknown): SaveProblem {
  const { code, message } = errorReport(error);
  return {
    outcome: 'unknown',
    message: `${message} The change may have been made; check the row before you save it again.`,
    code,
  };
}
