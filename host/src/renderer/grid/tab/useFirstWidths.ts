import type { TableDescription } from '@tabularium/sdk';
import { useEffect, useMemo, useState } from 'react';
import { workspaceTableKey } from '../../state/workspace.ts';
import { recall, remember } from '../../state/workspaceStore.ts';
import { storedFirstWidths, withFirstWidths } from '../model/firstWidths.ts';
import { fitted } from '../model/fit.ts';
import type { GridColumn } from '../model/gridColumns.ts';
import type { PageCache } from '../model/pageCache.ts';

/** How long the first rows are waited for before the grid is drawn without them. */
const FIRST_ROWS_MILLISECONDS = 400;

interface FirstWidths {
  readonly of: readonly GridColumn[];
  readonly columns: readonly GridColumn[];
}

interface Options {
  readonly connectionId: string;
  readonly description: TableDescription;
  readonly cache: PageCache;
  readonly described: readonly GridColumn[];
}

/**
 * Widths that suit the first rows, without anything moving: the grid is drawn when they are here. Rows that take longer find
 * the grid drawn already, and its columns stay as wide as they are. They are remembered: a table that is opened again in another order, or with a
 * filter, has other first rows, and looks as it did.
 */
export function useFirstWidths({ connectionId, description, cache, described }: Options): {
  columns: readonly GridColumn[];
  isReady: boolean;
} {
  const name = `first widths ${workspaceTableKey(description.ref)}`;
  const known = useMemo(() => withFirstWidths(described, recall(connectionId, name)), [described, connectionId, name]);
  const [measured, setMeasured] = useState<FirstWidths>();
  const isMeasured = measured?.of === described;
  const isSettled = isMeasured || known !== undefined;
  useEffect(() => {
    if (isSettled) return undefined;
    const settle = (): void => {
      if (cache.hasRows) {
        const columns = fitted(described, cache.rowsAround(0));
        setMeasured({ of: described, columns });
        remember(connectionId, name, storedFirstWidths(columns));
      } else if (cache.isEmpty) setMeasured({ of: described, columns: described });
    };
    const unsubscribe = cache.subscribe(settle);
    const timer = setTimeout(() => setMeasured({ of: described, columns: described }), FIRST_ROWS_MILLISECONDS);
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [cache, described, isSettled, connectionId, name]);
  return { columns: (isMeasured ? measured.columns : known) ?? described, isReady: isSettled };
}
