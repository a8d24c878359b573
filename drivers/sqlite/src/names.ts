import type { Cell } from '@tabularium/sdk';

/** An identifier as SQL writes it, whatever it holds. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A value as SQL writes it, for people to read. */
export function literal(value: SqlValue): string {
  if (value === null) return 'NULL';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (value instanceof Uint8Array) return `x'${Buffer.from(value).toString('hex')}'`;
  // SQLite has no name for infinity, and reads a number beyond the largest as it.
  if (value === Infinity || value === -Infinity) return value > 0 ? '9e999' : '-9e999';
  return String(value);
}

/** Names that SQLite reserves. */
export type SqlValue = null | bigint | number | string | Uint8Array;

/** The text of a cell without its tag. */
export function sqlCellText(cell: Cell): string {
  return Array.isArray(cell) ? String((cell as readonly string[])[1] ?? '') : String(cell);
}

/** A number with its noun, for people who read English. */
export function counted(count: number, one: string, other: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : other}`;
}
