/** Functions of the language that its type library doesn't list yet. */
interface RawJson {
  rawJSON(text: string): object;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
  parse(text: string, reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
}
const rawJson = JSON as unknown as RawJson;

/**
 * The members of a JSON object, in their order, of which every number keeps its digits when it is written again. A member may have any name.
 *
 * @returns undefined for a text that isn't a JSON object, or is nested too deeply to be read
 */
export function exactMembers(text: string): ReadonlyMap<string, unknown> | undefined {
  let value: unknown;
  try {
    value = rawJson.parse(text, (_key, found, { source }) =>
      typeof found === 'number' && source !== undefined ? rawJson.rawJSON(source) : found,
    );
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || rawJson.isRawJSON(value)) return undefined;
  return new Map(Object.entries(value));
}

/** The digits of a number that was read exactly. */
export function digitsOfNumber(value: unknown): string | undefined {
  return rawJson.isRawJSON(value) ? value.rawJSON : undefined;
}
