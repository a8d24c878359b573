import { HEADER_ROW } from './navigation.ts';
import type { CellPosition } from './navigation.ts';
import {
  addCell,
  extendTo,
  selectAll,
  selectCell,
  selectColumn,
  selectRow,
  shiftedRows,
  toggleColumn,
  toggleRow,
  withActive,
} from './selection.ts';
import type { Selection } from './selection.ts';

/** How a click or key changes the selection: a new one, the last range longer, or one more range. */
export type SelectionMode = 'new' | 'extend' | 'add';

/** The active cell and what is selected around it. The header may be active, too; it selects nothing. */
export interface SelectionState {
  readonly active: CellPosition | undefined;
  readonly selection: Selection | undefined;
}

/** The selection of a grid, and what changes it. */
export interface GridSelection extends SelectionState {
  readonly cell: (position: CellPosition, mode?: SelectionMode) => void;
  readonly row: (row: number, mode?: SelectionMode) => void;
  readonly column: (column: number, mode?: SelectionMode) => void;
  readonly all: () => void;
  /** Another cell within the selection becomes the active one. */
  readonly activate: (position: CellPosition) => void;
  /** Back to the active cell alone. */
  readonly collapse: () => void;
  /** The row of the active cell has another place now, or is gone. @param isAlone - whether only the active cell stays selected */
  readonly follow: (row: number | undefined, isAlone: boolean) => void;
}

export type SelectionChange =
  | { readonly to: 'cell'; readonly position: CellPosition; readonly mode: SelectionMode }
  | { readonly to: 'row'; readonly row: number; readonly mode: SelectionMode }
  | { readonly to: 'column'; readonly column: number; readonly mode: SelectionMode }
  | { readonly to: 'all' }
  | { readonly to: 'active'; readonly position: CellPosition }
  | { readonly to: 'activeAlone' }
  /** The same numbers mean other rows or columns now: nothing stays selected but the active cell, which goes to the first row with the other rows. */
  | { readonly to: 'reordered'; readonly isOfRows?: boolean }
  /** Rows came or went above those from a place on: the selection there stays with its rows. */
  | { readonly to: 'shifted'; readonly by: number; readonly from?: number }
  /** The row of the active cell was read again at another place; undefined: it is gone, and nothing stays selected. */
  | { readonly to: 'followed'; readonly row: number | undefined; readonly isAlone: boolean };

export const NOTHING_SELECTED: SelectionState = { active: undefined, selection: undefined };

const at = (selection: Selection): SelectionState => ({ active: selection.anchor, selection });

/** The state after a change; the same object where nothing changes. */
export function changedSelection(state: SelectionState, change: SelectionChange): SelectionState {
  const { active, selection } = state;
  switch (change.to) {
    case 'cell':
      return cellSelected(selection, change.position, change.mode);
    case 'row':
      return at(rowSelected(state, change.row, change.mode));
    case 'column':
      return at(columnSelected(state, change.column, change.mode));
    case 'all':
      return at(selectAll(active === undefined || active.row === HEADER_ROW ? { row: 0, column: 0 } : active));
    case 'active':
      return selection === undefined ? state : at(withActive(selection, change.position));
    case 'activeAlone':
      return selection === undefined ? state : at(selectCell(selection.anchor));
    case 'reordered':
      if (active === undefined || active.row === HEADER_ROW) return { active, selection: undefined };
      return at(selectCell(change.isOfRows === true ? { ...active, row: 0 } : active));
    case 'shifted':
      return selection === undefined || selection.anchor.row < (change.from ?? 0) ? state : at(shiftedRows(selection, change.by));
    case 'followed':
      if (selection === undefined) return state;
      if (change.row === undefined) return NOTHING_SELECTED;
      return at(
        change.isAlone
          ? selectCell({ ...selection.anchor, row: change.row })
          : shiftedRows(selection, change.row - selection.anchor.row),
      );
  }
}

function cellSelected(selection: Selection | undefined, position: CellPosition, mode: SelectionMode): SelectionState {
  if (position.row === HEADER_ROW) return { active: position, selection: undefined };
  if (mode === 'extend' && selection !== undefined) return at(extendTo(selection, position));
  return at(mode === 'add' ? addCell(selection, position) : selectCell(position));
}

function rowSelected({ active, selection }: SelectionState, row: number, mode: SelectionMode): Selection {
  const column = active?.column ?? 0;
  if (mode === 'extend' && selection !== undefined) {
    const isWhole = selection.ranges.at(-1)?.right === Number.POSITIVE_INFINITY;
    return extendTo(isWhole ? selection : selectRow(selection.anchor.row, column), { row, column });
  }
  return mode === 'add' ? toggleRow(selection, row, column) : selectRow(row, column);
}

function columnSelected({ active, selection }: SelectionState, column: number, mode: SelectionMode): Selection {
  const row = Math.max(0, active?.row ?? 0);
  if (mode === 'extend' && selection !== undefined) {
    const isWhole = selection.ranges.at(-1)?.bottom === Number.POSITIVE_INFINITY;
    return extendTo(isWhole ? selection : selectColumn(selection.anchor.column, row), { row, column });
  }
  return mode === 'add' ? toggleColumn(selection, column, row) : selectColumn(column, row);
}
