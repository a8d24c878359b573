const NUMERAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

interface Numeral {
  /** The digits without a point, as a whole number. */
  readonly digits: bigint;
  /** By which power of ten they are to be multiplied. */
  readonly exponent: number;
}

function parsed(text: string): Numeral | undefined {
  const match = NUMERAL.exec(text.trim());
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match ?? [];
  if (match === null || whole + fraction === '') return undefined;
  return { digits: BigInt(`${sign === '-' ? '-' : ''}${whole}${fraction}`), exponent: Number(exponent) - fraction.length };
}

/**
 * Compares two numbers by their digits, exactly and whatever their length: `9007199254740993` is more than `9007199254740992.5`, `1.50` is
 * `1.5` is `15e-1`.
 *
 * @returns below zero, zero or above zero; NaN when one of them isn't a decimal number
 * @alpha
 */
export function compareNumerals(a: string, b: string): number {
  const [x, y] = [parsed(a), parsed(b)];
  if (x === undefined || y === undefined) return NaN;
  const least = Math.min(x.exponent, y.exponent);
  const [left, right] = [x, y].map(({ digits, exponent }) => digits * 10n ** BigInt(exponent - least)) as [bigint, bigint];
  return left < right ? -1 : left > right ? 1 : 0;
}
