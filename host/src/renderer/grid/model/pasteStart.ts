import type { SelectionState } from './gridSelection.ts';
import { HEADER_ROW } from './navigation.ts';
import { blockOf, isMultiple, lengthOf } from './selection.ts';
import type { SelectionSize } from './selection.ts';

/** Where a text is pasted: the first cell, and the rows and columns that one value fills. */
export interface PasteStart {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** Undefined where no cell is active, so that a text can only become new rows. */
export function pasteStart({ active, selection }: SelectionState, size: SelectionSize): PasteStart | undefined {
  if (active === undefined || active.row === HEADER_ROW) return undefined;
  const block = selection === undefined || !isMultiple(selection) ? undefined : blockOf(selection.ranges, size);
  return {
    row: block?.rows[0]?.first ?? active.row,
    column: block?.columns[0] ?? active.column,
    rows: block === undefined ? 1 : lengthOf(block.rows.slice(0, 1)),
    columns: block?.columns.length ?? 1,
  };
}
