import { MAX_TYPOS, editDistance } from '../search/candidates.ts';
import { flag, number } from '../search/params.ts';
import type { SearchParams } from '../search/params.ts';
import { tokenize } from '../search/tokens.ts';
import type { Tokenizing } from '../search/tokens.ts';
import type { Features } from '../versions.ts';
import type { Synonym } from './synonym.ts';

/** How a word of a query is held against a word of a synonym. */
export interface SynonymMatching {
  readonly tokenizing: Tokenizing;
  /** The last word of a query may be the start of a synonym's. */
  readonly prefix: boolean;
  readonly typos: number;
}

/** The typos of synonyms count from version 30; before, the parameter changed nothing that was seen. */
export const readSynonymMatching = (params: SearchParams, features: Features, tokenizing: Tokenizing): SynonymMatching => ({
  tokenizing,
  prefix: flag(params, 'synonym_prefix', false),
  typos: features.marksSynonyms ? Math.min(MAX_TYPOS, number(params, 'synonym_num_typos', 0)) : 0,
});

/** The position of a phrase in the query, or -1. */
const placeOf = (query: readonly string[], phrase: readonly string[], { prefix, typos }: SynonymMatching): number => {
  const same = (word: string, wanted: string, isLast: boolean): boolean =>
    word === wanted || (prefix && isLast && wanted.startsWith(word)) || (typos > 0 && editDistance(word, wanted, typos) <= typos);
  for (let at = 0; at + phrase.length <= query.length; at += 1) {
    if (phrase.every((wanted, offset) => same(query[at + offset] ?? '', wanted, at + offset === query.length - 1))) return at;
  }
  return -1;
};

const phrasesOf = ({ root, symbolsToIndex, synonyms }: Synonym, tokenizing: Tokenizing) => {
  const own = symbolsToIndex.length === 0 ? tokenizing : { ...tokenizing, symbols: symbolsToIndex.join('') };
  const words = (text: string): string[] => tokenize(text, own);
  const all = synonyms.map(words).filter((phrase) => phrase.length > 0);
  return { from: root === '' ? all : [words(root)].filter((phrase) => phrase.length > 0), to: all };
};

/** The query with what it names replaced by each thing that stands for it; the query itself is not among them. */
export const synonymVariants = (
  query: readonly string[],
  synonyms: readonly Synonym[],
  matching: SynonymMatching,
): (readonly string[])[] => {
  const variants = new Map<string, readonly string[]>();
  for (const synonym of synonyms) {
    const { from, to } = phrasesOf(synonym, matching.tokenizing);
    for (const phrase of from) {
      const at = placeOf(query, phrase, matching);
      if (at === -1) continue;
      for (const other of to) {
        const variant = [...query.slice(0, at), ...other, ...query.slice(at + phrase.length)];
        variants.set(variant.join(' '), variant);
      }
    }
  }
  variants.delete(query.join(' '));
  return [...variants.values()];
};
