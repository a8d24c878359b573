import type { Filter, TableRef, TableSummary } from '@tabularium/sdk';
import { useEffect, useLayoutEffect, useState } from 'react';
import { api } from '../../api/client.ts';
import { isFiltering } from '../../filter/filterModel.ts';
import { strings } from '../../i18n/index.ts';
import { beginActivity, notify } from '../../state/notify.ts';
import { fitted } from '../model/fit.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { PageCache } from '../model/pageCache.ts';

/** Work shorter than this is not told in the status bar: it would only flicker. */
const QUIET_MILLISECONDS = 150;

/** How long the first rows are waited for before the grid is drawn without them. */
const FIRST_ROWS_MILLISECONDS = 400;

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
      // The rows say by themselves what is wrong; a count that is missing is shown as missing.
      .catch(() => undefined);
    return () => controller.abort();
  }, [cache, connectionId, table, filter, listed, isListed, generation]);
}

interface FirstWidths {
  readonly of: readonly GridColumn[];
  readonly columns: readonly GridColumn[];
}

/**
 * Widths that suit the first rows, without anything moving: the grid is drawn when they are here. Rows that take longer find
 * the grid drawn already, and its columns stay as wide as they are.
 */
export function useFirstWidths(
  cache: PageCache,
  described: readonly GridColumn[],
): { columns: readonly GridColumn[]; isReady: boolean } {
  const [widths, setWidths] = useState<FirstWidths>();
  const isSettled = widths?.of === described;
  useEffect(() => {
    if (isSettled) return undefined;
    const settle = (): void => {
      if (cache.hasRows) setWidths({ of: described, columns: fitted(described, cache.rowsAround(0)) });
      else if (cache.isEmpty) setWidths({ of: described, columns: described });
    };
    const unsubscribe = cache.subscribe(settle);
    const timer = setTimeout(() => setWidths({ of: described, columns: described }), FIRST_ROWS_MILLISECONDS);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [cache, described, isSettled]);
  return { columns: isSettled ? widths.columns : described, isReady: isSettled };
}

/** Tells the status bar of reading that takes longer than a moment, and whether it does. */
export function useReadingActivity(cache: PageCache, label: string, isShown: boolean): boolean {
  const isReading = cache.isReading;
  const [slow, setSlow] = useState<PageCache>();
  useEffect(() => {
    if (!isReading) return undefined;
    let end: (() => void) | undefined;
    const timer = setTimeout(() => {
      setSlow(cache);
      if (isShown) end = beginActivity(label, () => cache.cancel()).end;
    }, QUIET_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      setSlow(undefined);
      end?.();
    };
  }, [isReading, cache, label, isShown]);
  return slow === cache;
}

/** A sort that was not sent is said in the status bar, with the driver's reason. */
export function useDroppedSortsNotice(cache: PageCache, isShown: boolean): void {
  const dropped = cache.droppedSorts;
  useEffect(() => {
    if (!isShown || dropped.length === 0) return;
    notify({ tone: 'warning', text: dropped.map(({ column, reason }) => strings.grid.sortDropped(column, reason)).join(' ') });
  }, [dropped, isShown]);
}
