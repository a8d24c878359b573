import type { Filter, Sort, TableDescription, TableSummary } from '@tabularium/sdk';
import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { readTablePage } from '../../api/readTablePage.ts';
import { useTableChanges } from '../../state/tableChanges.ts';
import type { GridColumns } from '../model/gridColumns.ts';
import { PageCache } from '../model/pageCache.ts';
import { useRowCount } from './useRowCount.ts';

interface Options {
  readonly connectionId: string;
  readonly description: TableDescription;
  readonly described: GridColumns;
  readonly summary: TableSummary | undefined;
  readonly pageSize: number;
  readonly filter: Filter;
  readonly sorts: readonly Sort[];
}

/** The rows of a table in one order. Other rows (a filter, a sort, a reload) are another cache. */
export function useTableCache(options: Options): { readonly cache: PageCache; readonly reload: () => void } {
  const { connectionId, description, described, summary, pageSize, filter, sorts } = options;
  const [reloads, setReloads] = useState(0);
  const generation = reloads + useTableChanges(connectionId);
  const cache = useMemo(() => {
    void generation;
    return new PageCache({
      paging: description.paging,
      readsFromEnd: description.readsFromEnd,
      pageSize,
      columns: described.columns.map((column) => column.name),
      load: (position, limit, signal) =>
        readTablePage({ connectionId, request: { table: description.ref, filter, sorts, position, limit } }, signal),
    });
  }, [connectionId, description, described, pageSize, filter, sorts, generation]);
  useSyncExternalStore(cache.subscribe, cache.version);
  useEffect(() => () => cache.dispose(), [cache]);
  useRowCount(cache, connectionId, description.ref, filter, summary, generation);
  const reload = useCallback((): void => setReloads((before) => before + 1), []);
  return { cache, reload };
}
