import type { WritableColumn } from '../../editing/cellCommands.ts';
import type { GridColumn } from '../model/gridColumns.ts';

/**
 * The place of the first column of the screen that a person fills in a new row: one that takes a value, and of the key only one that needs it, because
 * others get theirs from the database.
 */
export function firstWritable(
  columns: readonly Pick<GridColumn, 'name' | 'isKey' | 'isRequired'>[],
  writable: readonly Pick<WritableColumn, 'name' | 'isKey' | 'editable'>[],
): number {
  const found = columns.findIndex(({ name, isRequired }) => {
    const column = writable.find((one) => one.name === name);
    return column !== undefined && (column.isKey ? isRequired === true : column.editable.allowed);
  });
  return Math.max(0, found === -1 ? columns.findIndex(({ isKey }) => !isKey) : found);
}
