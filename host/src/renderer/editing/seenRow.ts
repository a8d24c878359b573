import { isUnread } from '@tabularium/sdk';
import type { Cell, Column } from '@tabularium/sdk';
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

/** The columns that a row needs to be inserted again: those that take a value in a new row. */
export function isInserted({ isKey, editable }: Pick<Column, 'editable'> & { readonly isKey: boolean }): boolean {
  return isKey || editable.allowed;
}

/** The places of {@link isInserted}. They are read when a change is staged, so that a row that somebody deletes meanwhile is whole when it is inserted again. */
export function insertedPlaces(
  columns: readonly (Pick<Column, 'editable'> & { readonly isKey: boolean; readonly source: number })[],
): readonly number[] {
  return columns.flatMap((column) => (isInserted(column) ? [column.source] : []));
}
