import { useEffect, useState } from 'react';
import { fitted } from '../model/fit.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { PageCache } from '../model/pageCache.ts';

/** How long the first rows are waited for before the grid is drawn without them. */
const FIRST_ROWS_MILLISECONDS = 400;

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
