import type { Filter, Sort } from '@tabularium/sdk';
import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';
import type { GridHandle } from '../model/gridHandle.ts';

/** Goes to the first row when another filter or another order makes other rows of them; the place of the rows before means nothing there. */
export function useFirstRow(grid: RefObject<GridHandle | null>, filter: Filter, sorts: readonly Sort[]): void {
  const before = useRef({ filter, sorts });
  useLayoutEffect(() => {
    const last = before.current;
    before.current = { filter, sorts };
    // Scrolling draws at once, which React can't do within an effect; a microtask is still before the next frame.
    if (last.filter !== filter || last.sorts !== sorts) queueMicrotask(() => grid.current?.scrollToRow(0));
  }, [grid, filter, sorts]);
}
