import { useCallback, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { strings } from '../../i18n/index.ts';
import type { FailedPage } from '../model/gridPage.ts';
import type { PageCache } from '../model/pageCache.ts';
import { useDroppedSortsNotice } from './useDroppedSortsNotice.ts';
import type { TableCache } from './useTableCache.ts';
import { useReadingActivity } from './useReadingActivity.ts';

/** The state of a tab's rows: those on the screen, and the result of reading them. */
export interface TabRows {
  readonly cache: PageCache;
  /** Set where a reload failed, so that the rows are those from before. */
  readonly former: { readonly problem: Problem; readonly isTrying: boolean; readonly retry: () => void } | undefined;
  /** Reads all rows again. */
  readonly reload: () => void;
  /** Rows that the grid draws, new ones included. */
  readonly count: number;
  /** The page at the top of the screen. */
  readonly topPage: number;
  /** The first page on the screen that could not be read. */
  readonly failure: FailedPage | undefined;
  /** Whether not one page could be read. */
  readonly nothingRead: boolean;
  /** Whether rows that are not here yet show so. */
  readonly showsWaiting: boolean;
  readonly onVisible: (first: number, last: number) => void;
  /** Whether rows came with other columns than the table is described with. */
  readonly isMisfit: boolean;
}

interface Options {
  readonly connectionId: string;
  readonly table: TableCache;
  /** How many new rows are above those of the table. */
  readonly above: number;
  readonly tableName: string;
  readonly isShown: boolean;
}

export function useTabRows({ connectionId, table, above, tableName, isShown }: Options): TabRows {
  const { cache, newest, trouble, reload, retry } = table;
  // Pages, not rows: the tab has to render again only when another page comes on the screen.
  const [topPage, setTopPage] = useState(0);
  const [bottomPage, setBottomPage] = useState(0);
  const onVisible = useCallback(
    (first: number, last: number): void => {
      const from = Math.max(0, first - above);
      const to = Math.max(0, last - above);
      cache.want(from, to);
      setTopPage(cache.pageOf(from));
      setBottomPage(cache.pageOf(to));
    },
    [cache, above],
  );
  const isSlow = useReadingActivity(newest, strings.grid.reading(tableName), isShown);
  useDroppedSortsNotice(connectionId, cache, isShown);
  const failure = cache.failureAmong(topPage, bottomPage);
  const nothingRead = failure !== undefined && !cache.hasRows;
  return {
    cache,
    former: trouble === undefined ? undefined : { problem: trouble, isTrying: newest.isReading, retry },
    reload,
    count: nothingRead ? 0 : cache.rowCount + above,
    topPage,
    failure,
    nothingRead,
    showsWaiting: isSlow || failure !== undefined,
    onVisible,
    isMisfit: table.isMisfit,
  };
}
