import type { Cell, ColumnKind } from '@tabularium/sdk';
import { isAbsent } from '@tabularium/sdk';
import { compactJson, kindOfCell } from '../../common/cellJson.ts';

export { cellJson, compactJson } from '../../common/cellJson.ts';

/** A cell for people. */
export function cellText(cell: Cell, columnKind: ColumnKind): string {
  if (cell === null) return 'NULL';
  if (isAbsent(cell)) return '';
  const { kind, value } = kindOfCell(cell, columnKind);
  if (kind === 'json' && typeof value === 'string') return compactJson(value) ?? value;
  return String(value);
}
