/** Words of a search that count: each one may be looked for in the whole of a long text. */
export const MOST_SEARCH_WORDS = 10;

/** The words of a search as patterns of `LIKE … ESCAPE '\'`, wildcards taken as they are. Further words are left out. */
export function searchPatterns(search: string): string[] {
  return search
    .split(/\s+/)
    .filter(Boolean)
    .slice(0, MOST_SEARCH_WORDS)
    .map((word) => `%${word.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`);
}
