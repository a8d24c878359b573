import type { TableRef, TableSummary } from '@tabularium/sdk';

/** A table's name as programs and people write it: its own name after those of what contains it, joined by dots. */
export function tableName(ref: TableRef): string {
  return [...ref.namespace, ref.name].join('.');
}

/**
 * The table that a written name means. It is compared with what the list prints, never taken apart, so a dot inside a name cannot confuse it; a
 * bare name is enough where only one table has it.
 */
export function findTable(tables: readonly TableSummary[], written: string): TableSummary | undefined {
  const exact = tables.filter(({ ref }) => tableName(ref) === written);
  if (exact.length > 0) return exact.length === 1 ? exact[0] : undefined;
  const bare = tables.filter(({ ref }) => ref.name === written);
  return bare.length === 1 ? bare[0] : undefined;
}
