import type { ForeignKey, TableDescription } from '@tabularium/sdk';

/** The foreign keys that a column belongs to: those of few columns first, as they say most about this one. */
export function referencesOf({ foreignKeys = [] }: Pick<TableDescription, 'foreignKeys'>, column: string): readonly ForeignKey[] {
  return foreignKeys.filter(({ columns }) => columns.includes(column)).toSorted((a, b) => a.columns.length - b.columns.length);
}
