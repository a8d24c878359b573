import type { Filter, TableDescription } from '@tabularium/sdk';
import { useCallback, useState } from 'react';
import { tableKey } from '../workspace/workspace.ts';
import { EMPTY_DRAFT, faultOf, filterOf, sameFilter, valueKindOf } from './filterModel.ts';
import type { FilterDraft, Filtering } from './filterModel.ts';
import { keepFilter, loadFilter } from './rememberedFilter.ts';

/** The filter of one table: what stands in the bar, and what the rows on the screen were read with. */
export interface TableFilter {
  readonly draft: FilterDraft;
  readonly applied: Filter;
  /** Whether the bar says something else than what was applied. */
  readonly isChanged: boolean;
  /** Whether faults of the rows are shown: not before somebody tried to apply them. */
  readonly showsFaults: boolean;
  readonly change: (draft: FilterDraft) => void;
  /** Applies a draft, or the present one. Does nothing but mark the faults where there are any. */
  readonly apply: (draft?: FilterDraft) => void;
  readonly clear: () => void;
}

function hasFaults(draft: FilterDraft, filtering: Filtering, description: TableDescription): boolean {
  return draft.rows.some((row) => {
    const column = description.columns.find(({ name }) => name === row.column);
    return row.enabled && faultOf(row, valueKindOf(filtering, column)) !== undefined;
  });
}

export function useTableFilter(
  connectionId: string,
  description: TableDescription,
  filtering: Filtering | undefined,
): TableFilter {
  const key = tableKey(description.ref);
  const [draft, setDraft] = useState<FilterDraft>(() => (filtering === undefined ? EMPTY_DRAFT : loadFilter(connectionId, key)));
  const [applied, setApplied] = useState<Filter>(() =>
    filtering === undefined || hasFaults(draft, filtering, description) ? filterOf(EMPTY_DRAFT) : filterOf(draft),
  );
  const [showsFaults, setShowsFaults] = useState(false);
  const wanted = filterOf(draft);

  const change = useCallback(
    (next: FilterDraft): void => {
      setDraft(next);
      keepFilter(connectionId, key, next);
    },
    [connectionId, key],
  );
  const apply = (next: FilterDraft = draft): void => {
    if (next !== draft) change(next);
    if (filtering === undefined) return;
    const faulty = hasFaults(next, filtering, description);
    setShowsFaults(faulty);
    if (faulty) return;
    const filter = filterOf(next);
    setApplied((before) => (sameFilter(before, filter) ? before : filter));
  };
  return {
    draft,
    applied,
    isChanged: !sameFilter(wanted, applied),
    showsFaults,
    change,
    apply,
    clear: () => apply(EMPTY_DRAFT),
  };
}
