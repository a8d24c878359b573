import type { RowKey } from '@tabularium/sdk';

/** New rows whose keys are remembered. */
const MOST = 10_000;

const keys = new Map<string, RowKey>();

/** A new row was saved by this window: it has a key now. */
export function noteSavedRow(rowId: string, key: RowKey): void {
  keys.set(rowId, key);
  const [oldest] = keys.keys();
  if (keys.size > MOST && oldest !== undefined) keys.delete(oldest);
}

/** The key that a new row got when it was saved. */
export function savedKeyOf(rowId: string): RowKey | undefined {
  return keys.get(rowId);
}
