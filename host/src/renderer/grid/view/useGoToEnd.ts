import type { Filter, TableRef } from '@tabularium/sdk';
import type { RefObject } from 'react';
import { api } from '../../api/client.ts';
import { problemOf, wasAborted } from '../../api/problem.ts';
import { strings } from '../../i18n/index.ts';
import { beginActivity, notify } from '../../state/notify.ts';
import type { GridHandle } from '../model/gridHandle.ts';
import type { PageCache } from '../model/pageCache.ts';

interface Options {
  readonly cache: PageCache;
  readonly above: number;
  readonly grid: RefObject<GridHandle | null>;
  readonly connectionId: string;
  readonly table: TableRef;
  readonly filter: Filter;
}

/**
 * Goes to the last row: by its number, or from the end where pages are found by cursors and the table can be read from there. Whether that was
 * possible; else the grid goes to the last row that it knows.
 */
export function useGoToEnd({ cache, above, grid, connectionId, table, filter }: Options): (column: number) => boolean {
  const go = (column: number): void => {
    const row = cache.rowCount + above - 1;
    if (row >= 0) grid.current?.goTo({ row, column });
  };
  return (column) => {
    if (!cache.reachesEnd) return false;
    if (cache.knownRows === cache.rowCount) {
      go(column);
      return true;
    }
    const controller = new AbortController();
    const { signal } = controller;
    const activity = beginActivity(strings.grid.reading(table.name), () => controller.abort());
    const read = async (): Promise<void> => {
      // The rows are numbered from the start, so it has to be known how many there are.
      if (cache.total?.exact !== true) cache.learn(await api.tables.count.query({ connectionId, table, filter }, { signal }));
      await cache.readEnd(signal);
      // The grid has to know how many rows there are before it can show the last one.
      requestAnimationFrame(() => go(column));
    };
    read()
      .catch((error: unknown) => {
        if (!wasAborted(error, signal)) notify({ tone: 'warning', text: problemOf(error).message });
      })
      .finally(activity.end);
    return true;
  };
}
