/** The bytes of a name that the server keeps: NAMEDATALEN - 1. */
const MOST_BYTES = 63;

/** A name as the server may cut it: at the last whole character within 63 bytes, which are one to four for each character that isn't ASCII, by the encoding of the database. */
export function cutIdentifiers(name: string): readonly string[] {
  const sizes: readonly ((character: string) => number)[] = [
    (character) => Buffer.byteLength(character),
    (character) => Math.min(2, Buffer.byteLength(character)),
    () => 1,
  ];
  return sizes.map((size) => cut(name, size));
}

function cut(name: string, size: (character: string) => number): string {
  let bytes = 0;
  let end = 0;
  for (const character of name) {
    bytes += size(character);
    if (bytes > MOST_BYTES) return name.slice(0, end);
    end += character.length;
  }
  return name;
}
