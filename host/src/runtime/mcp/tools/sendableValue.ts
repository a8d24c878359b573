import type { Cell, ColumnKind } from '@tabularium/sdk';
import { sameCell } from '../../editing/cellEquality.ts';
import { jsonValue } from './jsonValue.ts';
import type { Cuts } from './jsonValue.ts';
import { ToolFailure } from './tool.ts';
import { taggedValue, writtenCell } from './writtenCell.ts';

/** Kinds whose plain texts are not texts: a text in such a column is another value. */
const KINDS_OF_OTHER_TEXTS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['integer', 'decimal', 'boolean', 'bytes', 'json']);
/** Numbers that are none, which a column of numbers may hold and reads from their names. */
const NO_NUMERAL = /^(?:NaN|-?Infinity)$/;

/**
 * A cell as JSON for a model, so that the same value sent back means the same cell: in its plainest form where that holds, else as an object that says what
 * it is.
 *
 * @param toTheLetter - whether JSON has to come back character for character, as in a key: a database may compare it as a text
 */
export function sendableValue(cell: Cell, kind: ColumnKind, cuts: Cuts, toTheLetter = false): unknown {
  const before = cuts.values;
  const value = jsonValue(cell, kind, cuts);
  if (value === undefined || value === null ? cell === null || value === undefined : cuts.values !== before) return value;
  if (isRead(value, cell, kind, toTheLetter)) return value;
  if (typeof cell === 'object' && cell !== null && cell[0] !== 'absent') return taggedValue(cell[0], cell[1]);
  const text = String(cell);
  switch (kind) {
    case 'json':
    case 'bytes':
      return taggedValue(kind, text);
    default:
      return taggedValue('text', text);
  }
}

/** Whether a value, sent back, is read as this cell. */
function isRead(value: unknown, cell: Cell, kind: ColumnKind, toTheLetter: boolean): boolean {
  const text = typeof cell === 'object' && cell?.[0] === 'text' ? cell[1] : undefined;
  if (text !== undefined && KINDS_OF_OTHER_TEXTS.has(kind))
    return (kind === 'integer' || kind === 'decimal') && NO_NUMERAL.test(text);
  let back: Cell;
  try {
    back = writtenCell('', value, kind);
  } catch (error) {
    if (error instanceof ToolFailure) return false;
    throw error;
  }
  if (kind === 'geo' && typeof cell === 'string' && typeof back === 'string') return sameCell(back, cell, 'json');
  if (!sameCell(back, cell, kind)) return false;
  return !toTheLetter || kind !== 'json' || back === cell;
}
