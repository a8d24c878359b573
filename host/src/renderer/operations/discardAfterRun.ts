import type { EditedTable } from '../../common/editing.ts';
import { discardStaged } from '../tables/stagedChanges.ts';

/** Staged changes that a person gave up for a run, by its id. */
const waiting = new Map<string, readonly EditedTable[]>();

/** Discards staged changes when a run has ended well: one that fails leaves them. */
export function discardAfterRun(runId: string, tables: readonly EditedTable[]): void {
  if (tables.length > 0) waiting.set(runId, tables);
}

/** A run has ended. */
export async function settleStaged(runId: string, connectionId: string, isDone: boolean): Promise<void> {
  const tables = waiting.get(runId);
  waiting.delete(runId);
  if (isDone && tables !== undefined) await discardStaged(connectionId, tables);
}
