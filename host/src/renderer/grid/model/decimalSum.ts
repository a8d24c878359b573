// Exact arithmetic over numerals: a decimal is a whole number of a power of ten.

/** `units` × 10^−`scale`. */
interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Exponents beyond this would make numbers of thousands of digits; a person doesn't sum those by looking. */
const MAX_EXPONENT = 400;
/** Digits after the point of an average that does not come out even. */
const AVERAGE_DIGITS = 6;
const NUMERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

function parseDecimal(text: string): Decimal | undefined {
  const match = NUMERAL.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '0', fraction = '', exponentText = '0'] = match;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > MAX_EXPONENT) return undefined;
  const scale = fraction.length - exponent;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  return scale < 0 ? { units: digits * 10n ** BigInt(-scale), scale: 0 } : { units: digits, scale };
}

const at = ({ units, scale }: Decimal, wanted: number): bigint => units * 10n ** BigInt(wanted - scale);

function compare(one: Decimal, other: Decimal): number {
  const scale = Math.max(one.scale, other.scale);
  const difference = at(one, scale) - at(other, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function decimalText({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = scale === 0 ? '' : digits.slice(-scale).replace(/(?<!0)0+$/, '');
  const whole = scale === 0 ? digits : digits.slice(0, -scale);
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Sum and average of numbers, every digit exact but those to which an average is rounded. */
export interface NumberSummary {
  readonly count: number;
  readonly sum: string;
  readonly average: string;
  readonly least: string;
  readonly greatest: string;
}

/** Adds numerals up, exactly. */
export class DecimalSum {
  #sum: Decimal = { units: 0n, scale: 0 };
  #least: Decimal | undefined;
  #greatest: Decimal | undefined;
  #count = 0;

  /** @returns whether it was a number */
  add(numeral: string): boolean {
    const value = parseDecimal(numeral);
    if (value === undefined) return false;
    this.#count += 1;
    const scale = Math.max(this.#sum.scale, value.scale);
    this.#sum = { units: at(this.#sum, scale) + at(value, scale), scale };
    if (this.#least === undefined || compare(value, this.#least) < 0) this.#least = value;
    if (this.#greatest === undefined || compare(value, this.#greatest) > 0) this.#greatest = value;
    return true;
  }

  summary(): NumberSummary | undefined {
    if (this.#least === undefined || this.#greatest === undefined) return undefined;
    return {
      count: this.#count,
      sum: decimalText(this.#sum),
      average: decimalText(this.#average()),
      least: decimalText(this.#least),
      greatest: decimalText(this.#greatest),
    };
  }

  #average(): Decimal {
    const scale = Math.max(this.#sum.scale, AVERAGE_DIGITS);
    const count = BigInt(this.#count);
    const units = at(this.#sum, scale);
    const half = units < 0n ? -count : count;
    return { units: (2n * units + half) / (2n * count), scale };
  }
}
