import type { GridRow } from './gridRow.ts';
import type { PageCache } from './pageCache.ts';
import { isWhole } from './wholeRows.ts';

/** Rows that are read whole for one step of editing, at most. */
export const MOST_READ_WHOLE = 50;

/** Milliseconds that a command waits for values that it can do without. */
const LONGEST_WAIT = 2_000;

/**
 * The same rows without placeholders at some places, as far as these can be read now: of more than 50 rows, and where reading fails or takes
 * long, the rows as they are.
 */
export async function alsoRead(
  cache: Pick<PageCache, 'whole'>,
  rows: readonly GridRow[],
  places: readonly number[],
  signal?: AbortSignal,
): Promise<readonly GridRow[]> {
  if (rows.length > MOST_READ_WHOLE || rows.every((row) => isWhole(row, places))) return rows;
  const limit = AbortSignal.timeout(LONGEST_WAIT);
  return cache.whole.read(rows, places, signal === undefined ? limit : AbortSignal.any([signal, limit])).catch(() => rows);
}
