import { isObject } from '../guards.ts';

/** A number by its digits; `JSON.stringify` writes it as it is. */
interface RawNumber {
  readonly rawJSON: string;
}

/** Functions of the language that its type library doesn't list yet. */
interface RawJson {
  rawJSON(text: string): RawNumber;
  isRawJSON(value: unknown): value is RawNumber;
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
}
const rawJson = JSON as unknown as RawJson;

/** A JSON value of which every number keeps the digits that it was written with. */
export type ExactValue = unknown;

/** @throws SyntaxError when the text isn't JSON */
export function parseExactly(text: string): ExactValue {
  return rawJson.parse(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? rawJson.rawJSON(source) : value,
  );
}

/** @param digits - a JSON number */
export function exactNumber(digits: string): ExactValue {
  return rawJson.rawJSON(digits);
}

/** The digits of a number; undefined for every other value. */
export function digitsOf(value: ExactValue): string | undefined {
  return rawJson.isRawJSON(value) ? value.rawJSON : undefined;
}

/** Whole numbers that the server stores to the last digit. It stores any other number as a double. */
const [LEAST_WHOLE, MOST_WHOLE] = [-(2n ** 63n), 2n ** 64n - 1n];

/** Whether the server stores every digit of a number. */
export function keepsDigits(digits: string): boolean {
  if (isWhole(digits)) return true;
  const value = Number(digits);
  return Number.isFinite(value) && significant(digits) === significant(String(value));
}

/** Whether the server stores a number of a list or an object as one that means the same: rounded at its last digits at most, and whole numbers not at all. */
export function keepsMeaning(digits: string): boolean {
  if (/^-?\d+$/.test(digits)) return keepsDigits(digits);
  const value = Number(digits);
  return Number.isFinite(value) && (value !== 0 || significant(digits) === '0');
}

function isWhole(digits: string): boolean {
  if (!/^-?\d{1,20}$/.test(digits)) return false;
  const whole = BigInt(digits);
  return whole >= LEAST_WHOLE && whole <= MOST_WHOLE;
}

/** The digits that count, and the place of the point. */
function significant(digits: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(digits) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const counted = all.replace(/(?<!0)0+$/, '');
  return counted === '' ? '0' : `${sign}${counted}e${Number(exponent) - fraction.length + (all.length - counted.length)}`;
}

/** A JSON object; a number by its digits is none, though the language says so. */
export function isExactObject(value: ExactValue): value is Readonly<Record<string, ExactValue>> {
  return isObject(value) && !rawJson.isRawJSON(value);
}

/** Whether two values are the same: members in any order, numbers by their value (`1.0` is `1`), long integers digit for digit. */
export function sameValue(a: ExactValue, b: ExactValue): boolean {
  const [x, y] = [digitsOf(a), digitsOf(b)];
  if (x !== undefined && y !== undefined) {
    if (/^-?\d+$/.test(x) && /^-?\d+$/.test(y)) return BigInt(x) === BigInt(y);
    return Number(x) === Number(y);
  }
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  if (isExactObject(a) && isExactObject(b)) {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && sameValue(a[name], b[name]));
  }
  return a === b;
}

/** An object to be filled, on which every name is a plain member. */
export function emptyObject(): Record<string, ExactValue> {
  return Object.create(null) as Record<string, ExactValue>;
}
