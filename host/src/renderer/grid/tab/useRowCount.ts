import type { Filter, TableRef, TableSummary } from '@tabularium/sdk';
import { useLayoutEffect } from 'react';
import { api } from '../../api/client.ts';
import { isFiltering } from '../../filter/filterModel.ts';
import type { PageCache } from '../model/pageCache.ts';

/**
 * How many rows there are: as the list of tables says, or counted, where the list does not say and after a reload. The rows do not wait for
 * it; without a count the grid grows as it is read.
 */
export function useRowCount(
  cache: PageCache,
  connectionId: string,
  table: TableRef,
  filter: Filter,
  summary: TableSummary | undefined,
  generation: number,
): void {
  const listed = summary?.count;
  const isListed = summary !== undefined;
  useLayoutEffect(() => {
    const needsCounting = generation > 0 || isFiltering(filter);
    if (!needsCounting && listed !== undefined) {
      cache.learn(listed);
      return undefined;
    }
    if (!needsCounting && !isListed) return undefined;
    const controller = new AbortController();
    api.tables.count
      .query({ connectionId, table, filter }, { signal: controller.signal })
      .then((count) => cache.learn(count))
      // The rows show their own error; a missing count is shown as missing.
      .catch(() => undefined);
    return () => controller.abort();
  }, [cache, connectionId, table, filter, listed, isListed, generation]);
}
