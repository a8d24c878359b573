import { badRequest } from '../errors.ts';
import type { Collection } from '../store/collection.ts';
import { MAX_TYPOS, candidatesOf, readTypoRules, typosFor } from './candidates.ts';
import type { TypoRules } from './candidates.ts';
import { number } from './params.ts';
import type { SearchParams } from './params.ts';
import { tokenize } from './tokens.ts';
import type { Tokenizing } from './tokens.ts';

export interface FacetQuery {
  readonly name: string;
  /** The values that match, each with what matched marked. */
  mark(values: readonly string[]): Map<string, string>;
}

const START = '<mark>';
const END = '</mark>';

/** Undefined where a value does not have every word of the query. */
const markValue = (value: string, words: readonly string[], tokenizing: Tokenizing, rules: TypoRules): string | undefined => {
  const tokens = tokenize(value, tokenizing);
  const typed = new Map<string, number>();
  for (const [at, word] of words.entries()) {
    const near = candidatesOf(tokens, word, at === words.length - 1, typosFor(word, rules));
    if (near.size === 0) return undefined;
    for (const [token, candidate] of near) typed.set(token, candidate.typed);
  }
  const parts = value.split(/(?<=\s)|(?=\s)/).map((part) => {
    const [token] = tokenize(part, tokenizing);
    const length = token === undefined ? undefined : typed.get(token);
    return length === undefined ? part : `${START}${part.slice(0, length)}${END}${part.slice(length)}`;
  });
  return parts.join('');
};

const DEFAULT_CANDIDATES = 10;

/** The values with the words that the last one of a query may stand for, of which only so many are looked up: the most frequent. */
const withinCandidates = (
  values: readonly string[],
  last: string,
  rules: TypoRules,
  params: SearchParams,
  tokenizing: Tokenizing,
): readonly string[] => {
  const most = number(params, 'max_candidates', DEFAULT_CANDIDATES);
  const counts = new Map<string, number>();
  const tokens = values.map((value) => candidatesOf(tokenize(value, tokenizing), last, true, typosFor(last, rules)));
  for (const near of tokens) for (const token of near.keys()) counts.set(token, (counts.get(token) ?? 0) + 1);
  if (counts.size <= most) return values;
  const candidates = new Set(
    [...counts]
      .sort((left, right) => right[1] - left[1])
      .slice(0, most)
      .map(([token]) => token),
  );
  return values.filter((_, at) => [...(tokens[at]?.keys() ?? [])].some((token) => candidates.has(token)));
};

/** `facet_query=field:words`: the last word may be a start, and typos are tried where nothing is found without. */
export const readFacetQuery = (params: SearchParams, { tokenizing }: Collection): FacetQuery | undefined => {
  const text = params.get('facet_query') ?? '';
  const colon = text.indexOf(':');
  if (text !== '' && colon === -1) throw badRequest('Facet query must be in the `facet_field: value` format.');
  const words = tokenize(text.slice(colon + 1), tokenizing);
  if (colon === -1 || words.length === 0) return undefined;
  const most = readTypoRules(params, number(params, 'facet_query_num_typos', MAX_TYPOS)).allowed;
  const mark = (values: readonly string[]): Map<string, string> => {
    let marked = new Map<string, string>();
    for (let allowed = 0; allowed <= most && marked.size === 0; allowed += 1) {
      const rules = readTypoRules(params, allowed);
      marked = new Map(
        withinCandidates(values, words.at(-1) ?? '', rules, params, tokenizing).flatMap((value) => {
          const shown = markValue(value, words, tokenizing, rules);
          return shown === undefined ? [] : [[value, shown] as const];
        }),
      );
    }
    return marked;
  };
  return { name: text.slice(0, colon).trim(), mark };
};
