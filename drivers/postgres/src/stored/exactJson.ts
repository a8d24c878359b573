/** A number of JSON by its digits. */
export class RawNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }
}

/** JSON with each number by its digits. @throws SyntaxError */
export function exactJson(text: string): unknown {
  return JSON.parse(text, function (this: unknown, _key, member: unknown, context?: { readonly source?: string }) {
    return typeof member === 'number' && context?.source !== undefined ? new RawNumber(context.source) : member;
  });
}
