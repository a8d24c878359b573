import type { SuggestionRequest, Suggestions } from '@tabularium/sdk';
import { toCell } from './cells.ts';
import type { SqliteDatabase } from './database.ts';
import { noColumn } from './fault.ts';
import { sqlCellText } from './names.ts';
import type { SqlTable } from './schema.ts';

/** Rows that are looked at: somebody is typing. */
const LOOKED_AT = 20_000;
/** A text behind a zero character has no length in SQLite, but bytes. */
const LONGEST_BYTES = 400;

/** Values of a column that begin with or hold what was typed, the most frequent first. */
export function suggest(
  database: SqliteDatabase,
  table: SqlTable,
  { column: name, typed, limit }: SuggestionRequest,
): Suggestions {
  const column = table.byName.get(name);
  if (column === undefined) throw noColumn(name);
  // Bytes are nothing to choose from a list.
  if (column.kind === 'bytes') return { values: [], from: 'some' };
  if (column.kind === 'boolean') {
    const fitting = ['true', 'false'].filter((value) => value.includes(typed.toLowerCase()));
    return { values: fitting.slice(0, limit).map((value) => ({ value })), from: fitting.length <= limit ? 'all' : 'some' };
  }
  if (typed.includes('\0')) return { values: [], from: 'all' };
  const pattern = `%${typed.replaceAll(/[\\%_]/g, (character) => `\\${character}`)}%`;
  const [looked] = database.first(`SELECT count(*) FROM (SELECT 1 FROM ${table.sql} LIMIT ${LOOKED_AT + 1})`) ?? [];
  const rows = database.all(
    `SELECT value, count(*) FROM (SELECT ${column.sql} AS value FROM ${table.sql} LIMIT ${LOOKED_AT})
     WHERE octet_length(value) BETWEEN 1 AND ${LONGEST_BYTES} AND CAST(value AS TEXT) LIKE ? ESCAPE '\\'
     GROUP BY value ORDER BY 2 DESC, 1 LIMIT ?`,
    [pattern, BigInt(limit) + 1n],
  );
  const whole = Number(looked ?? 0) <= LOOKED_AT;
  return {
    values: rows.slice(0, limit).map(([value, count]) => ({
      value: sqlCellText(toCell(value ?? null, column.kind)),
      ...(whole ? { rows: Number(count) } : {}),
    })),
    from: whole && rows.length <= limit ? 'all' : 'some',
  };
}
