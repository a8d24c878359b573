import { ABSENT } from '@tabularium/sdk';
import type { Cell, ColumnKind } from '@tabularium/sdk';
import { exactDigits, stringifyExact } from './exactJson.ts';

/**
 * The cell for a value of a document. What does not fit its column's kind (an undeclared type, a text in a numeric field) says itself
 * what it is, so that nothing is shown as something else.
 *
 * @param marked - whether the answer holds marked numbers (see exactJson.ts)
 */
export function cellOf(value: unknown, kind: ColumnKind, marked: boolean): Cell {
  switch (typeof value) {
    case 'string': {
      const digits = marked ? exactDigits(value) : undefined;
      if (digits !== undefined) return isNumeric(kind) ? integerCell(digits) : ['number', digits];
      return kind === 'text' ? value : ['text', value];
    }
    case 'number':
      return isNumeric(kind) ? value : ['number', String(value)];
    case 'boolean':
      return kind === 'boolean' ? value : ['boolean', value ? 'true' : 'false'];
    case 'object': {
      if (value === null) return null;
      const text = stringifyExact(value, marked);
      return kind === 'json' || kind === 'geo' ? text : ['json', text];
    }
    default:
      return ABSENT;
  }
}

/** The digits are an integer's, so that a look at the range decides. */
function integerCell(digits: string): number | string {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : digits;
}

function isNumeric(kind: ColumnKind): boolean {
  return kind === 'integer' || kind === 'decimal';
}
