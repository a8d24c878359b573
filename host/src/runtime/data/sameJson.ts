/**
 * Whether two texts are the same JSON: white space, the order of members and escapes do not count; each number counts by its digits, since a double
 * would take two long integers for one. Texts that can't be read are the same where they are equal.
 */
export function sameJson(a: string, b: string): boolean {
  if (a === b) return true;
  try {
    return same(withDigits(a), withDigits(b));
  } catch {
    return false;
  }
}

/** A number by its digits. */
class Digits {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The third value of a reviver, which the type library doesn't list yet. */
type ParseWithSource = (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

function withDigits(text: string): unknown {
  return (JSON.parse as ParseWithSource)(text, (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined ? new Digits(source) : value,
  );
}

function same(a: unknown, b: unknown): boolean {
  if (a instanceof Digits || b instanceof Digits) return a instanceof Digits && b instanceof Digits && a.text === b.text;
  if (Array.isArray(a) || Array.isArray(b)) {
    return Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, place) => same(item, b[place]));
  }
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [members, others] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return members.size === others.size && [...members].every(([name, value]) => others.has(name) && same(value, others.get(name)));
}
