import { badRequest, notFound } from '../errors.ts';
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

export const readVectorQuery = (text: string, collection: Collection, perPage: number): VectorQuery => {
  const malformed = badRequest('Malformed vector query string.');
  const match = /^\s*([^:\s]+)\s*:\s*\(\s*\[([^\]]*)\]\s*(.*)\)\s*$/s.exec(text);
  if (match === null) throw malformed;
  const [, name = '', list = '', rest = ''] = match;
  const field = collection.fields.get(name);
  if (field === undefined || field.numDim === 0) throw notFound(`Field \`${name}\` does not have a vector query index.`);
  const values = list
    .split(',')
    .filter((part) => part.trim() !== '')
    .map(Number);
  if (values.some((value) => !Number.isFinite(value))) throw malformed;
  if (values.length !== field.numDim) throw badRequest(`Query field \`${name}\` must have ${field.numDim} dimensions.`);
  const k = /\bk\s*:\s*([0-9]+)/.exec(rest)?.[1];
  const threshold = /\bdistance_threshold\s*:\s*([0-9.]+)/.exec(rest)?.[1];
  return {
    field: name,
    values,
    k: k === undefined ? Math.max(DEFAULT_K, perPage) : Number(k),
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
