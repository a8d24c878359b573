import type { BatchColumn, Cell, ConsoleNotice } from '@tabularium/sdk';
import type { EndTransaction, RunLine } from '../../common/console.ts';
import type { Problem } from '../api/problem.ts';
import type { StopOutcome } from '../../common/stopOutcome.ts';
import type { StatementSource } from './statementSource.ts';

/** One answer of a statement; most statements give one. */
export type Answer = {
  readonly truncated: boolean;
  readonly affectedRows?: number;
  readonly status?: string;
  /** Absent while it arrives. */
  readonly milliseconds?: number;
  /** A label by which it differs from the other answers of its statement. */
  readonly label?: string;
} & (
  | {
      readonly is: 'rows';
      /** The JSON that the rows were read from, where there is more in it than the rows. */
      readonly whole?: string;
      /** There is more than the rows, and too much of it to be shown. */
      readonly wholeLeftOut?: boolean;
      readonly columns: readonly BatchColumn[];
      readonly rows: readonly (readonly Cell[])[];
    }
  | { readonly is: 'text'; readonly mediaType: 'application/json' | 'text/plain'; readonly text: string }
  | { readonly is: 'nothing' }
);

/** How a transaction is ended. */
export type TransactionEndWay = EndTransaction['way'];

export type RunState = 'waiting' | 'running' | 'ok' | 'failed' | 'stopped' | 'skipped';

/** A message of the server, and the number of answers that were whole when it came. */
export interface PlacedNotice extends ConsoleNotice {
  readonly place: number;
}

/** The messages of one statement. */
export interface RunNotices {
  /** The newest, oldest first. */
  readonly shown: readonly PlacedNotice[];
  /** How many came before those. */
  readonly leftOut: number;
}

/** How far a long statement is, as the server last said it. */
export interface RunProgress {
  readonly message: string;
  /** Between 0 and 1. */
  readonly share?: number;
}

/** One statement of a run. */
export interface Run {
  readonly id: number;
  readonly statement: string;
  /** Of one from the editor. */
  readonly source?: StatementSource | undefined;
  readonly state: RunState;
  readonly answers: readonly Answer[];
  readonly notices?: RunNotices;
  readonly progress?: RunProgress;
  readonly problem?: Problem;
  /** Of the end of a transaction, which a button asked for. */
  readonly ends?: TransactionEndWay;
  /** The title of its problem; absent: that of a request. */
  readonly problemTitle?: string;
  /** Of one that was stopped. */
  readonly stopped?: StopOutcome;
}

/** More messages make a list that no person reads, and a slow window. */
const MOST_NOTICES = 500;

/** How many statements of a run are in each state that ends one, and how many are still to come. */
export function countRuns(runs: readonly Run[]): Readonly<Record<'ok' | 'failed' | 'stopped' | 'skipped' | 'open', number>> {
  const counts = { ok: 0, failed: 0, stopped: 0, skipped: 0, open: 0 };
  for (const { state } of runs) counts[state === 'waiting' || state === 'running' ? 'open' : state] += 1;
  return counts;
}

/** Puts lines together to answers. Rows are collected in place, because there may be hundreds of thousands. */
export class AnswerBuilder {
  #done: Answer[] = [];
  #open: Answer | undefined;
  #rows: (readonly Cell[])[] = [];
  #notices: PlacedNotice[] = [];
  #noticesLeftOut = 0;
  #progress: RunProgress | undefined;

  add(line: RunLine): void {
    switch (line.type) {
      case 'rowsBegin':
        this.#rows = [];
        this.#open = { is: 'rows', columns: line.columns, rows: this.#rows, truncated: false };
        break;
      case 'rows':
        for (const row of line.rows) this.#rows.push(row);
        break;
      case 'text':
        this.#open = { is: 'text', mediaType: line.mediaType, text: line.text, truncated: false };
        break;
      case 'done': {
        const { type: _type, ...end } = line;
        this.#done = [...this.#done, { ...(this.#answer() ?? { is: 'nothing' }), ...end }];
        this.#open = undefined;
        break;
      }
      case 'notice': {
        const { type: _type, ...notice } = line;
        this.#notices.push({ ...notice, place: this.#done.length });
        // In steps: shifting a long list for each message would be slow.
        if (this.#notices.length < MOST_NOTICES * 2) break;
        this.#noticesLeftOut += this.#notices.length - MOST_NOTICES;
        this.#notices = this.#notices.slice(-MOST_NOTICES);
        break;
      }
      case 'progress': {
        const { type: _type, ...progress } = line;
        this.#progress = progress;
        break;
      }
      case 'context':
      case 'failed':
        break;
    }
  }

  /** The result as far as it has arrived. The rows are a copy: what is shown does not change under the reader. */
  answers(): readonly Answer[] {
    const open = this.#answer();
    return open === undefined ? this.#done : [...this.#done, open];
  }

  /** The messages of the server until now. */
  beside(): Pick<Run, 'notices' | 'progress'> {
    const shown = this.#notices.slice(-MOST_NOTICES);
    const leftOut = this.#noticesLeftOut + this.#notices.length - shown.length;
    return {
      ...(shown.length === 0 ? {} : { notices: { shown, leftOut } }),
      ...(this.#progress === undefined ? {} : { progress: this.#progress }),
    };
  }

  #answer(): Answer | undefined {
    return this.#open?.is === 'rows' ? { ...this.#open, rows: this.#rows.slice() } : this.#open;
  }
}
