import type { SaveEvent } from '../../common/editing.ts';
import type { Problem } from '../api/problem.ts';

export type SavedRowOutcome = Extract<SaveEvent, { type: 'outcome' }>;
export type SaveEnd = Extract<SaveEvent, { type: 'end' }>;

/** One save: running, or how it ended. */
export interface SaveState {
  readonly isRunning: boolean;
  /** Whether it was cancelled and what is on its way has not ended yet. */
  readonly isCancelling?: boolean;
  readonly rows: number;
  readonly outcomes: ReadonlyMap<string, SavedRowOutcome>;
  readonly end?: SaveEnd;
  readonly problem?: Problem;
}

/** How many changes may have been saved. Where the end of the save was not heard, that is every one without an outcome. */
export function uncertainIn({ rows, outcomes, end }: SaveState): number {
  if (end !== undefined) return end.unknown;
  return rows - [...outcomes.values()].filter(({ outcome }) => outcome !== 'unknown').length;
}
