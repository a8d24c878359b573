import { badRequest } from '../errors.ts';
import type { Collection } from '../store/collection.ts';
import { onceForEachList } from '../store/columns.ts';
import type { TokenLists } from '../store/columns.ts';
import type { Features } from '../versions.ts';
import { flag, number } from './params.ts';
import type { SearchParams } from './params.ts';
import { parseQuery } from './queryText.ts';
import type { ParsedQuery } from './queryText.ts';
import type { SearchedField, TextMatches } from './textMatches.ts';
import { MAX_TYPOS, candidatesOf, readTypoRules, typosFor } from './candidates.ts';
import type { Candidate, TypoRules } from './candidates.ts';
import { matchInfix } from './infix.ts';
import { COST_BIT, FIELD_SCORE_BIT, MAX_COST, TOKENS_BIT, UNMATCHED_SCORE, WEIGHT_BIT } from './score.ts';
import { readSearchedFields } from './searchedFields.ts';
import { readSynonymMatching, synonymVariants } from '../synonyms/variants.ts';
import type { Synonym } from '../synonyms/synonym.ts';
import { stem } from './tokens.ts';

const MAX_FIELDS_COUNTED = 7;
const EXACT_BIT = 8n;
/** Version 30 reserves the lowest bit for tokens that aren't synonyms, and the parts below the exact match moved up. */
const EXACT_BIT_30 = 12n;
const PROXIMITY_BIT = 16n;
const UNIQUE_BIT = 32n;
const WORDS_BIT = 40n;
const MAX_PROXIMITY = 100;
/** More tokens than a query ever has; the server reads no more either. */
const MAX_TOKENS = 20;
const NO_TOKENS: TokenLists = [];

interface FieldMatch {
  /** One bit for each token of the query that was met. */
  readonly met: number;
  readonly score: bigint;
}

const NO_MATCH: FieldMatch = { met: 0, score: 0n };

interface MatchScoring {
  readonly marksSynonyms: boolean;
  readonly words: number | undefined;
}

/** The case with synonyms: before version 30 as if the words were next to each other, from then on only for more than one. */
const spreadOf = (positions: readonly number[], counted: number, marksSynonyms: boolean): number => {
  if (!marksSynonyms) return counted - 1;
  return counted === 1 ? 0 : Math.max(1, Math.max(...positions) - Math.min(...positions));
};

const matchField = (
  values: TokenLists,
  candidates: readonly ReadonlyMap<string, Candidate>[],
  { marksSynonyms, words: counted }: MatchScoring,
): FieldMatch => {
  const exactBit = marksSynonyms ? EXACT_BIT_30 : EXACT_BIT;
  let best = NO_MATCH;
  let met = 0;
  for (const value of values) {
    let cost = 0;
    const positions: number[] = [];
    candidates.forEach((candidate, bit) => {
      const at = value.findIndex((token) => candidate.has(token));
      if (at === -1) return;
      positions.push(at);
      met |= 1 << bit;
      cost += candidate.get(value[at] ?? '')?.cost ?? 0;
    });
    if (positions.length === 0) continue;
    const spread =
      counted === undefined ? Math.max(...positions) - Math.min(...positions) : spreadOf(positions, counted, marksSynonyms);
    const isWhole = positions.length === candidates.length;
    const isExact = (cost === 0 || candidates.length > 1) && isWhole && value.length === candidates.length;
    const words = BigInt(isWhole ? (counted ?? positions.length) : positions.length);
    const score =
      (words << WORDS_BIT) |
      (words << UNIQUE_BIT) |
      (BigInt(MAX_COST - Math.min(MAX_COST, cost)) << COST_BIT) |
      (BigInt(MAX_PROXIMITY - Math.min(MAX_PROXIMITY, spread)) << PROXIMITY_BIT) |
      (isExact ? 1n << exactBit : 0n) |
      (marksSynonyms ? 1n : 0n);
    if (score > best.score) best = { met, score };
  }
  return met === 0 ? NO_MATCH : { met, score: best.score };
};

interface LookedUpField {
  readonly candidates: readonly ReadonlyMap<string, Candidate>[];
  readonly match: (sequence: number) => FieldMatch;
  readonly weight: number;
}

interface TokenSearch {
  readonly collection: Collection;
  readonly features: Features;
  readonly fields: readonly SearchedField[];
  readonly prefix: boolean;
  readonly typos: TypoRules;
  /** Typos are tried while fewer documents than this are found. */
  readonly typoThreshold: number;
  /** How many words a match counts as; as many as were looked up where this is undefined. */
  readonly words: number | undefined;
  /** The longest way to say the query. */
  readonly longest: number | undefined;
}

const lookUp = (
  { collection, features, prefix, typos: rules, words }: TokenSearch,
  { field, weight }: SearchedField,
  tokens: readonly string[],
  typos: number,
): LookedUpField => {
  const column = collection.indices.tokens(field);
  const candidates = tokens.map((token, at) => {
    const typed = field.stem ? stem(token) : token;
    return candidatesOf(
      column.vocabulary,
      typed,
      prefix && at === tokens.length - 1,
      typosFor(token, { ...rules, allowed: typos }),
    );
  });
  const matchLists = onceForEachList((values) =>
    matchField(values, candidates, { marksSynonyms: features.marksSynonyms, words }),
  );
  return { candidates, weight, match: (sequence) => matchLists(column.at(sequence) ?? NO_TOKENS) };
};

const scoreDocument = (
  fields: readonly LookedUpField[],
  sequence: number,
  tokenCount: number,
  words: number,
): bigint | undefined => {
  let best = 0n;
  let weight = 0;
  let count = 0;
  let met = 0;
  for (const field of fields) {
    const match = field.match(sequence);
    if (match.met === 0) continue;
    met |= match.met;
    count += 1;
    if (match.score > best || (match.score === best && field.weight > weight)) {
      best = match.score;
      ({ weight } = field);
    }
  }
  if (met !== (1 << tokenCount) - 1) return undefined;
  const fieldsMatched = BigInt(Math.min(MAX_FIELDS_COUNTED, count));
  return (BigInt(words) << TOKENS_BIT) | (best << FIELD_SCORE_BIT) | (BigInt(weight) << WEIGHT_BIT) | fieldsMatched;
};

/** The matches of one reading of the query: documents that have every token in one field or another. */
const matchTokens = (
  search: TokenSearch,
  tokens: readonly string[],
  typos: number,
  matched: Map<string, number>,
): Map<number, bigint> => {
  const { collection, fields } = search;
  const lookedUp = fields.map((field) => lookUp(search, field, tokens, typos));
  const scores = new Map<number, bigint>();
  const isHopeless = tokens.some((_, at) => lookedUp.every(({ candidates }) => candidates[at]?.size === 0));
  if (isHopeless) return scores;
  for (const sequence of collection.documents.sequences()) {
    const score = scoreDocument(lookedUp, sequence, tokens.length, search.longest ?? tokens.length);
    if (score !== undefined) scores.set(sequence, score);
  }
  if (scores.size > 0) {
    for (const { candidates } of lookedUp) {
      for (const candidate of candidates) for (const [token, { typed }] of candidate) matched.set(token, typed);
    }
  }
  return scores;
};

const hasPhrase = (values: TokenLists, phrase: readonly string[]): boolean =>
  values.some((value) => value.some((_, at) => phrase.every((token, offset) => value[at + offset] === token)));

/** Keeps what has every phrase and nothing that is excluded. */
const narrow = (
  scores: Map<number, bigint>,
  { excluded, phrases }: ParsedQuery,
  fields: readonly SearchedField[],
  collection: Collection,
): void => {
  if (excluded.length === 0 && phrases.length === 0) return;
  const columns = fields.map(({ field }) => collection.indices.tokens(field));
  for (const sequence of [...scores.keys()]) {
    const has = (phrase: readonly string[]): boolean => columns.some((column) => hasPhrase(column.at(sequence) ?? [], phrase));
    if (!phrases.every(has) || excluded.some(has)) scores.delete(sequence);
  }
};

/** The matches of one reading of the query, with as many typos as it takes to find enough. */
const matchWithTypos = (search: TokenSearch, tokens: readonly string[], matched: Map<string, number>): Map<number, bigint> => {
  let scores = matchTokens(search, tokens, 0, matched);
  for (let typos = 1; typos <= search.typos.allowed && scores.size < search.typoThreshold; typos += 1) {
    for (const [sequence, score] of matchTokens(search, tokens, typos, matched)) {
      if (!scores.has(sequence)) scores = scores.set(sequence, score);
    }
  }
  return scores;
};

/** The query without one word, then without two, and so on: from the right and, while too little is found, from the left. */
const shortened = function* (tokens: readonly string[], mode: string): Generator<readonly string[]> {
  const fromRight = tokens.slice(1).map((_, at) => tokens.slice(0, tokens.length - 1 - at));
  const fromLeft = tokens.slice(1).map((_, at) => tokens.slice(at + 1));
  yield* mode === 'left_to_right' ? fromLeft : fromRight;
  yield* mode === 'left_to_right' ? fromRight : fromLeft;
};

const dropTokens = (
  search: TokenSearch,
  tokens: readonly string[],
  params: SearchParams,
  scores: Map<number, bigint>,
  matched: Map<string, number>,
): void => {
  const threshold = number(params, 'drop_tokens_threshold', 1);
  const mode = params.get('drop_tokens_mode') ?? '';
  const [, limit] = /^both_sides:([0-9]+)$/.exec(mode) ?? [];
  const isBoth = limit !== undefined && tokens.length <= Number(limit);
  for (const fewer of shortened(tokens, mode)) {
    if (!isBoth && scores.size >= threshold) return;
    for (const [sequence, score] of matchWithTypos(search, fewer, matched)) {
      if (!scores.has(sequence)) scores.set(sequence, score);
    }
  }
};

const addSynonyms = (
  search: TokenSearch,
  variants: readonly (readonly string[])[],
  scores: Map<number, bigint>,
  matched: Map<string, number>,
): void => {
  for (const variant of variants) {
    for (const [sequence, score] of matchWithTypos(search, variant, matched)) {
      if (score > (scores.get(sequence) ?? 0n)) scores.set(sequence, score);
    }
  }
};

export const matchText = (
  query: string,
  params: SearchParams,
  collection: Collection,
  features: Features,
  synonyms: readonly Synonym[],
): TextMatches => {
  const fields = readSearchedFields(params, collection);
  if (fields.length === 0) throw badRequest('No search fields specified for the query.');
  const tokenizing = { ...collection.tokenizing, locale: fields[0]?.field.locale ?? '' };
  const parsed = parseQuery(query, tokenizing);
  const tokens = parsed.tokens.slice(0, MAX_TOKENS);
  const variants = flag(params, 'enable_synonyms', true)
    ? synonymVariants(tokens, synonyms, readSynonymMatching(params, features, tokenizing))
    : [];
  const lengths = [tokens, ...variants].map(({ length }) => length);
  const search: TokenSearch = {
    collection,
    features,
    fields,
    prefix: flag(params, 'prefix', true),
    typos: readTypoRules(params, number(params, 'num_typos', MAX_TYPOS)),
    typoThreshold: number(params, 'typo_tokens_threshold', 1),
    longest: variants.length === 0 ? undefined : Math.max(...lengths),
    words: variants.length === 0 ? undefined : features.marksSynonyms ? tokens.length : Math.max(...lengths),
  };
  const matched = new Map<string, number>();
  let scores = new Map<number, bigint>();
  if (tokens.length === 0) {
    for (const sequence of collection.documents.sequences()) scores.set(sequence, UNMATCHED_SCORE);
  } else {
    scores = matchWithTypos(search, tokens, matched);
    addSynonyms(search, variants, scores, matched);
    dropTokens({ ...search, words: undefined, longest: undefined }, tokens, params, scores, matched);
  }
  const infixed = matchInfix(collection, fields, query.toLowerCase(), matched);
  for (const [sequence, score] of infixed) if (!scores.has(sequence)) scores.set(sequence, score);
  narrow(scores, parsed, fields, collection);
  return { scores, fields, matched, queryLength: Math.max(1, search.longest ?? tokens.length) };
};
