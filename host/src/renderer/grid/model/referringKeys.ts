import type { ForeignKey, TableDescription } from '@tabularium/sdk';
import { tableName } from '../../../common/tableName.ts';

/** A key that leads from a row to rows: by a foreign key of its own table, or by one of another table that refers to it. */
export interface FollowedKey extends ForeignKey {
  /** It is the other table's: `columns` are referred to, and `references` is the table whose `referencedColumns` refer to them. */
  readonly isReferring?: true;
}

/** The keys that refer to a table, each as the way from one of its rows, by the names of their tables. Keys that lead to the same rows are one. */
export function referringKeys({ referredBy = [] }: Pick<TableDescription, 'referredBy'>): readonly FollowedKey[] {
  const found = new Map<string, FollowedKey>();
  for (const { table, columns, referencedColumns } of referredBy) {
    const text = JSON.stringify([table.namespace, table.name, columns, referencedColumns]);
    found.set(text, { columns: referencedColumns, references: table, referencedColumns: columns, isReferring: true });
  }
  const nameOf = ({ references }: FollowedKey): string => references.name;
  return [...found.values()].toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : nameOf(a) > nameOf(b) ? 1 : 0));
}

/** Their tables as a list names them: with what contains them where two have one name. */
export function referringTables(keys: readonly FollowedKey[]): readonly string[] {
  const places = new Map<string, Set<string>>();
  for (const { references } of keys) {
    const known = places.get(references.name) ?? new Set();
    places.set(references.name, known.add(tableName(references)));
  }
  return keys.map(({ references }) => ((places.get(references.name)?.size ?? 0) > 1 ? tableName(references) : references.name));
}
