import type { Cell, TaggedCell } from '../model/cell.ts';
import type { ColumnKind } from '../model/column.ts';
import type { TableRef } from '../model/table.ts';

function isTagged(cell: Cell): cell is TaggedCell {
  return Array.isArray(cell);
}

/** A cell with its kind, as one text: equal texts are equal values, digit for digit. `12.5` and `12.50` differ. */
export function shownCell(cell: Cell, kind: ColumnKind): string {
  if (cell === null) return 'null';
  if (isTagged(cell)) return cell.length === 1 ? cell[0] : `${cell[0]} ${cell[1]}`;
  const numeric = kind === 'integer' || kind === 'decimal';
  if (typeof cell === 'number' || (typeof cell === 'string' && numeric)) return `number ${String(cell)}`;
  if (typeof cell === 'boolean') return `boolean ${String(cell)}`;
  if (kind === 'json' || kind === 'bytes') return `${kind} ${String(cell)}`;
  return `text ${String(cell)}`;
}

/** Null or absent: neither takes part in comparisons. */
export function isMissing(cell: Cell): boolean {
  return cell === null || (isTagged(cell) && cell[0] === 'absent');
}

/** The value without its tag, as a person would type it into a filter. */
export function typed(cell: Cell): string {
  if (isTagged(cell)) return cell[1] ?? '';
  return String(cell);
}

export function tableText({ namespace, name }: TableRef): string {
  return [...namespace, name].join('.');
}
