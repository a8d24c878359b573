import type { ExpressionsFacet } from '@tabularium/sdk';
import type { PgDatabase } from '../pgDatabase.ts';
import { filterCondition } from './filters.ts';
import { orderBy, orderOf, sortsOf } from './order.ts';
import { checkRaw } from './rawCondition.ts';
import { Values } from './values.ts';

/** Shows the texts that a read sends for its filter and sorts. */
export function createExpressions(database: PgDatabase): ExpressionsFacet {
  return {
    async ofRead({ table: ref, filter, sorts }, { signal }) {
      const table = await database.table(ref, signal);
      await checkRaw(database, filter, table, signal);
      const values = new Values();
      const condition = filterCondition(filter, table, values);
      const order = sorts.length === 0 ? '' : orderBy(orderOf(sorts, table).terms, false).replace(/^ ORDER BY /, '');
      return {
        parts: [
          ...(condition === undefined ? [] : [{ label: 'WHERE', text: values.readable(condition) }]),
          ...(order === '' ? [] : [{ label: 'ORDER BY', text: order }]),
        ],
        droppedSorts: sortsOf(sorts, table).dropped,
      };
    },
  };
}
