import type { Column, ColumnKind } from '@tabularium/sdk';
import type { ImportField } from '../../common/imports.ts';
import { digitsOfNumber, exactMembers } from './exactJson.ts';
import type { PreparedSource } from './prepareSource.ts';

const decoder = new TextDecoder();
/** The kinds whose values are texts of any form. */
const TEXTS: ReadonlySet<ColumnKind> = new Set(['text', 'enum', 'array', 'range', 'interval', 'vector']);

/**
 * The mapping that makes text of numbers and truth values where the table has a column of text: tables of another database, such as those whose keys are
 * numbers, would have each row rejected.
 *
 * @returns undefined where nothing has to be changed, so that rows go as they are
 */
export function textFields(
  { format, fields, sample }: Pick<PreparedSource, 'format' | 'fields' | 'sample'>,
  columns: readonly Column[],
): readonly ImportField[] | undefined {
  // The values of csv have the types of the columns already.
  if (format.format === 'csv' || format.format === 'rejected') return undefined;
  const texts = new Set(columns.filter(({ kind }) => TEXTS.has(kind)).map(({ name }) => name));
  const changed = new Set<string>();
  for (const { bytes } of sample) {
    const members = bytes === undefined ? undefined : exactMembers(decoder.decode(bytes));
    for (const [name, value] of members ?? [])
      if (texts.has(name) && (digitsOfNumber(value) !== undefined || typeof value === 'boolean')) changed.add(name);
  }
  if (changed.size === 0) return undefined;
  return fields.map((field): ImportField => (changed.has(field.source) ? { ...field, type: 'text' } : field));
}
