import type { ChangeOutcome, EditsFacet, TableRef } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { Meanwhile, SaveEvent, SaveProblem } from '../../common/editing.ts';
import { HOST_SENTENCES } from '../../common/hostSentences.ts';
import type { StoppableOptions } from '../drivers/processes/stoppableOptions.ts';
import { errorReport } from '../errors/errorReport.ts';
import { changedMeanwhile } from './meanwhile.ts';
import { rowChange } from './stagedContent.ts';
import type { RowContent, StoredRow } from './stagedContent.ts';
import type { TableStage } from './tableStage.ts';
import { wasNotSent } from './wasNotSent.ts';

/**
 * Changes that travel to the driver in one call, where each is independent. When driver or host dies, the fate of those is unknown and
 * every other one's is not; and a cancelled save continues to the end of a call.
 */
export const CHANGES_AT_ONCE = 20;
/**
 * Milliseconds for the running call after a save was cancelled; then the driver is asked to stop it and to say what it made. One that makes all or nothing
 * is asked at once.
 */
const CANCEL_GRACE = 3_000;
/** Milliseconds for the driver's last outcomes; then the call is broken off, and the fate of its changes unknown. */
const STOP_GRACE = 12_000;

const REST_NOT_SENT = 'The save was cancelled; the rest was not sent.';

/** Fields that a message names. */
const MOST_NAMED = 20;

/** Outcomes after which the row is looked at again: somebody else may have changed it between the comparison and the write. */
const OVERTAKEN = new Set(['CONFLICT', 'NOT_FOUND']);

/** Rows compared with what the database holds now, by their ids. */
export interface Comparison {
  /** How rows differ from what was seen when they were staged. */
  readonly found: ReadonlyMap<string, Meanwhile>;
  /** Rows in which somebody else made the same change, as they are to be sent. */
  readonly sameChange: ReadonlyMap<string, RowContent>;
  /** The required fields that new rows have no value for. */
  readonly lacking: ReadonlyMap<string, readonly string[]>;
}

/**
 * Compares rows with what the database holds now.
 *
 * @param exactly - character by character, as a driver compares that does so in the database
 * @throws what reading them throws; nothing is sent then
 */
export type CompareRows = (rows: readonly StoredRow[], exactly: boolean, signal: AbortSignal) => Promise<Comparison>;

interface SaveRunOptions {
  readonly stage: TableStage;
  readonly table: TableRef;
  readonly rows: readonly StoredRow[];
  /** No further call begins once it is aborted. */
  readonly signal: AbortSignal;
  /** Aborted when a person cancels or the host stops: the running call is then broken off after a while. A window that is gone leaves it alone. */
  readonly cancelled: AbortSignal;
  readonly notify: (event: SaveEvent) => void;
  readonly compare: CompareRows;
}

/** One save of staged changes. No change is sent twice, and the outcome of each is in the journal before it is reported. */
export class SaveRun {
  readonly #options: SaveRunOptions;
  readonly #counts = { saved: 0, failed: 0, unknown: 0 };

  constructor(options: SaveRunOptions) {
    this.#options = options;
  }

  async run(facet: EditsFacet): Promise<void> {
    const { rows, signal, cancelled } = this.#options;
    const atOnce = facet.atomicity === 'all' ? Math.max(1, rows.length) : CHANGES_AT_ONCE;
    const stopping = new AbortController();
    const breaking = new AbortController();
    const ending = { signal: breaking.signal, stop: stopping.signal };
    const timers: NodeJS.Timeout[] = [];
    const cancel = (): void => {
      if (timers.length > 0) return;
      const grace = facet.atomicity === 'all' ? 0 : CANCEL_GRACE;
      timers.push(
        setTimeout(() => stopping.abort(new DriverError('CANCELLED')), grace),
        setTimeout(() => breaking.abort(new DriverError('CANCELLED')), grace + STOP_GRACE),
      );
    };
    cancelled.addEventListener('abort', cancel);
    try {
      for (let start = 0; start < rows.length; start += atOnce) {
        if (signal.aborted) throw new DriverError('CANCELLED', REST_NOT_SENT);
        const batch = rows.slice(start, start + atOnce);
        const unchanged = await this.#withoutChanged(batch, signal);
        // All or none: what cannot be sent keeps the others.
        if (facet.atomicity === 'all' && unchanged.length < batch.length) return;
        if (unchanged.length === 0 || (await this.#batch(facet, unchanged, ending))) continue;
        if (stopping.signal.aborted) throw new DriverError('CANCELLED', REST_NOT_SENT);
        return;
      }
    } finally {
      for (const timer of timers) clearTimeout(timer);
      cancelled.removeEventListener('abort', cancel);
    }
  }

  end(error: unknown): SaveEvent {
    const { saved, failed, unknown } = this.#counts;
    const notTried = this.#options.rows.length - saved - failed - unknown;
    return { type: 'end', saved, failed, unknown, notTried, ...(error === undefined ? {} : { error: errorReport(error) }) };
  }

  /** Rows that somebody else changed, and new rows that lack a field, are not sent: they stay staged, marked. @returns the others */
  async #withoutChanged(rows: readonly StoredRow[], signal: AbortSignal): Promise<readonly StoredRow[]> {
    const { found, sameChange, lacking } = await this.#options.compare(rows, false, signal);
    const unchanged = rows.filter((row) => {
      const lacks = lacking.get(row.content.id);
      if (lacks !== undefined) {
        this.#keep(row, lackingProblem(lacks));
        return false;
      }
      const meanwhile = found.get(row.content.id);
      if (meanwhile === undefined) return true;
      const problem = row.problem?.outcome === 'unknown' ? { ...row.problem, meanwhile } : changedMeanwhile(meanwhile);
      this.#keep(row, problem);
      return false;
    });
    return unchanged.map((row) => ({ ...row, content: sameChange.get(row.content.id) ?? row.content }));
  }

  /** @returns whether the driver reported every change; where it did not, it had a reason to stop */
  async #batch(facet: EditsFacet, rows: readonly StoredRow[], options: StoppableOptions): Promise<boolean> {
    const { stage, table } = this.#options;
    const { signal } = options;
    const untold = new Map(rows.map((row, index) => [index, row]));
    const overtaken: { readonly row: StoredRow; readonly problem: SaveProblem }[] = [];
    stage.markSending(rows.map(({ content }) => content.id));
    try {
      const changes = rows.map(({ content }) => rowChange(content));
      for await (const outcome of untilAborted(facet.apply(table, changes, options), signal)) {
        const row = untold.get(outcome.index);
        if (row === undefined)
          throw new DriverError('DRIVER_FAULT', "The driver reported a change twice, or one that wasn't sent to it.");
        untold.delete(outcome.index);
        this.#record(row, outcome);
        if (outcome.outcome === 'failed' && OVERTAKEN.has(outcome.code) && row.content.kind !== 'insert')
          overtaken.push({ row, problem: problemOf(outcome) });
      }
    } catch (error) {
      if (wasNotSent(error)) {
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
    await this.#explain(overtaken, signal);
    stage.unmarkSending([...untold.values()]);
    return untold.size === 0;
  }

  /** Adds what rows hold now that the driver found changed or gone, where that can be read. */
  async #explain(
    overtaken: readonly { readonly row: StoredRow; readonly problem: SaveProblem }[],
    signal: AbortSignal,
  ): Promise<void> {
    if (overtaken.length === 0) return;
    const rows = overtaken.map(({ row }) => row);
    // The outcome is known without it.
    const { found } = await this.#options.compare(rows, true, signal).catch(() => ({ found: new Map<string, Meanwhile>() }));
    for (const { row, problem } of overtaken) {
      const meanwhile = found.get(row.content.id);
      if (meanwhile !== undefined) this.#options.stage.notSaved([row.content.id], { ...problem, ...changedMeanwhile(meanwhile) });
    }
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
    this.#keep(row, problemOf(outcome));
  }

  #keep(row: StoredRow, problem: SaveProblem): void {
    this.#options.stage.notSaved([row.content.id], problem);
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
  if (outcome.outcome === 'unknown') {
    const { message, texts } = outcome;
    return { outcome: 'unknown', message, ...(texts === undefined ? {} : { details: { texts } }) };
  }
  const { code, message, details, column } = outcome;
  return { outcome: 'failed', message, code, details, ...(column === undefined ? {} : { column }) };
}

/** A new row can't be sent before it has a value in these fields. */
export function lackingProblem(fields: readonly string[]): SaveProblem {
  const [column] = fields;
  return { outcome: 'failed', code: 'INVALID_INPUT', message: lackingText(fields), ...(column === undefined ? {} : { column }) };
}

export function lackingText(fields: readonly string[]): string {
  const shown = fields.slice(0, MOST_NAMED).map((name) => `“${name}”`);
  const more = fields.length - shown.length;
  return `The new row lacks ${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}. Enter a value there first.`;
}

function uncertain(error: unknown): SaveProblem {
  const { code, message, sentence, details } = errorReport(error);
  return {
    outcome: 'unknown',
    message: `${message} ${HOST_SENTENCES.saveUncertain}`,
    code,
    cause: { code, message, details, ...(sentence === undefined ? {} : { sentence }) },
  };
}
