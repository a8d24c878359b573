import type { ExpressionsFacet } from '@tabularium/sdk';
import { filterFor } from './pages.ts';
import type { Schemas } from './schemas.ts';
import { sortText } from './sorts.ts';
import { collectionName } from './tables.ts';

/** The filter and sorts of a page's search, character by character. */
export function createExpressions(schemas: Schemas): ExpressionsFacet {
  return {
    async ofRead({ table, filter, sorts }, { signal }) {
      signal.throwIfAborted();
      const { schema, text } = await filterFor(collectionName(table), schemas, signal, filter);
      const sort = sortText(sorts, schema);
      return {
        parts: [
          ...(text === undefined ? [] : [{ label: 'filter_by', text }]),
          ...(sort.text === undefined ? [] : [{ label: 'sort_by', text: sort.text }]),
        ],
        droppedSorts: sort.dropped,
      };
    },
  };
}
