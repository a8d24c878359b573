import { DriverError, encodeBatch } from '@tabularium/sdk';
import type { RowsFacet, TableRef } from '@tabularium/sdk';
import { toCell } from './cells.ts';
import type { SqliteDatabase } from './database.ts';
import { whereKey } from './edits/statements.ts';
import { faultTexts, noColumn, stopIfCancelled } from './fault.ts';
import { rowBytes } from './rowBytes.ts';
import type { SqlTable } from './schema.ts';

/** Bytes of the values of one answer: this process holds them as they are, as text and as the encoded answer. */
const LARGEST_ANSWER = 24 * 1024 * 1024;

/** Single rows, with every value whole. */
export function createRows(database: SqliteDatabase, tableOf: (ref: TableRef) => SqlTable): RowsFacet {
  return {
    async read({ table: ref, keys, columns: wanted }, { signal }) {
      stopIfCancelled(signal);
      const table = tableOf(ref);
      for (const name of wanted ?? []) {
        if (!table.byName.has(name)) throw noColumn(name);
      }
      const columns =
        wanted === undefined
          ? table.columns
          : table.columns.filter((column) => table.key.includes(column) || wanted.includes(column.name));
      const conditions = keys.map((key) => whereKey(key, table));
      const from = `FROM ${table.sql} WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' OR ')}`;
      const parameters = conditions.flatMap(({ parameters: values }) => values);
      const [bytes] = database.first(`SELECT sum(${rowBytes(columns)}) ${from}`, parameters) ?? [];
      if (Number(bytes ?? 0) > LARGEST_ANSWER) throw largeRows(Number(bytes));
      const rows = database
        .all(`SELECT ${columns.map(({ sql }) => sql).join(', ')} ${from}`, parameters)
        .map((row) => columns.map(({ kind }, index) => toCell(row[index] ?? null, kind)));
      return { rowCount: rows.length, batch: encodeBatch({ columns: columns.map(({ name, kind }) => ({ name, kind })), rows }) };
    },
  };
}

function largeRows(bytes: number): DriverError {
  const size = Math.round(bytes / 1_048_576);
  const most = LARGEST_ANSWER / 1_048_576;
  return new DriverError(
    'TOO_LARGE',
    `The values have ${size.toLocaleString('en')} MB, and at most ${most} MB can be read at once.`,
    {
      details: {
        advice: 'Read fewer rows or columns at once, or read parts with substr() in the console.',
        texts: faultTexts('page.largeRows', { size, most }, 'page.largeRows.advice'),
      },
    },
  );
}
