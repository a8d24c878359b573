import { badRequest, notFound } from '../errors.ts';
import { isObjectType, isStringType } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';
import { onceForEachList } from '../store/columns.ts';
import type { TokenLists } from '../store/columns.ts';
import type { Features } from '../versions.ts';
import { flag, list, number } from './params.ts';
import type { SearchParams } from './params.ts';
import { parseQuery } from './queryText.ts';
import type { ParsedQuery } from './queryText.ts';
import type { SearchedField, TextMatches } from './textMatches.ts';
import { stem } from './tokens.ts';

const MAX_WEIGHT = 15;
const MAX_FIELDS_COUNTED = 7;
const EXACT_BIT = 8n;
/** Version 30 keeps the lowest bit for tokens that are no synonyms, and what was below the exact match moved up. */
const EXACT_BIT_30 = 12n;
const PROXIMITY_BIT = 16n;
const COST_BIT = 24n;
const UNIQUE_BIT = 32n;
const WORDS_BIT = 40n;
const FIELD_SCORE_BIT = 11n;
const TOKENS_BIT = 59n;
const WEIGHT_BIT = 3n;
const MAX_COST = 255;
const MAX_PROXIMITY = 100;
const TYPO_COST = 2;
const PREFIX_COST = 1;
const MIN_LENGTH_ONE_TYPO = 4;
const MIN_LENGTH_TWO_TYPOS = 7;
const MAX_TYPOS = 2;
/** More tokens than a query ever has; the server reads no more either. */
const MAX_TOKENS = 20;
const NO_TOKENS: TokenLists = [];
/** What a real server scores a document that no token of the query was looked up for. */
const UNMATCHED_SCORE = 100n;

export const readSearchedFields = (params: SearchParams, collection: Collection): SearchedField[] => {
  const infixes = list(params, 'infix');
  return list(params, 'query_by').flatMap((name, at) => {
    const weight = Math.max(0, MAX_WEIGHT - at);
    const infix = ['always', 'fallback'].includes(infixes[at] ?? infixes[0] ?? 'off');
    const field = collection.fields.get(name);
    if (field === undefined || name.includes('.*')) throw notFound(`Could not find a field named \`${name}\` in the schema.`);
    if (!field.index) throw badRequest(`Field \`${name}\` is marked as a non-indexed field in the schema.`);
    if (isObjectType(field.type)) {
      const leaves = [...collection.fields.values()].filter(
        (leaf) => leaf.name.startsWith(`${name}.`) && isStringType(leaf.type) && leaf.index,
      );
      return leaves.map((leaf) => ({ field: leaf, weight, infix }));
    }
    if (!isStringType(field.type)) throw badRequest(`Field \`${name}\` should be a string or a string array.`);
    if (infix && !field.infix) {
      throw badRequest(
        `Could not find \`${name}\` in the infix index. Make sure to enable infix search by specifying \`infix: true\` in the schema.`,
      );
    }
    return [{ field, weight, infix }];
  });
};

const editDistance = (left: string, right: string, limit: number): number => {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let previous = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let at = 1; at <= right.length; at += 1) {
      const replaced = (previous[at - 1] ?? 0) + (left[row - 1] === right[at - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[at] ?? 0) + 1, (current[at - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[right.length] ?? limit + 1;
};

interface Candidate {
  readonly cost: number;
  readonly typed: number;
}

/** The tokens of a field that a typed one may stand for, with what each costs. */
const candidatesOf = (vocabulary: Iterable<string>, typed: string, prefix: boolean, typos: number): Map<string, Candidate> => {
  const found = new Map<string, Candidate>();
  for (const token of vocabulary) {
    if (token === typed) found.set(token, { cost: 0, typed: token.length });
    else if (prefix && token.startsWith(typed)) found.set(token, { cost: PREFIX_COST, typed: typed.length });
    else if (typos > 0) {
      const distance = editDistance(typed, token, typos);
      if (distance <= typos) found.set(token, { cost: TYPO_COST * distance, typed: token.length });
    }
  }
  return found;
};

const typosFor = (token: string, allowed: number): number => {
  if (token.length < MIN_LENGTH_ONE_TYPO) return 0;
  return Math.min(allowed, token.length < MIN_LENGTH_TWO_TYPOS ? 1 : MAX_TYPOS);
};

interface FieldMatch {
  /** One bit for each token of the query that was met. */
  readonly met: number;
  readonly score: bigint;
}

const NO_MATCH: FieldMatch = { met: 0, score: 0n };

const matchField = (
  values: TokenLists,
  candidates: readonly ReadonlyMap<string, Candidate>[],
  marksSynonyms: boolean,
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
    const spread = Math.max(...positions) - Math.min(...positions);
    const isExact = cost === 0 && positions.length === candidates.length && value.length === candidates.length;
    const words = BigInt(positions.length);
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
}

const lookUp = (
  { collection, features, prefix }: TokenSearch,
  { field, weight }: SearchedField,
  tokens: readonly string[],
  typos: number,
): LookedUpField => {
  const column = collection.indices.tokens(field);
  const candidates = tokens.map((token, at) => {
    const typed = field.stem ? stem(token) : token;
    return candidatesOf(column.vocabulary, typed, prefix && at === tokens.length - 1, typosFor(token, typos));
  });
  const matchLists = onceForEachList((values) => matchField(values, candidates, features.marksSynonyms));
  return { candidates, weight, match: (sequence) => matchLists(column.at(sequence) ?? NO_TOKENS) };
};

const scoreDocument = (fields: readonly LookedUpField[], sequence: number, tokenCount: number): bigint | undefined => {
  let best = 0n;
  let weight = 0;
  let count = 0;
  let met = 0;
  for (const field of fields) {
    const match = field.match(sequence);
    if (match.met === 0) continue;
    met |= match.met;
    count += 1;
    if (match.score > best) {
      best = match.score;
      ({ weight } = field);
    }
  }
  if (met !== (1 << tokenCount) - 1) return undefined;
  const fieldsMatched = BigInt(Math.min(MAX_FIELDS_COUNTED, count));
  return (BigInt(tokenCount) << TOKENS_BIT) | (best << FIELD_SCORE_BIT) | (BigInt(weight) << WEIGHT_BIT) | fieldsMatched;
};

/** What one way of reading the query finds: documents that have every token in one field or another. */
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
    const score = scoreDocument(lookedUp, sequence, tokens.length);
    if (score !== undefined) scores.set(sequence, score);
  }
  if (scores.size > 0) {
    for (const { candidates } of lookedUp) {
      for (const candidate of candidates) for (const [token, { typed }] of candidate) matched.set(token, typed);
    }
  }
  return scores;
};

const matchInfix = (collection: Collection, fields: readonly SearchedField[], text: string, matched: Map<string, number>) => {
  const scores = new Map<number, bigint>();
  for (const { field, infix } of fields) {
    if (!infix) continue;
    const column = collection.indices.tokens(field);
    const raw = collection.indices.lists(field.name);
    for (const sequence of collection.documents.sequences()) {
      const values = raw.at(sequence) ?? [];
      if (!values.some((value) => typeof value === 'string' && value.toLowerCase().includes(text))) continue;
      scores.set(sequence, UNMATCHED_SCORE);
      for (const tokens of column.at(sequence) ?? []) for (const token of tokens) matched.set(token, token.length);
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

export const matchText = (query: string, params: SearchParams, collection: Collection, features: Features): TextMatches => {
  const fields = readSearchedFields(params, collection);
  if (fields.length === 0) throw badRequest('No search fields specified for the query.');
  const parsed = parseQuery(query, collection.tokenizing);
  const tokens = parsed.tokens.slice(0, MAX_TOKENS);
  const search: TokenSearch = { collection, features, fields, prefix: flag(params, 'prefix', true) };
  const allowed = Math.min(MAX_TYPOS, number(params, 'num_typos', MAX_TYPOS));
  const matched = new Map<string, number>();
  let scores = new Map<number, bigint>();
  if (tokens.length === 0) {
    for (const sequence of collection.documents.sequences()) scores.set(sequence, UNMATCHED_SCORE);
  }
  for (let length = tokens.length; length > 0 && scores.size === 0; length -= 1) {
    for (let typos = 0; typos <= allowed && scores.size === 0; typos += 1) {
      scores = matchTokens(search, tokens.slice(0, length), typos, matched);
    }
  }
  const infixed = matchInfix(collection, fields, query.toLowerCase(), matched);
  for (const [sequence, score] of infixed) if (!scores.has(sequence)) scores.set(sequence, score);
  narrow(scores, parsed, fields, collection);
  return { scores, fields, matched, queryLength: Math.max(1, tokens.length) };
};

const MASK_BYTE = 0xffn;
const MASK_FIELDS = 7n;
const MASK_FIELD_SCORE = (1n << 48n) - 1n;

export interface ScoreParts {
  readonly bestFieldScore: bigint;
  readonly bestFieldWeight: number;
  readonly fieldsMatched: number;
  readonly tokensMatched: number;
  readonly typoPrefixScore: number;
}

export const scoreParts = (score: bigint): ScoreParts => {
  const bestFieldScore = (score >> FIELD_SCORE_BIT) & MASK_FIELD_SCORE;
  return {
    bestFieldScore,
    bestFieldWeight: Number((score >> WEIGHT_BIT) & MASK_BYTE),
    fieldsMatched: Number(score & MASK_FIELDS),
    tokensMatched: Number(score >> TOKENS_BIT),
    typoPrefixScore: MAX_COST - Number((bestFieldScore >> COST_BIT) & MASK_BYTE),
  };
};
