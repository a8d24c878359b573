import { isUnread } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import type { GridRow } from '../grid/model/gridRow.ts';

/** The cells that go with one step of editing as they were seen, at most: rows of a larger step are changed without them. */
export const MOST_SEEN_CELLS = 50_000;

/** A row as the person sees it, as far as it was read. */
export function seenRow(
  row: GridRow,
  columns: readonly { readonly name: string; readonly source: number }[],
): { readonly column: string; readonly value: Cell }[] {
  return columns.flatMap(({ name, source }) => {
    const value = row[source] ?? null;
    return isUnread(value) ? [] : [{ column: name, value }];
  });
}
