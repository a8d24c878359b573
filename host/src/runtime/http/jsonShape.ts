/** Limits on the shape of a JSON text. */
export interface JsonShapeLimits {
  /** Objects and lists inside each other. */
  readonly depth: number;
  /** Members of one object. */
  readonly members: number;
  /** Members of all objects, and all objects and lists. */
  readonly nodes: number;
  /** Elements of all lists, without the first of each. An element costs a tenth of a member. */
  readonly elements: number;
}

/**
 * The shapes that a request may have. Measured: parsing and checking 100,000 members with different names, or a million elements, takes less
 * than 100 ms. 1,000 rows of 90 columns fit, and 1,000 rows with vectors of 768 numbers.
 */
export const JSON_SHAPE_LIMITS: JsonShapeLimits = { depth: 128, members: 5_000, nodes: 100_000, elements: 1_000_000 };

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;
const CLOSE_LIST = 0x5d;
const CLOSE_OBJECT = 0x7d;
/** Stands for a list where the members of an object are counted. */
const LIST = -1;

/**
 * Whether a JSON text goes beyond a limit, in linear time and without building anything: parsing and checking a body of 16 MB that holds a
 * million members takes the host half a minute or all of its memory. A text that is not JSON may pass; the parser rejects it.
 *
 * @returns the limit that is exceeded first
 */
export function exceededShape(bytes: Uint8Array, limits: JsonShapeLimits = JSON_SHAPE_LIMITS): keyof JsonShapeLimits | undefined {
  const membersAt: number[] = [0];
  let nodes = 0;
  let elements = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfText(bytes, at + 1);
    else if (byte === COMMA) {
      if (membersAt.at(-1) === LIST) elements += 1;
    } else if (byte === COLON) {
      const members = (membersAt.at(-1) ?? 0) + 1;
      membersAt[membersAt.length - 1] = members;
      nodes += 1;
      if (members > limits.members) return 'members';
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      nodes += 1;
      if (membersAt.push(byte === OPEN_LIST ? LIST : 0) > limits.depth + 1) return 'depth';
    } else if ((byte === CLOSE_OBJECT || byte === CLOSE_LIST) && membersAt.length > 1) membersAt.pop();
    if (nodes > limits.nodes) return 'nodes';
    if (elements > limits.elements) return 'elements';
  }
  return undefined;
}

/** The place of the quotation mark that ends a text, or the end. */
export function endOfText(bytes: Uint8Array, start: number): number {
  const quote = bytes.indexOf(QUOTE, start);
  if (quote === -1) return bytes.length;
  if (quote === start || bytes[quote - 1] !== BACKSLASH) return quote;
  // With escapes byte by byte: a search for each of a million escaped quotation marks took 60 ms.
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === BACKSLASH) at += 1;
    else if (byte === QUOTE) return at;
  }
  return bytes.length;
}
