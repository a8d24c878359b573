import { useEffect, useState } from 'react';
import { beginActivity } from '../../state/notify.ts';
import type { PageCache } from '../model/pageCache.ts';

/** Work shorter than this does not appear in the status bar: it would only flicker. */
const QUIET_MILLISECONDS = 150;

/** Shows reading that takes longer than a moment in the status bar, and returns whether it does. */
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
