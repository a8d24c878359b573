import type { Column } from '@tabularium/sdk';
import type { FollowedReference } from '../state/followedReferences.ts';
import { restorable } from './filterModel.ts';
import type { FilterDraft, FilterRow, FilterSelection } from './filterModel.ts';

/** The filter that finds the row of a reference; undefined where the table can't be filtered by these values. */
export function referredDraft(
  { conditions }: FollowedReference,
  filtering: FilterSelection,
  columns: readonly Column[],
): FilterDraft | undefined {
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
