const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const OPEN_OBJECT = 0x7b;

/** A shorter text is parsed in a moment, whatever is in it. */
const SHORT = 1024 * 1024;
/** Lists, objects and their entries. The parser takes 50 ms for each million, in which the host does nothing else; drivers send a hundredth of it at once. */
export const MOST_ELEMENTS = 2_000_000;

/** Whether a JSON text has more lists, objects and entries than a driver may send at once; an empty list in 64 MB of them costs a hundred times its bytes. */
export function hasMoreElements(bytes: Uint8Array, most = MOST_ELEMENTS): boolean {
  if (bytes.length <= SHORT) return false;
  let elements = 0;
  for (let at = 0; at < bytes.length && elements <= most; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at += 1;
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
    } else if (byte === COMMA || byte === OPEN_LIST || byte === OPEN_OBJECT) elements += 1;
  }
  return elements > most;
}
