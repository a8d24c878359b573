import type { DroppedSort, Sort } from '@tabularium/sdk';
import { because, unsortableReason } from './columns.ts';
import type { FieldReason } from './columns.ts';
import { LIMITS, limitFor } from './limits.ts';
import type { CollectionSchema } from './schema.ts';

const MAX_SORTS = limitFor(LIMITS.sortFields);

export const SCHEMA_HIDDEN_SORTS = 'The API key lacks the permission to read the collection’s schema, so sorting is unavailable.';

export interface SortText {
  /** `sort_by`; undefined when nothing is left to sort by. */
  readonly text?: string;
  readonly dropped: readonly DroppedSort[];
}

/** @param schema - undefined when the key may not read it; nothing can be known to be sortable then */
export function sortText(sorts: readonly Sort[], schema: CollectionSchema | undefined): SortText {
  const parts: string[] = [];
  const dropped: DroppedSort[] = [];
  const seen = new Set<string>();
  for (const { column, direction } of sorts) {
    const refused = seen.has(column)
      ? because('The table is already sorted by this column.', 'sortedAlready')
      : refusal(column, schema, parts.length);
    if (refused === undefined) {
      parts.push(`${column}:${direction === 'ascending' ? 'asc' : 'desc'}`);
      seen.add(column);
    } else {
      dropped.push({ column, ...refused });
    }
  }
  return parts.length === 0 ? { dropped } : { text: parts.join(','), dropped };
}

function refusal(column: string, schema: CollectionSchema | undefined, taken: number): FieldReason | undefined {
  if (column === 'id') return because('The server cannot sort by id.', 'sortById');
  if (schema === undefined) return because(SCHEMA_HIDDEN_SORTS, 'schemaHiddenSort');
  const field = schema.fields.find(({ name }) => name === column);
  if (field === undefined) return because("The collection doesn't have this field; reload the structure.", 'notThere');
  const own = unsortableReason(field);
  if (own !== undefined || taken < MAX_SORTS) return own;
  return because(`The server sorts by at most ${MAX_SORTS} fields.`, 'mostSorts', { most: MAX_SORTS });
}
