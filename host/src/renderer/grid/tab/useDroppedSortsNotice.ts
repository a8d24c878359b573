import { useEffect } from 'react';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import type { PageCache } from '../model/pageCache.ts';

/** A sort that was not sent is said in the status bar, with the driver's reason. */
export function useDroppedSortsNotice(cache: PageCache, isShown: boolean): void {
  const dropped = cache.droppedSorts;
  useEffect(() => {
    if (!isShown || dropped.length === 0) return;
    notify({ tone: 'warning', text: dropped.map(({ column, reason }) => strings.grid.sortDropped(column, reason)).join(' ') });
  }, [dropped, isShown]);
}
