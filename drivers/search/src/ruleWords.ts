import { isObject } from './guards.ts';

/** The signs that a collection treats in its own way. */
export interface CollectionSigns {
  /** Those that its words may have. */
  readonly symbols: ReadonlySet<string>;
  /** Those that part words, beside the blank. */
  readonly separators: ReadonlySet<string>;
}

/** Letters that the server writes as others before it compares (seen on 29.0 and 30.0-dev). Compatibility forms, such as ﬁ and １, are Unicode's own. */
const AS_OTHERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe' };
/** Signs that patterns and placeholders of a rule are made of: the server leaves them in the words of a rule, and drops them from those of a search. */
const OF_PATTERNS: ReadonlySet<string> = new Set(['{', '}', '.', '*']);

/** The signs of a collection, from its schema. */
export function collectionSigns(schema: unknown): CollectionSigns {
  const list = (member: string): ReadonlySet<string> => {
    const value = isObject(schema) ? schema[member] : undefined;
    return new Set((Array.isArray(value) ? (value as unknown[]) : []).filter((sign) => typeof sign === 'string'));
  };
  return { symbols: list('symbols_to_index'), separators: list('token_separators') };
}

/**
 * The words of a search as the server compares them with those of a rule: in lower case, without signs, and without blanks that part nothing. `wi-fi`, `WiFi` and
 * `wifi!` are the same there, and `café` is not `cafe`. Letters beyond those of ASCII stay, although some servers drop them: what is one rule there would be two
 * here, which a search after the change shows.
 */
export function wordsOfSearch(text: string, signs: CollectionSigns): string {
  return folded(text, signs, new Set());
}

/** The words of a rule, likewise. One with a sign of a pattern that no search has never acts. */
export function wordsOfRule(query: string, signs: CollectionSigns): string {
  return folded(query, signs, OF_PATTERNS);
}

/** The query of a new rule that acts on searches for these words: without the signs that no search would have. */
export function ruleQuery(text: string, { symbols, separators }: CollectionSigns): string {
  return [...text.trim()]
    .map((sign) => (!OF_PATTERNS.has(sign) || symbols.has(sign) ? sign : separators.has(sign) ? ' ' : ''))
    .join('')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}

function folded(text: string, { symbols, separators }: CollectionSigns, stays: ReadonlySet<string>): string {
  const written = [...text.normalize('NFKC').toLowerCase()].map((character) => AS_OTHERS[character] ?? character).join('');
  return [...written]
    .map((character) => {
      if (symbols.has(character)) return character;
      if (character === ' ' || separators.has(character)) return ' ';
      return stays.has(character) || /[\p{L}\p{N}\p{M}]/u.test(character) ? character : '';
    })
    .join('')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
}
