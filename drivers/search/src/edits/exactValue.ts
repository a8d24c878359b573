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
