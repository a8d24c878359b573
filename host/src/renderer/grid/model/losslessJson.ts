/** The parts of JSON that keep the digits of numbers: in every browser since 2025, and not yet in the compiler's library. */
interface ExactJson {
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}

const exact = JSON as unknown as ExactJson;

/**
 * Reads a JSON text without rounding a number: each one is kept as it was written, and `JSON.stringify` writes it so again.
 *
 * @throws SyntaxError when the text isn't JSON
 */
export function parseLossless(text: string): unknown {
  return exact.parse(text, (_key, value, context) =>
    typeof value === 'number' && context.source !== undefined ? exact.rawJSON(context.source) : value,
  );
}

/** The digits of a number that {@link parseLossless} read; undefined for anything else. */
export function numeralOf(value: unknown): string | undefined {
  return exact.isRawJSON(value) ? value.rawJSON : undefined;
}
