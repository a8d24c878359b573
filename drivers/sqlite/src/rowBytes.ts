import type { SqlRow } from './database.ts';
import type { SqlValue } from './names.ts';
import type { SqlColumn } from './schema.ts';

/** The bytes of a row's values in SQL, which reads none of them. The sum is a balanced tree: SQLite takes expressions of a depth of 1,000. */
export function rowBytes(columns: readonly Pick<SqlColumn, 'sql'>[]): string {
  const [first] = columns;
  if (first === undefined) return '0';
  if (columns.length === 1) return `ifnull(octet_length(${first.sql}), 0)`;
  const half = columns.length >> 1;
  return `(${rowBytes(columns.slice(0, half))} + ${rowBytes(columns.slice(half))})`;
}

/** The bytes of a row in memory, about. */
export function weightOfRow(row: SqlRow): number {
  let weight = 0;
  for (const value of row) weight += weightOf(value);
  return weight;
}

function weightOf(value: SqlValue): number {
  if (typeof value === 'string') return value.length;
  return value instanceof Uint8Array ? value.byteLength : 10;
}
