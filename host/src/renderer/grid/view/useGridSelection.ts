import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { HEADER_ROW } from '../model/navigation.ts';
import type { CellPosition } from '../model/navigation.ts';
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
} from '../model/selection.ts';
import type { Selection } from '../model/selection.ts';

/** How a click or key changes what is selected: anew, the last range longer, or one more range. */
export type SelectionMode = 'new' | 'extend' | 'add';

/** The active cell and what is selected around it. The header may be active, too; it selects nothing. */
export interface GridSelection {
  readonly active: CellPosition | undefined;
  readonly selection: Selection | undefined;
  readonly cell: (position: CellPosition, mode?: SelectionMode) => void;
  readonly row: (row: number, mode?: SelectionMode) => void;
  readonly column: (column: number, mode?: SelectionMode) => void;
  readonly all: () => void;
  /** Another cell within the selection becomes the active one. */
  readonly activate: (position: CellPosition) => void;
  /** Back to the active cell alone. */
  readonly collapse: () => void;
}

interface State {
  readonly active: CellPosition | undefined;
  readonly selection: Selection | undefined;
}

const at = (selection: Selection): State => ({ active: selection.anchor, selection });

/**
 * @param above - how many new rows stand above those of the table: the selection stays with its rows when that changes
 * @param order - changes when the same numbers mean other rows or columns, so that nothing stays selected
 */
export function useGridSelection(above: number, order: string): GridSelection {
  const [state, setState] = useState<State>({ active: undefined, selection: undefined });
  const before = useRef({ above, order });
  useEffect(() => {
    const last = before.current;
    before.current = { above, order };
    if (last.order !== order) {
      setState(({ active }) => ({
        active,
        selection: active === undefined || active.row === HEADER_ROW ? undefined : selectCell(active),
      }));
    } else if (last.above !== above) {
      setState((now) => (now.selection === undefined ? now : at(shiftedRows(now.selection, above - last.above))));
    }
  }, [above, order]);

  const cell = useCallback((position: CellPosition, mode: SelectionMode = 'new'): void => {
    setState(({ selection }) => {
      if (position.row === HEADER_ROW) return { active: position, selection: undefined };
      if (mode === 'extend' && selection !== undefined) return at(extendTo(selection, position));
      return at(mode === 'add' ? addCell(selection, position) : selectCell(position));
    });
  }, []);
  const row = useCallback((number: number, mode: SelectionMode = 'new'): void => {
    setState(({ active, selection }) => {
      const column = active?.column ?? 0;
      if (mode === 'extend' && selection !== undefined) {
        const whole = selection.ranges.at(-1)?.right === Number.POSITIVE_INFINITY;
        const from = whole ? selection : selectRow(selection.anchor.row, column);
        return at(extendTo(from, { row: number, column }));
      }
      return at(mode === 'add' ? toggleRow(selection, number, column) : selectRow(number, column));
    });
  }, []);
  const column = useCallback((number: number, mode: SelectionMode = 'new'): void => {
    setState(({ active, selection }) => {
      const shown = Math.max(0, active?.row ?? 0);
      if (mode === 'extend' && selection !== undefined) {
        const whole = selection.ranges.at(-1)?.bottom === Number.POSITIVE_INFINITY;
        const from = whole ? selection : selectColumn(selection.anchor.column, shown);
        return at(extendTo(from, { row: shown, column: number }));
      }
      return at(mode === 'add' ? toggleColumn(selection, number, shown) : selectColumn(number, shown));
    });
  }, []);
  const all = useCallback((): void => {
    setState(({ active }) => at(selectAll(active === undefined || active.row === HEADER_ROW ? { row: 0, column: 0 } : active)));
  }, []);
  const activate = useCallback((position: CellPosition): void => {
    setState((now) => (now.selection === undefined ? now : at(withActive(now.selection, position))));
  }, []);
  const collapse = useCallback((): void => {
    setState((now) => (now.selection === undefined ? now : at(selectCell(now.selection.anchor))));
  }, []);
  return useMemo(
    () => ({ ...state, cell, row, column, all, activate, collapse }),
    [state, cell, row, column, all, activate, collapse],
  );
}
