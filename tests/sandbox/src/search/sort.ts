import { ApiError, badRequest, notFound } from '../errors.ts';
import { FilterEvaluator } from '../filter/evaluate.ts';
import { SORT_RADIUS_METRES, distanceMetres } from '../filter/geo.ts';
import { isArrayType, isNumericType } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';
import type { Point } from '../store/indices.ts';
import { MersenneTwister } from './mersenneTwister.ts';
import type { Features } from '../versions.ts';

export type MissingValues = 'first' | 'last' | 'normal';

export type SortKey =
  | { readonly by: 'field'; readonly field: string; readonly descending: boolean; readonly missing: MissingValues }
  | {
      readonly by: 'geo';
      readonly field: string;
      readonly descending: boolean;
      readonly origin: Point;
      readonly precision: number;
    }
  | { readonly by: 'random'; readonly seed: number; readonly descending: boolean }
  | { readonly by: 'filter'; readonly clauses: readonly { filter: string; score: number }[]; readonly descending: boolean }
  | { readonly by: 'text' | 'vector' | 'sequence'; readonly descending: boolean };

const MAX_SORT_FIELDS = 3;
const MAX_SEED = 4294967296;
const SMALLEST_INT64 = -(2n ** 63n);
const METRES = { km: 1000, mi: 1609.34 } as const;

/** Splits at commas outside parentheses and backticks. */
const splitSorts = (text: string): string[] => {
  const parts: string[] = [];
  let depth = 0;
  let inTicks = false;
  let buffer = '';
  for (const char of text) {
    if (char === '`') inTicks = !inTicks;
    if (!inTicks && '(['.includes(char)) depth += 1;
    if (!inTicks && ')]'.includes(char)) depth -= 1;
    if (char === ',' && depth === 0 && !inTicks) {
      parts.push(buffer);
      buffer = '';
    } else {
      buffer += char;
    }
  }
  if (depth !== 0) throw badRequest('Parameter `sort_by` is malformed.');
  return [...parts, buffer].map((part) => part.trim()).filter((part) => part !== '');
};

const readDirection = (name: string, text: string): boolean => {
  const order = text.trim().toUpperCase();
  if (order !== 'ASC' && order !== 'DESC') throw badRequest(`Order for field\` ${name}\` should be either ASC or DESC.`);
  return order === 'DESC';
};

const unsortable = (name: string): Error => notFound(`Could not find a field named \`${name}\` in the schema for sorting.`);

const badSyntax = (name: string): Error => badRequest(`Bad syntax for sorting field \`${name}\``);

const readGeo = (field: string, args: string, descending: boolean): SortKey => {
  const wrong = badSyntax(field);
  const [latitude, longitude, ...options] = args.split(',').map((part) => part.trim());
  const origin = { latitude: Number(latitude), longitude: Number(longitude) };
  if (!Number.isFinite(origin.latitude) || !Number.isFinite(origin.longitude)) throw wrong;
  let precision = 0;
  for (const option of options) {
    const match = /^(?:precision|exclude_radius)\s*:\s*([0-9.]+)\s*([a-z]+)$/.exec(option);
    if (match === null) throw wrong;
    if (match[2] !== 'km' && match[2] !== 'mi') throw badRequest("Sort field's parameter unit must be either `km` or `mi`.");
    const unit = match[2] === 'mi' ? 'mi' : 'km';
    if (option.startsWith('precision')) precision = Number(match[1]) * METRES[unit];
  }
  return { by: 'geo', field, descending, origin, precision };
};

const readEvaluation = (args: string, descending: boolean): SortKey => {
  if (args.trim() === '') throw badRequest('The eval expression in sort_by is empty.');
  const weighted = /^\s*\[(.*)\]\s*$/s.exec(args);
  if (weighted === null) return { by: 'filter', descending, clauses: [{ filter: args.trim(), score: 1 }] };
  const clauses = (weighted[1] ?? '').split(/,(?=\s*\()/).map((clause) => {
    const match = /^\s*\((.*)\)\s*:\s*([0-9]+)\s*$/s.exec(clause);
    if (match === null) throw badRequest('Parameter `sort_by` is malformed.');
    return { filter: match[1] ?? '', score: Number(match[2]) };
  });
  return { by: 'filter', descending, clauses };
};

const readFieldSort = (name: string, args: string | undefined, descending: boolean, collection: Collection): SortKey => {
  const field = collection.fields.get(name);
  if (field === undefined || !field.sort || !field.index) throw unsortable(name);
  if (field.type === 'geopoint' || field.type === 'geopoint[]') return readGeo(name, args ?? '', descending);
  if (isArrayType(field.type) || !(isNumericType(field.type) || field.type === 'bool' || field.type === 'string')) {
    throw unsortable(name);
  }
  if (args === undefined) return { by: 'field', field: name, descending, missing: 'last' };
  if (/^\s*decay\s*:/.test(args)) throw badRequest('sort_by: decay param should be float.');
  const missing = /^\s*missing_values\s*:\s*(first|last|normal)\s*$/.exec(args)?.[1];
  if (missing !== 'first' && missing !== 'last' && missing !== 'normal') throw badSyntax(name);
  return { by: 'field', field: name, descending, missing };
};

const readTextMatch = (args: string | undefined, descending: boolean): SortKey => {
  const options = (args ?? '').split(',').filter((part) => part.trim() !== '');
  if (options.length > 1) throw badRequest('Invalid sorting parameter passed for _text_match.');
  const [, value = '1'] = (options[0] ?? '').split(':');
  if (!/^\s*[0-9]+\s*$/.test(value))
    throw badRequest('Invalid value passed for _text_match `buckets` or `bucket_size` configuration.');
  return { by: 'text', descending };
};

const readSeed = (args: string | undefined): number => {
  const text = args?.trim() ?? '';
  if (text === '') return Math.floor(Math.random() * MAX_SEED);
  if (!/^[0-9]+$/.test(text)) throw badRequest('Only positive integer seed value is allowed.');
  return Number(text);
};

/** Sorts nothing: what it is asked of has no value anywhere. */
const IN_NO_ORDER: SortKey = { by: 'filter', descending: false, clauses: [] };

/** A joined field isn't a sort key; a missing collection is reported. */
const readJoinedSort = (name: string, collection: Collection): SortKey => {
  if (collection.others(name) === undefined) throw badRequest(`Referenced collection \`${name}\` in \`sort_by\` not found.`);
  return IN_NO_ORDER;
};

const readSort = (expression: string, collection: Collection, features: Features): SortKey => {
  const colon = expression.lastIndexOf(':');
  const isJoined = expression.startsWith('$');
  const isCut = colon === -1 || (!isJoined && expression.slice(colon).includes(')'));
  if (isCut) throw badRequest('Parameter `sort_by` is malformed.');
  const target = isJoined && expression.endsWith(')') ? expression.trim() : expression.slice(0, colon).trim();
  const call = /^([^(]+)\((.*)\)$/s.exec(target);
  const name = (call?.[1] ?? target).trim();
  const args = call?.[2];
  const isRandom = name === '_rand' && features.randomSort;
  const [, other] = /^\$(.+)$/.exec(name) ?? [];
  if (other !== undefined) return readJoinedSort(other, collection);
  if (!name.startsWith('_') && !collection.fields.has(name)) throw unsortable(name);
  const descending = readDirection(name, expression.slice(colon + 1));
  if (name === '_text_match') return readTextMatch(args, descending);
  if (name === '_vector_distance') return { by: 'vector', descending };
  if (name === '_union_search_index') return IN_NO_ORDER;
  if (name === '_vector_query') throw badRequest('Malformed vector query string: `:` is missing.');
  if (name === '_group_found') throw notFound('group_by parameters should not be empty when using sort_by group_found');
  if (name === '_seq_id') return { by: 'sequence', descending };
  if (name === '_eval') return readEvaluation(args ?? '', descending);
  if (isRandom) return { by: 'random', descending, seed: readSeed(args) };
  return readFieldSort(name, args, descending, collection);
};

export const readSorts = (text: string, collection: Collection, features: Features): SortKey[] => {
  const parts = splitSorts(text);
  if (parts.length > MAX_SORT_FIELDS) throw badRequest(`Only upto ${MAX_SORT_FIELDS} sort fields are allowed.`);
  return parts.map((part) => readSort(part, collection, features));
};

export interface Scores {
  readonly text: ReadonlyMap<number, bigint> | undefined;
  readonly vector: ReadonlyMap<number, number> | undefined;
}

type Compare = (left: number, right: number) => number;

const directed = (compare: Compare, descending: boolean): Compare =>
  descending ? (left, right) => compare(right, left) : compare;

const fieldCompare = (key: Extract<SortKey, { by: 'field' }>, collection: Collection): Compare => {
  const isText = collection.fields.get(key.field)?.type === 'string';
  const numbers = isText ? undefined : collection.indices.numbers(key.field);
  const texts = isText ? collection.indices.sortTexts(key.field) : undefined;
  // Real servers sort the smallest int64 as if it were missing: they mark what is missing with it.
  const isMark = (sequence: number): boolean => key.missing === 'last' && numbers?.exactAt(sequence) === SMALLEST_INT64;
  const has = (sequence: number): boolean =>
    numbers === undefined ? texts?.at(sequence) !== undefined : numbers.has(sequence) && !isMark(sequence);
  const compareValues: Compare = (left, right) => {
    if (numbers !== undefined) return numbers.compare(left, right);
    const leftText = texts?.at(left) ?? '';
    const rightText = texts?.at(right) ?? '';
    return leftText < rightText ? -1 : leftText > rightText ? 1 : 0;
  };
  const compare = directed(compareValues, key.descending);
  const missingFirst = key.missing === 'first' || (key.missing === 'normal' && !key.descending);
  return (left, right) => {
    const hasLeft = has(left);
    const hasRight = has(right);
    if (hasLeft && hasRight) return compare(left, right);
    if (hasLeft === hasRight) return 0;
    return hasLeft === missingFirst ? 1 : -1;
  };
};

export const geoDistance = (
  key: Extract<SortKey, { by: 'geo' }>,
  collection: Collection,
  sequence: number,
): number | undefined => {
  const points = collection.indices.points(key.field).at(sequence);
  if (points === undefined) return undefined;
  const nearest = Math.min(...points.map((point) => distanceMetres(point, key.origin, SORT_RADIUS_METRES)));
  return key.precision > 0 ? Math.ceil(nearest / key.precision) * key.precision : nearest;
};

const scoreCompare = (score: (sequence: number) => number): Compare => {
  const scores = new Map<number, number>();
  const cached = (sequence: number): number => {
    const known = scores.get(sequence);
    if (known !== undefined) return known;
    const made = score(sequence);
    scores.set(sequence, made);
    return made;
  };
  return (left, right) => {
    const leftScore = cached(left);
    const rightScore = cached(right);
    return leftScore < rightScore ? -1 : leftScore > rightScore ? 1 : 0;
  };
};

/** Dealt out in the order the documents were stored. */
const randomScores = (seed: number, sequences: Uint32Array): Map<number, number> => {
  const random = new MersenneTwister(seed);
  return new Map(Array.from(sequences.toSorted(), (sequence) => [sequence, random.next()]));
};

const matchedBy = (evaluator: FilterEvaluator, filter: string): ReadonlySet<number> => {
  try {
    return new Set(evaluator.matches(filter));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw badRequest('Error parsing eval expression in sort_by clause.');
  }
};

const compareBy = (key: SortKey, sequences: Uint32Array, collection: Collection, features: Features, scores: Scores): Compare => {
  switch (key.by) {
    case 'field':
      return fieldCompare(key, collection);
    case 'geo':
      return directed(
        scoreCompare((sequence) => geoDistance(key, collection, sequence) ?? (key.descending ? -1 : Infinity)),
        key.descending,
      );
    case 'random': {
      const dealt = randomScores(key.seed, sequences);
      return directed((left, right) => (dealt.get(left) ?? 0) - (dealt.get(right) ?? 0), key.descending);
    }
    case 'filter': {
      const evaluator = new FilterEvaluator(collection, features);
      const clauses = key.clauses.map(({ filter, score }) => ({ matched: matchedBy(evaluator, filter), score }));
      return directed(
        scoreCompare((sequence) => clauses.find(({ matched }) => matched.has(sequence))?.score ?? 0),
        key.descending,
      );
    }
    case 'text':
      return directed((left, right) => {
        const leftScore = scores.text?.get(left) ?? 0n;
        const rightScore = scores.text?.get(right) ?? 0n;
        return leftScore < rightScore ? -1 : leftScore > rightScore ? 1 : 0;
      }, key.descending);
    case 'vector':
      return directed(
        scoreCompare((sequence) => scores.vector?.get(sequence) ?? Infinity),
        key.descending,
      );
    default:
      return directed((left, right) => left - right, key.descending);
  }
};

/** Ties go to the document that was stored last. */
export const sortSequences = (
  sequences: Uint32Array,
  keys: readonly SortKey[],
  collection: Collection,
  features: Features,
  scores: Scores,
): Uint32Array => {
  const compares = keys.map((key) => compareBy(key, sequences, collection, features, scores));
  const [first, ...others] = compares;
  if (first === undefined) return sequences.toReversed();
  const compare: Compare = (left, right) => {
    const result = first(left, right);
    if (result !== 0) return result;
    for (const other of others) {
      const next = other(left, right);
      if (next !== 0) return next;
    }
    return right - left;
  };
  return sequences.toSorted(compare);
};
