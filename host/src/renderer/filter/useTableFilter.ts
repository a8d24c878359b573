import type { Filter, TableDescription } from '@tabularium/sdk';
import { useCallback, useState } from 'react';
import { workspaceTableKey } from '../state/workspace.ts';
import { EMPTY_DRAFT, filterOf, hasFaults, sameFilter, valueKindOf } from './filterModel.ts';
import type { FilterDraft, FilterSelection, FilterValueKind } from './filterModel.ts';
import { recall, remember } from '../state/workspaceStore.ts';
import { filterName, readFilter } from './rememberedFilter.ts';

/** The filter of one table: the draft in the bar, and the filter with which the rows on the screen were read. */
export interface TableFilter {
  readonly draft: FilterDraft;
  readonly applied: Filter;
  /** The filter that the bar stands for now. */
  readonly wanted: Filter;
  /** Whether the bar says something else than what was applied. */
  readonly isChanged: boolean;
  /** Whether faults of the rows are shown: not before somebody tried to apply them. */
  readonly showsFaults: boolean;
  readonly change: (draft: FilterDraft) => void;
  /** Applies a draft, or the present one. Does nothing but mark the faults where there are any. */
  readonly apply: (draft?: FilterDraft) => void;
  readonly clear: () => void;
}

export function useTableFilter(
  connectionId: string,
  description: TableDescription,
  filtering: FilterSelection | undefined,
): TableFilter {
  const key = workspaceTableKey(description.ref);
  const kindOf = (name: string): FilterValueKind =>
    filtering === undefined
      ? 'text'
      : valueKindOf(
          filtering,
          description.columns.find((column) => column.name === name),
        );
  const [draft, setDraft] = useState<FilterDraft>(() =>
    filtering === undefined ? EMPTY_DRAFT : readFilter(recall(connectionId, filterName(key))),
  );
  const [applied, setApplied] = useState<Filter>(() =>
    filtering === undefined || hasFaults(draft, filtering, description.columns) ? filterOf(EMPTY_DRAFT) : filterOf(draft, kindOf),
  );
  const [showsFaults, setShowsFaults] = useState(false);
  const wanted = filterOf(draft, kindOf);

  const change = useCallback(
    (next: FilterDraft): void => {
      setDraft(next);
      const isEmpty = next.rows.length === 0 && next.raw === undefined && next.matchCase === undefined;
      remember(connectionId, filterName(key), isEmpty ? undefined : structuredClone(next));
    },
    [connectionId, key],
  );
  const apply = (next: FilterDraft = draft): void => {
    if (next !== draft) change(next);
    if (filtering === undefined) return;
    const faulty = hasFaults(next, filtering, description.columns);
    setShowsFaults(faulty);
    if (faulty) return;
    const filter = filterOf(next, kindOf);
    setApplied((before) => (sameFilter(before, filter) ? before : filter));
  };
  return {
    draft,
    applied,
    wanted,
    isChanged: !sameFilter(wanted, applied),
    showsFaults,
    change,
    apply,
    clear: () => apply(EMPTY_DRAFT),
  };
}
