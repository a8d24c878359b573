import { useEffect } from 'react';
import { inDriverWords } from '../../api/driverTexts.ts';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import type { PageCache } from '../model/pageCache.ts';

/** A sort that was not sent is said in the status bar, with the driver's reason. */
export function useDroppedSortsNotice(connectionId: string, cache: PageCache, isShown: boolean): void {
  const dropped = cache.droppedSorts;
  useEffect(() => {
    if (!isShown || dropped.length === 0) return;
    const said = dropped.map((one) => strings.grid.sortDropped(one.column, inDriverWords(connectionId, one).reason));
    notify({ tone: 'warning', text: said.join(' ') });
  }, [connectionId, dropped, isShown]);
}
