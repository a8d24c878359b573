/** A number as a person writes it; zeros in front make a code of digits of it, such as a postcode: 0123 isn't 123. */
const NUMBER = /^([+-]?)((?:0|[1-9]\d*)?)(?:\.(\d*))?(?:e([+-]?\d{1,4}))?$/i;
/** Digits of a number that are looked at; no column holds more. */
const MOST_DIGITS = 1_000;
/** Digits that are written out, as databases take them. */
const MOST_WRITTEN = 60;

/** A number by its exact value: digits without zeros at either end, and the power of ten behind them. */
export interface Numeral {
  readonly isNegative: boolean;
  /** Empty for zero. */
  readonly digits: string;
  readonly exponent: number;
}

/** The number that a text writes in any usual spelling: `4711`, `4711.00`, `+.5`, `1e20`; undefined where it writes none. */
export function numeralOf(text: string): Numeral | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MOST_DIGITS) return undefined;
  const [all, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(trimmed) ?? [];
  if (all === undefined || (whole === '' && fraction === '')) return undefined;
  const zerosBefore = /^0*/.exec(whole + fraction)?.[0].length ?? 0;
  const digits = withoutZerosBehind((whole + fraction).slice(zerosBefore));
  if (digits === '') return { isNegative: false, digits, exponent: 0 };
  const length = whole.length + fraction.length - zerosBefore;
  return { isNegative: sign === '-', digits, exponent: Number(exponent) - fraction.length + length - digits.length };
}

function withoutZerosBehind(digits: string): string {
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/** The number as every database reads it: written out, or with an exponent where that would be long. */
export function writtenNumeral({ isNegative, digits, exponent }: Numeral): string {
  if (digits === '') return '0';
  const sign = isNegative ? '-' : '';
  if (exponent >= 0 && digits.length + exponent <= MOST_WRITTEN) return sign + digits + '0'.repeat(exponent);
  if (exponent < 0 && -exponent <= MOST_WRITTEN) {
    const padded = digits.padStart(1 - exponent, '0');
    return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
  }
  return `${sign}${digits}e${exponent}`;
}

const INFINITY = /^([+-]?)inf(?:inity)?$/i;

/** Equal for texts that write the same number, or the same special value such as `NaN`. */
export function numberKey(text: string): string {
  const numeral = numeralOf(text);
  if (numeral !== undefined) return writtenNumeral(numeral);
  const trimmed = text.trim();
  const [all, sign] = INFINITY.exec(trimmed) ?? [];
  if (all !== undefined) return sign === '-' ? '-infinity' : 'infinity';
  return trimmed.toLowerCase();
}
