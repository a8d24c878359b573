import type { Sort } from '@tabularium/sdk';
import { useMemo, useState } from 'react';
import type { RefObject } from 'react';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import { cycleSort } from '../model/sortCycle.ts';
import type { Sorting } from '../model/sorting.ts';

/** The order of a tab's rows, and what changes it. */
export interface TabSorting extends Sorting {
  readonly apply: (sorts: readonly Sort[]) => void;
  /** The next order by a column, as a click on its header asks for it. */
  readonly cycle: (column: string, additive: boolean) => void;
}

/** The same object from render to render while the order is the same. */
export function useSorting(maxSorts: number, grid: RefObject<GridHandle | null>): TabSorting {
  const [sorts, setSorts] = useState<readonly Sort[]>([]);
  return useMemo((): TabSorting => {
    const apply = (next: readonly Sort[]): void => {
      notify();
      setSorts(next);
      grid.current?.scrollToRow(0);
    };
    const cycle = (column: string, additive: boolean): void => {
      const next = cycleSort(sorts, column, additive, maxSorts);
      if (next.limitReached) notify({ tone: 'warning', text: strings.grid.sortLimit(maxSorts) });
      else apply(next.sorts);
    };
    return { sorts, maxSorts, apply, cycle };
  }, [sorts, maxSorts, grid]);
}
