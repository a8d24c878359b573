/**
 * Takes the paths of registries out of a text that is given away: a token may be a part of one. The origin stays, and that there is a path.
 *
 * @param urls - of all registries, as they are normalised
 */
export function withoutRegistryPaths(urls: readonly string[]): (text: string) => string {
  const hidden = urls
    .map((url) => ({ whole: url.replace(/\/$/, ''), origin: new URL(url).origin }))
    .filter(({ whole, origin }) => whole !== origin)
    // A registry may be below another one.
    .toSorted((a, b) => b.whole.length - a.whole.length);
  return (text) => hidden.reduce((shown, { whole, origin }) => shown.replaceAll(whole, `${origin}/…`), text);
}
