/** The bytes of a name that the server keeps: NAMEDATALEN - 1. */
const MOST_BYTES = 63;

/** A name as the server cuts it: at the last whole character within 63 bytes of UTF-8. */
export function cutIdentifier(name: string): string {
  let bytes = 0;
  let end = 0;
  for (const character of name) {
    bytes += Buffer.byteLength(character);
    if (bytes > MOST_BYTES) return name.slice(0, end);
    end += character.length;
  }
  return name;
}
