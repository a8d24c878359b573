import { numeralCell } from '@tabularium/sdk';
import type { Cell, ColumnKind } from '@tabularium/sdk';
import { Numeral } from './exactJson.ts';
import type { ExactValue } from './exactJson.ts';
import { momentOf } from './nanoseconds.ts';

/** The cell of a value: plain where it is of the column's kind, else one that says its kind. */
export function cellOf(value: ExactValue | undefined, kind: ColumnKind): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string') return kind === 'text' ? value : ['text', value];
  if (typeof value === 'boolean') return kind === 'boolean' ? value : ['boolean', value ? 'true' : 'false'];
  if (!(value instanceof Numeral)) return ['json', JSON.stringify(value)];
  const isWhole = /^-?\d+$/.test(value.digits);
  if (kind === 'timestamp' && isWhole) return momentOf(BigInt(value.digits));
  return kind === 'decimal' || (kind === 'integer' && isWhole) ? numeralCell(value.digits) : ['number', value.digits];
}
