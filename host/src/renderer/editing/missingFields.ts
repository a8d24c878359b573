import type { Column } from '@tabularium/sdk';
import type { StagedRow } from '../../common/editing.ts';
import { isInserted } from './seenRow.ts';

/** The fields whose values were never read, so that a row lacks them when it is inserted again: a step of many rows reads none of its own. */
export function missingFields(row: StagedRow | undefined, columns: readonly Column[]): readonly string[] {
  if (row === undefined || row.kind !== 'update') return [];
  const known = new Set([...row.cells, ...(row.seen ?? [])].map(({ column }) => column));
  // A column of the key can't be in what was seen without its value.
  return columns.flatMap(({ name, editable }) => (known.has(name) || !isInserted({ isKey: false, editable }) ? [] : [name]));
}
