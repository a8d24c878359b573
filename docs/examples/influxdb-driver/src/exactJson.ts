/** A number of an answer by its digits: a double would round integers beyond 2^53, and every time in nanoseconds is one. */
export class Numeral {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** A value of an answer. */
export type ExactValue = null | boolean | string | Numeral | readonly ExactValue[] | { readonly [member: string]: ExactValue };

/**
 * Parses JSON and keeps every digit.
 *
 * @throws SyntaxError as `JSON.parse` does
 */
export function parseExactJson(text: string): ExactValue {
  // Node has given a reviver the source text of numbers since version 21. TypeScript's own type of a reviver doesn't name it yet.
  const keepDigits = (_member: string, value: unknown, context?: { readonly source?: string }): unknown =>
    typeof value === 'number' ? new Numeral(context?.source ?? String(value)) : value;
  return JSON.parse(text, keepDigits) as ExactValue;
}
