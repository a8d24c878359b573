import { rowKeyText } from '@tabularium/sdk';
import type { RowKey } from '@tabularium/sdk';
import type { EditableRow } from './editableRow.ts';
import type { GridRow } from './gridRow.ts';
import { presentRows } from './rowSource.ts';
import type { RowSource } from './rowSource.ts';

/**
 * The place of a row after others came or went above it, or after it was read again; undefined where it is not here.
 *
 * @param keyOf - the key of a row of the table
 * @param near - its place before, which is looked at first
 */
export function placeOfRow(
  source: RowSource,
  keyOf: (row: GridRow) => RowKey | undefined,
  { base, staged }: EditableRow,
  near: number,
): number | undefined {
  const keyText = (row: GridRow | undefined): string | undefined => {
    const key = row === undefined ? undefined : keyOf(row);
    return key === undefined ? undefined : rowKeyText(key);
  };
  const wanted = keyText(base);
  const isIt = (other: EditableRow): boolean =>
    staged?.kind === 'insert' ? other.staged?.id === staged.id : wanted !== undefined && keyText(other.base) === wanted;
  if (isIt(source.rowAt(near))) return near;
  for (const { index, ...other } of presentRows(source)) if (isIt(other)) return index;
  return undefined;
}
