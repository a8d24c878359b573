import type { Filter, TableDescription } from '@tabularium/sdk';
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from 'react';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { twoReadings } from '../i18n/plainNumber.ts';
import { takeReference, useFollowedReference } from '../state/followedReferences.ts';
import { notify } from '../state/notify.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { EMPTY_DRAFT, filterOf, hasFaults, restorable, sameFilter, valueKindOf } from './filterModel.ts';
import type { FilterDraft, FilterSelection, FilterValueKind } from './filterModel.ts';
import { recall, remember } from '../state/workspaceStore.ts';
import { referredDraft } from './referredDraft.ts';
import { filterName, readFilter } from './rememberedFilter.ts';

/** How the first number of a filter is read that a person may mean as another one. */
function readingOf({ rows }: FilterDraft, kindOf: (column: string) => FilterValueKind | undefined): string | undefined {
  for (const { enabled, column, texts } of rows) {
    if (!enabled || kindOf(column) !== 'number') continue;
    const readings = texts.map((text) => twoReadings(text)).find((found) => found !== undefined);
    if (readings !== undefined) return strings.editing.readAs(readings.read, readings.other);
  }
  return undefined;
}

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
  /** Why the database refused the last filter. The rows are those of the one before. */
  readonly refusal: Problem | undefined;
  readonly change: (draft: FilterDraft) => void;
  /** Applies a draft, or the present one. Does nothing but mark the faults where there are any. */
  readonly apply: (draft?: FilterDraft) => void;
  readonly clear: () => void;
  /** The applied filter read rows: it is the one to fall back to. */
  readonly accept: () => void;
  /** The database refused the applied filter: the one before is applied again, and the draft stays for correction. */
  readonly refuse: (problem: Problem) => void;
}

/** A draft and the filter that it was when it was applied. */
interface Applied {
  readonly draft: FilterDraft;
  readonly filter: Filter;
}

const NONE: Applied = { draft: EMPTY_DRAFT, filter: filterOf(EMPTY_DRAFT) };

const isEmpty = ({ rows, raw, matchCase }: FilterDraft): boolean =>
  rows.length === 0 && raw === undefined && matchCase === undefined;

export function useTableFilter(
  connectionId: string,
  { ref, columns }: TableDescription,
  filtering: FilterSelection | undefined,
): TableFilter {
  const tableKey = workspaceTableKey(ref);
  const name = filterName(tableKey);
  const followed = useFollowedReference(connectionId, tableKey);
  const referred = useMemo(
    () => (followed === undefined || filtering === undefined ? undefined : referredDraft(followed, filtering, columns)),
    [followed, filtering, columns],
  );
  const kindOf = useCallback(
    (column: string): FilterValueKind =>
      filtering === undefined
        ? 'text'
        : valueKindOf(
            filtering,
            columns.find((one) => one.name === column),
          ),
    [filtering, columns],
  );
  const remembered = (): FilterDraft =>
    filtering === undefined ? EMPTY_DRAFT : restorable(readFilter(recall(connectionId, name)), filtering, columns);
  const [draft, setDraft] = useState<FilterDraft>(() => referred ?? remembered());
  /** The moment that `now` means until the filter is applied again: otherwise each render would want another filter. */
  const [now, setNow] = useState(() => Date.now());
  const [applied, setApplied] = useState<Applied>(() =>
    isEmpty(draft) ? NONE : { draft, filter: filterOf(draft, kindOf, columns, now) },
  );
  const [accepted, setAccepted] = useState<Applied>(NONE);
  const [showsFaults, setShowsFaults] = useState(false);
  const [refusal, setRefusal] = useState<Problem>();
  const wanted = useMemo(() => filterOf(draft, kindOf, columns, now), [draft, kindOf, columns, now]);

  const store = useCallback(
    (next: FilterDraft): void => remember(connectionId, name, isEmpty(next) ? undefined : structuredClone(next)),
    [connectionId, name],
  );
  const change = useCallback(
    (next: FilterDraft): void => {
      setDraft(next);
      setRefusal(undefined);
      store(next);
    },
    [store],
  );
  const apply = (next: FilterDraft = draft): void => {
    if (next !== draft) change(next);
    if (filtering === undefined) return;
    const faulty = hasFaults(next, filtering, columns);
    setShowsFaults(faulty);
    if (faulty) return;
    setRefusal(undefined);
    const reading = readingOf(next, kindOf);
    if (reading !== undefined) notify({ tone: 'plain', text: reading });
    const moment = Date.now();
    setNow(moment);
    const filter = filterOf(next, kindOf, columns, moment);
    setApplied((before) => (sameFilter(before.filter, filter) ? before : { draft: next, filter }));
  };
  const show = useEffectEvent((): void => {
    if (followed === undefined) return;
    takeReference(connectionId, tableKey);
    if (referred === undefined) {
      notify({ tone: 'warning', text: strings.grid.notFilterable(ref.name) });
      return;
    }
    // A tab that was closed begins with the reference: the filter that it had is the one that it remembered.
    const before = draft === referred ? remembered() : draft;
    store(referred);
    apply(referred);
    if (isEmpty(before) || JSON.stringify(before) === JSON.stringify(referred)) return;
    notify({
      tone: 'plain',
      text:
        'found' in followed
          ? strings.grid.showsFound(ref.name)
          : followed.isReferring === true
            ? strings.grid.showsReferring(ref.name)
            : strings.grid.showsReferenced(ref.name),
      action: { label: strings.grid.formerFilter, run: () => apply(before) },
    });
  });
  useEffect(() => show(), [followed]);
  const accept = useCallback(() => setAccepted(applied), [applied]);
  const refuse = useCallback(
    (problem: Problem): void => {
      setRefusal(problem);
      setApplied(accepted);
      // A filter that the database refused doesn't come back with the tab.
      store(accepted.draft);
    },
    [accepted, store],
  );
  return {
    draft,
    applied: applied.filter,
    wanted,
    isChanged: !sameFilter(wanted, applied.filter),
    showsFaults,
    refusal,
    change,
    apply,
    clear: () => apply(EMPTY_DRAFT),
    accept,
    refuse,
  };
}
