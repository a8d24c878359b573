/**
 * One segment of a path. Everything but letters, digits, `-`, `_` and `~` is encoded, dots included: a document may be called `..`, and
 * nothing between here and the server may take it for a step upwards. The only place where a name becomes a path.
 */
export function encodeSegment(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(
    /[.!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

export function collectionPath(collection: string): string {
  return `/collections/${encodeSegment(collection)}`;
}

export function aliasPath(alias: string): string {
  return `/aliases/${encodeSegment(alias)}`;
}

/** The names in a path that was made here: `/collections/a%2Fb` has `collections` and `a/b`. */
export function sentSegments(path: string): string[] {
  return (path.split('?', 1)[0] ?? '').slice(1).split('/').map(decodeURIComponent);
}
