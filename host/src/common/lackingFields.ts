import { isAbsent } from '@tabularium/sdk';
import type { Column } from '@tabularium/sdk';
import type { StagedRow } from './editing.ts';

/** The required fields that a new row has no value for, by name; none for a row that exists. A value of a field gives values to those inside it. */
export function lackingFields(
  { kind, cells }: Pick<StagedRow, 'kind' | 'cells'>,
  columns: readonly Pick<Column, 'name' | 'required'>[],
): readonly string[] {
  if (kind !== 'insert') return [];
  const given = cells.flatMap(({ column, value }) => (value === null || isAbsent(value) ? [] : [column]));
  return columns.flatMap(({ name, required }) =>
    required !== true || given.some((one) => one === name || name.startsWith(`${one}.`)) ? [] : [name],
  );
}
