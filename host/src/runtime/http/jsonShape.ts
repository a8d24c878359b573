/** Limits on the shape of a JSON text. */
export interface JsonShapeLimits {
  /** Objects and lists inside each other. */
  readonly depth: number;
  /** Members of one object. */
  readonly members: number;
  /** Members of all objects, and all objects and lists. Numbers and texts in a list are not counted: they cost little. */
  readonly nodes: number;
}

/** The shapes that a request may have: 1,000 rows of 250 columns fit. */
export const JSON_SHAPE_LIMITS: JsonShapeLimits = { depth: 128, members: 5_000, nodes: 300_000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/**
 * Whether a JSON text goes beyond a limit, in linear time and without building anything: parsing and checking a body of 16 MB that holds a
 * million members takes the host half a minute or all of its memory. A text that is not JSON may pass; the parser rejects it.
 *
 * @returns the limit that is exceeded first
 */
export function exceededShape(bytes: Uint8Array, limits: JsonShapeLimits = JSON_SHAPE_LIMITS): keyof JsonShapeLimits | undefined {
  const membersAt: number[] = [0];
  let nodes = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === COLON) {
      const members = (membersAt.at(-1) ?? 0) + 1;
      membersAt[membersAt.length - 1] = members;
      nodes += 1;
      if (members > limits.members) return 'members';
    } else if (OPENING.has(byte)) {
      nodes += 1;
      if (membersAt.push(0) > limits.depth + 1) return 'depth';
    } else if (CLOSING.has(byte) && membersAt.length > 1) membersAt.pop();
    if (nodes > limits.nodes) return 'nodes';
  }
  return undefined;
}

/** The place of the quotation mark that ends a text, or the end. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let from = start; ;) {
    const quote = bytes.indexOf(QUOTE, from);
    if (quote === -1) return bytes.length;
    let backslashes = 0;
    while (quote - 1 - backslashes >= from && bytes[quote - 1 - backslashes] === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    from = quote + 1;
  }
}
