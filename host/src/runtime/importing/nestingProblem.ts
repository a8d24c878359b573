/** Levels of objects and lists in a row. Servers read JSON by recursion: one with a hundred thousand levels has ended the process of a database. */
export const MOST_NESTING = 100;

/** The sentence about JSON with more. */
export const tooDeep = `The row is nested more than ${MOST_NESTING} levels deep.`;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The sentence about JSON that is nested too deep; undefined for any other. Whether the text is JSON at all stays open. */
export function nestingProblem(json: Uint8Array): string | undefined {
  let opened = 0;
  for (const byte of json) {
    if (byte !== OPEN_LIST && byte !== OPEN_OBJECT) continue;
    opened += 1;
    if (opened > MOST_NESTING) return isTooDeep(json) ? tooDeep : undefined;
  }
  return undefined;
}

function isTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (isInText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isInText = false;
    } else if (byte === QUOTE) isInText = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      if (depth > MOST_NESTING) return true;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}
