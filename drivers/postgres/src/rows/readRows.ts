import { DriverError, encodeBatch } from '@tabularium/sdk';
import type { RowsFacet } from '@tabularium/sdk';
import { toCell, toValue } from '../cells.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import { faultTexts, invalid, noColumn } from '../fault.ts';
import { readLocked } from './lockedRead.ts';
import { Values } from './values.ts';

/** Single rows, with every value whole. */
export function createRows(database: PgDatabase): RowsFacet {
  return {
    async read({ table: ref, keys, columns: wanted }, { signal }) {
      const table = await database.table(ref, signal);
      if (table.key.length === 0)
        throw new DriverError('UNSUPPORTED', 'The rows of this table have no key.', {
          details: { texts: faultTexts('row.noKey') },
        });
      const isKey = new Set(table.key);
      const columns =
        wanted === undefined
          ? table.columns
          : table.columns.filter((column) => isKey.has(column) || wanted.includes(column.name));
      for (const name of wanted ?? []) {
        if (!table.byName.has(name)) throw noColumn(name, ref);
      }
      const values = new Values();
      const conditions = keys.map((key) => {
        if (key.length !== table.key.length)
          throw invalid("The key doesn't identify a row of this table.", undefined, { id: 'edit.noKey' });
        return `(${table.key.map((column, index) => `${column.sql} = ${values.add(toValue(key[index] ?? null, column), column.type.cast)}`).join(' AND ')})`;
      });
      const text = `SELECT ${columns.map(({ sql }) => sql).join(', ')} FROM ${table.sql} WHERE ${conditions.join(' OR ')}`;
      const [answer] = await readLocked(database, { table, steps: [{ text, values: values.list }], columns }, signal);
      const rows = (answer?.rows ?? []).map((row) => columns.map(({ kind }, index) => toCell(row[index] ?? null, kind)));
      return { rowCount: rows.length, batch: encodeBatch({ columns: columns.map(({ name, kind }) => ({ name, kind })), rows }) };
    },
  };
}
