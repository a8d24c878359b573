import type { NumberRange } from '@tabularium/sdk';

const WHOLE = /^(-?)(\d+)$/;

/**
 * Whether a column can store a number, given by its digits. Whole numbers are compared digit by digit: a double can't hold the ends of 64 bits. A column of
 * doubles would store 0 for a number closer to it than any double.
 */
export function isInRange(digits: string, range: NumberRange | undefined): boolean {
  if (range === undefined) return true;
  if (smallestIn(range) !== undefined && Number(digits) === 0 && /^[^eE]*[1-9]/.test(digits)) return false;
  return compared(range.least, digits) <= 0 && compared(digits, range.greatest) <= 0;
}

/** The smallest number above 0 of a column that stores doubles; undefined for others. */
export function smallestIn({ greatest }: NumberRange): string | undefined {
  return greatest === String(Number.MAX_VALUE) ? String(Number.MIN_VALUE) : undefined;
}

/** Negative where the first number is the smaller one. */
function compared(a: string, b: string): number {
  const [wholeA, wholeB] = [WHOLE.exec(a), WHOLE.exec(b)];
  if (wholeA === null || wholeB === null) return Math.sign(Number(a) - Number(b)) || 0;
  const [, signA = '', digitsA = ''] = wholeA;
  const [, signB = '', digitsB = ''] = wholeB;
  if (digitsA === '0' && digitsB === '0') return 0;
  if (signA !== signB) return signA === '-' ? -1 : 1;
  const bySize = digitsA.length - digitsB.length || (digitsA < digitsB ? -1 : digitsA > digitsB ? 1 : 0);
  return signA === '-' ? -bySize : bySize;
}
