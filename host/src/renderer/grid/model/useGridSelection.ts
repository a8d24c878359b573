import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { NOTHING_SELECTED, changedSelection } from './gridSelection.ts';
import type { GridSelection, SelectionChange } from './gridSelection.ts';

/**
 * @param above - how many new rows are above those of the table: the selection stays with its rows when that changes
 * @param order - changes when the same numbers mean other rows or columns, so that nothing stays selected
 * @param rows - changes when they mean other rows, of which the first are gone to
 */
export function useGridSelection(above: number, order: string, rows = ''): GridSelection {
  const [state, setState] = useState(NOTHING_SELECTED);
  const change = useCallback((next: SelectionChange): void => setState((now) => changedSelection(now, next)), []);
  const before = useRef({ above, order, rows });
  useEffect(() => {
    const last = before.current;
    before.current = { above, order, rows };
    if (last.order !== order) change({ to: 'reordered', isOfRows: last.rows !== rows });
    // Where new rows went, only the rows behind them have moved for sure: a selected new row may be the one that went.
    else if (last.above !== above) change({ to: 'shifted', by: above - last.above, from: above < last.above ? last.above : 0 });
  }, [above, order, rows, change]);

  const changes = useMemo(
    (): Omit<GridSelection, 'active' | 'selection'> => ({
      cell: (position, mode = 'new') => change({ to: 'cell', position, mode }),
      row: (row, mode = 'new') => change({ to: 'row', row, mode }),
      column: (column, mode = 'new') => change({ to: 'column', column, mode }),
      all: () => change({ to: 'all' }),
      activate: (position) => change({ to: 'active', position }),
      collapse: () => change({ to: 'activeAlone' }),
      follow: (row, isAlone) => change({ to: 'followed', row, isAlone }),
    }),
    [change],
  );
  return useMemo(() => ({ ...state, ...changes }), [state, changes]);
}
