import { badRequest } from '../errors.ts';
import { isNumber, toNumber } from '../json/value.ts';
import { valueAt } from '../schema/flatten.ts';
import type { Collection } from '../store/collection.ts';

const DEFAULT_K = 10;
const TINY = 1e-30;

export interface VectorQuery {
  readonly field: string;
  readonly values: readonly number[];
  readonly k: number;
  readonly threshold: number;
}

interface OptionRule {
  readonly name: string;
  readonly isGood: (value: string) => boolean;
  readonly wanted: string;
}

const INTEGER = /^[0-9]+$/;
const FLOAT = /^-?[0-9]+(?:\.[0-9]+)?$/;

const OPTIONS: readonly OptionRule[] = [
  { name: 'k', isGood: (value) => INTEGER.test(value), wanted: 'an integer' },
  {
    name: 'alpha',
    isGood: (value) => FLOAT.test(value) && Number(value) >= 0 && Number(value) <= 1,
    wanted: 'a float between 0.0-1.0',
  },
  { name: 'distance_threshold', isGood: (value) => FLOAT.test(value), wanted: 'a float' },
  { name: 'flat_search_cutoff', isGood: (value) => INTEGER.test(value), wanted: 'an integer' },
  { name: 'ef', isGood: (value) => INTEGER.test(value) && Number(value) > 0, wanted: 'a positive integer' },
];

const optionOf = (rest: string, name: string): string | undefined =>
  new RegExp(`(?:^|,)\\s*${name}\\s*:\\s*([^,]*)`).exec(rest)?.[1]?.trim();

const checkOptions = (rest: string, malformed: (why: string) => Error): void => {
  const count = (name: string): number | undefined =>
    new RegExp(`${name}\\s*:\\s*\\[([^\\]]*)\\]`).exec(rest)?.[1]?.split(',').length;
  const queries = count('queries');
  const weights = count('query_weights');
  if (weights !== undefined && queries !== weights) throw malformed('`queries` and `query_weights` must be of the same length');
  if (queries !== undefined) throw badRequest('`queries` parameter is only supported for auto-embedding fields.');
  for (const { isGood, name, wanted } of OPTIONS) {
    const value = optionOf(rest, name);
    if (value !== undefined && !isGood(value)) throw malformed(`\`${name}\` parameter must be ${wanted}`);
  }
};

/** The vector of the document that an empty query names. */
const valuesOf = (rest: string, field: string, collection: Collection): number[] => {
  const id = optionOf(rest, 'id');
  if (id === undefined) throw badRequest('When a vector query value is empty, an `id` parameter must be present.');
  const sequence = collection.documents.sequenceOf(id);
  const document = sequence === undefined ? undefined : collection.documents.parsed(sequence);
  if (document === undefined) throw badRequest('Document id referenced in vector query is not found.');
  const value = valueAt(document, field);
  return Array.isArray(value) ? value.filter(isNumber).map(toNumber) : [];
};

export const readVectorQuery = (text: string, collection: Collection, perPage: number): VectorQuery => {
  const malformed = (why?: string): Error => badRequest(`Malformed vector query string${why === undefined ? '' : `: ${why}`}.`);
  if (!text.includes(':')) throw malformed('`:` is missing');
  const match = /^\s*([^:\s]+)\s*:\s*\(\s*\[([^\]]*)\]\s*(.*?)\)?\s*$/s.exec(text);
  if (match === null) throw malformed();
  const [, name = '', list = '', rest = ''] = match;
  const field = collection.fields.get(name);
  if (field === undefined || field.numDim === 0) throw badRequest(`Field \`${name}\` does not have a vector query index.`);
  checkOptions(rest, malformed);
  const values = list.trim() === '' ? valuesOf(rest, field.name, collection) : list.split(',').map(Number);
  if (values.some((value) => !Number.isFinite(value))) throw malformed('one of the vector values is not a float');
  if (values.length !== field.numDim) throw badRequest(`Query field \`${name}\` must have ${field.numDim} dimensions.`);
  const k = /\bk\s*:\s*([0-9]+)/.exec(rest)?.[1];
  const threshold = /\bdistance_threshold\s*:\s*([0-9.]+)/.exec(rest)?.[1];
  return {
    field: name,
    values,
    k: k === undefined || Number(k) === 0 ? Math.max(DEFAULT_K, perPage) : Number(k),
    threshold: threshold === undefined ? Infinity : Number(threshold),
  };
};

/** In single precision, as the server keeps its vectors. */
const normalised = (values: readonly number[]): number[] => {
  let sum = 0;
  for (const value of values) sum = Math.fround(sum + Math.fround(Math.fround(value) * Math.fround(value)));
  const scale = Math.fround(1 / Math.fround(Math.fround(Math.sqrt(sum)) + TINY));
  return values.map((value) => Math.fround(Math.fround(value) * scale));
};

const distance = (left: readonly number[], right: readonly number[]): number => {
  let dot = 0;
  left.forEach((value, at) => {
    dot = Math.fround(dot + Math.fround(value * (right[at] ?? 0)));
  });
  return Math.abs(Math.fround(1 - dot));
};

/** The nearest documents among those given, by cosine distance. */
export const nearest = (query: VectorQuery, sequences: Iterable<number>, collection: Collection): Map<number, number> => {
  const wanted = normalised(query.values);
  const found: [number, number][] = [];
  for (const sequence of sequences) {
    const document = collection.documents.scanned(sequence, false);
    const value = document === undefined ? undefined : valueAt(document, query.field);
    if (!Array.isArray(value) || !value.every(isNumber)) continue;
    const apart = distance(wanted, normalised(value.map(toNumber)));
    if (apart <= query.threshold) found.push([sequence, apart]);
  }
  return new Map(found.sort((left, right) => left[1] - right[1]).slice(0, query.k));
};
