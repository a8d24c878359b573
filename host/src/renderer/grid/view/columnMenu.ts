import type { Sort, TableDescription } from '@tabularium/sdk';
import type { RefObject } from 'react';
import type { MenuEntry } from '../../ui/MenuList.tsx';
import type { FilterBarHandle } from '../../filter/FilterBar.tsx';
import { canFilterBy, rowFor } from '../../filter/filterModel.ts';
import type { Filtering } from '../../filter/filterModel.ts';
import type { TableFilter } from '../../filter/useTableFilter.ts';
import { columnEntries } from './columnActions.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import type { PageCache } from '../model/pageCache.ts';
import type { ColumnArrangement } from './useColumnLayout.ts';
import type { Copying } from './useCopy.ts';
import type { GridSelection } from '../model/gridSelection.ts';

interface Options {
  readonly description: TableDescription;
  readonly arrangement: ColumnArrangement;
  readonly cache: PageCache;
  readonly grid: RefObject<GridHandle | null>;
  readonly selection: GridSelection;
  readonly copying: Copying;
  readonly sorts: readonly Sort[];
  readonly maxSorts: number;
  readonly setSorts: (sorts: readonly Sort[]) => void;
  readonly filtering: Filtering | undefined;
  readonly filter: TableFilter;
  readonly filterBar: RefObject<FilterBarHandle | null>;
}

/** The menu of a header, by the column's place. */
export function columnMenu(options: Options): (place: number) => readonly MenuEntry[] {
  const { description, arrangement, copying, filtering, filter, filterBar } = options;
  const filterBy = (name: string): void => {
    const column = description.columns.find((one) => one.name === name);
    if (filtering === undefined || column === undefined) return;
    filter.change({ ...filter.draft, rows: [...filter.draft.rows, rowFor(filtering, column)] });
    requestAnimationFrame(() => filterBar.current?.focus());
  };
  return (place) => {
    const column = description.columns.find(({ name }) => name === arrangement.columns[place]?.name);
    const isFilterable = filtering !== undefined && column !== undefined && canFilterBy(filtering, column);
    return columnEntries(place, { ...options, copyName: copying.copyName, filterBy: isFilterable ? filterBy : undefined });
  };
}
