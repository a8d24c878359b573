import { isUnread } from '@tabularium/sdk';
import type { Cell } from '@tabularium/sdk';
import type { EditableRow } from '../grid/model/editableRow.ts';
import { wholeCell } from '../grid/model/wholeRows.ts';

/**
 * A cell before its change, which every change names: the row may be staged no more when the host gets the edit, since another window saved or
 * discarded it, and without the old value a save would overwrite whatever the cell holds then. Of a staged cell that is the value before the first change,
 * as for the host.
 *
 * @param place - the column's place in a row
 * @returns undefined for a new row, and where the host alone has it
 * @throws ReportedProblem for a placeholder
 */
export function originalOf(
  { base, staged }: Pick<EditableRow, 'base' | 'staged'>,
  column: string,
  place: number,
): Cell | undefined {
  const known = staged?.cells.find((cell) => cell.column === column);
  if (known?.original !== undefined) return known.original;
  const read = base?.[place];
  return read === undefined || (known !== undefined && isUnread(read)) ? undefined : wholeCell(read);
}
