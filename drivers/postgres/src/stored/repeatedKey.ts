const KEY = /\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|((?!")(?:\\.|[^\s=\\])+))\s*=>\s*/sy;
const VALUE = /(?:"[^"\\]*(?:\\.[^"\\]*)*"|(?:\\.|[^\s,\\])+)\s*(?:,|$)/sy;

/** The key that a text for an `hstore` has twice: the server stores one of the two. Undefined as well for a text that the server refuses. */
export function repeatedKey(text: string): string | undefined {
  const keys = new Set<string>();
  for (let at = 0; at < text.length; at = VALUE.lastIndex) {
    KEY.lastIndex = at;
    const key = KEY.exec(text);
    if (key === null) return undefined;
    VALUE.lastIndex = KEY.lastIndex;
    if (!VALUE.test(text)) return undefined;
    const name = (key[1] ?? key[2] ?? '').replaceAll(/\\(.)/gs, '$1');
    if (keys.has(name)) return name;
    keys.add(name);
  }
  return undefined;
}
