import type { Cell, TableRef } from '@tabularium/sdk';

/** An identifier as SQL writes it, whatever it holds. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A table with its schema, so that no search path decides which is meant. */
export function qualified(schema: string, name: string): string {
  return `${quoted(schema)}.${quoted(name)}`;
}

/** A string as SQL writes it, whatever the server's standard_conforming_strings says. */
export function literal(value: string | null): string {
  if (value === null) return 'NULL';
  const doubled = value.replaceAll("'", "''");
  return value.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`;
}

/** The text of a cell without its tag. */
export function pgCellText(cell: Cell): string {
  return Array.isArray(cell) ? String((cell as readonly string[])[1] ?? '') : String(cell);
}

/** How a person writes a table. */
export function shown({ namespace, name }: TableRef): string {
  return [...namespace, name].join('.');
}
