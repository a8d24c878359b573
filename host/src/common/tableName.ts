import type { TableRef, TableSummary } from '@tabularium/sdk';

/** A table's name as programs and people write it: its own name after those of what contains it, joined by dots. */
export function tableName(ref: TableRef): string {
  return [...ref.namespace, ref.name].join('.');
}

/**
 * The table to be made that a written name means: in the namespace whose names it begins with, else in the first one.
 *
 * @param namespaces - in which a table can be made; empty where tables are in none
 * @returns undefined for a name that begins with another namespace
 */
export function tableToMake(namespaces: readonly (readonly string[])[], written: string): TableRef | undefined {
  const [first] = namespaces;
  if (first === undefined) return { namespace: [], name: written };
  const found = namespaces
    .filter((namespace) => written.startsWith(`${namespace.join('.')}.`))
    .toSorted((a, b) => b.join('.').length - a.join('.').length)[0];
  if (found !== undefined) return { namespace: found, name: written.slice(found.join('.').length + 1) };
  return written.includes('.') ? undefined : { namespace: first, name: written };
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
