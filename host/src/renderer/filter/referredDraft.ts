import type { Column, Filter } from '@tabularium/sdk';
import type { FollowedReference, FoundRowsFilter } from '../state/followedReferences.ts';
import { restorable } from './filterModel.ts';
import type { FilterDraft, FilterRow, FilterSelection } from './filterModel.ts';

/** The filter that finds the row of a reference, or found rows; undefined where the table can't be filtered by these values. */
export function referredDraft(
  followed: FollowedReference | FoundRowsFilter,
  filtering: FilterSelection,
  columns: readonly Column[],
): FilterDraft | undefined {
  if ('found' in followed) return foundDraft(followed.found, filtering, columns);
  const { conditions } = followed;
  const rows = conditions.map(({ column, text }, index): FilterRow => ({
    id: `reference ${index}`,
    enabled: true,
    column,
    operator: text === '' ? 'isEmpty' : 'equals',
    texts: [text, ''],
  }));
  const isText = columns.some(({ name, kind }) => kind === 'text' && conditions.some(({ column }) => column === name));
  // A key that differs in the case of a letter is another key.
  const exact = isText && filtering.caseControl.available ? { matchCase: true } : {};
  const draft: FilterDraft = { match: 'all', rows, ...exact };
  return restorable(draft, filtering, columns).rows.length === rows.length ? draft : undefined;
}

function foundDraft(
  { match, conditions, matchCase }: Filter,
  filtering: FilterSelection,
  columns: readonly Column[],
): FilterDraft | undefined {
  const rows = conditions.map(({ column, operator, values: [first = '', second = ''] }, index): FilterRow => ({
    ...{ id: `found ${index}`, enabled: true, column, operator },
    texts: [first, second],
  }));
  const draft: FilterDraft = { match, rows, ...(matchCase === undefined ? {} : { matchCase }) };
  return restorable(draft, filtering, columns).rows.length === rows.length ? draft : undefined;
}
