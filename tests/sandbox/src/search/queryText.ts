import { tokenize } from './tokens.ts';
import type { Tokenizing } from './tokens.ts';

export interface ParsedQuery {
  /** None of them means everything: a query that only excludes, or says nothing, matches all documents. */
  readonly tokens: readonly string[];
  readonly phrases: readonly (readonly string[])[];
  readonly excluded: readonly (readonly string[])[];
}

/** Words to find, "phrases" to find and -words or -"phrases" to leave out. */
export const parseQuery = (query: string, tokenizing: Tokenizing): ParsedQuery => {
  const tokens: string[] = [];
  const phrases: string[][] = [];
  const excluded: string[][] = [];
  for (const match of query.matchAll(/(-?)"([^"]*)"|(?<=^|\s)-(\S+)|([^\s"]+)/g)) {
    const [, sign, phrase, without, word] = match;
    if (phrase !== undefined) {
      const list = tokenize(phrase, tokenizing);
      if (list.length > 0) (sign === '-' ? excluded : phrases).push(list);
    } else if (without !== undefined) {
      excluded.push(...tokenize(without, tokenizing).map((token) => [token]));
    } else {
      tokens.push(...tokenize(word ?? '', tokenizing));
    }
  }
  return { tokens, phrases, excluded };
};
