import type { Sort, TableDescription } from '@tabularium/sdk';
import { useMemo, useState } from 'react';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { workspaceTableKey } from '../../state/workspace.ts';
import { recall, remember } from '../../state/workspaceStore.ts';
import { readSorts } from '../model/rememberedSorts.ts';
import { cycleSort } from '../model/sortCycle.ts';
import type { Sorting } from '../model/sorting.ts';

/** The order of a tab's rows, and what changes it. */
export interface TabSorting extends Sorting {
  readonly apply: (sorts: readonly Sort[]) => void;
  /** The next order by a column, as a click on its header asks for it. */
  readonly cycle: (column: string, additive: boolean) => void;
}

/** The order of one table, remembered with the connection. The same object from render to render while the order is the same. */
export function useSorting(connectionId: string, description: TableDescription, maxSorts: number): TabSorting {
  const name = `sorts ${workspaceTableKey(description.ref)}`;
  const [sorts, setSorts] = useState<readonly Sort[]>(() => readSorts(recall(connectionId, name), description.columns, maxSorts));
  return useMemo((): TabSorting => {
    const apply = (next: readonly Sort[]): void => {
      notify();
      setSorts(next);
      remember(connectionId, name, next.length === 0 ? undefined : next.map((sort) => ({ ...sort })));
    };
    const cycle = (column: string, additive: boolean): void => {
      const next = cycleSort(sorts, column, additive, maxSorts);
      if (next.limitReached) notify({ tone: 'warning', text: strings.grid.sortLimit(maxSorts) });
      else apply(next.sorts);
    };
    return { sorts, maxSorts, apply, cycle };
  }, [connectionId, name, sorts, maxSorts]);
}
