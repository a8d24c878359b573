import type { OperationRun } from '../../common/operations.ts';

/**
 * Runs that other runs take back. The line of a run that was taken back goes only when the undo is done: one that fails leaves it, so that it can be undone
 * again.
 */
export class UndoneRuns {
  /** Each undone run, by the run that undoes it. */
  readonly #undone = new Map<string, string>();
  readonly #leave: (id: string) => void;
  #runs: readonly OperationRun[] = [];

  /** @param leave - takes a run off the list */
  constructor(leave: (id: string) => void) {
    this.#leave = leave;
  }

  /** A run has been started that takes another one back. It may have ended already. */
  begin(undoing: string, undone: string): void {
    this.#undone.set(undoing, undone);
    this.take(this.#runs);
  }

  /** @param runs - as the host lists them now */
  take(runs: readonly OperationRun[]): void {
    this.#runs = runs;
    for (const { id, state } of runs) {
      const undone = this.#undone.get(id);
      if (undone === undefined || state !== 'done') continue;
      this.#undone.delete(id);
      this.#leave(undone);
    }
  }
}
