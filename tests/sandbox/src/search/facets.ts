import { badRequest, notFound } from '../errors.ts';
import { float, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { printShortFloat } from '../json/print.ts';
import { baseType, isNumericType } from '../schema/field.ts';
import type { Field } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';
import type { ListColumn } from '../store/columns.ts';
import type { Scalar } from '../store/indices.ts';
import type { Features } from '../versions.ts';
import { readFacetQuery } from './facetQuery.ts';
import { number } from './params.ts';
import type { SearchParams } from './params.ts';

const DEFAULT_MAX_VALUES = 10;
const NAME = /^[^()]+/;

interface Range {
  readonly label: string;
  readonly from: number;
  readonly to: number;
}

const readRanges = (expression: string): Range[] =>
  [...expression.matchAll(/([^,():]+):\s*\[([^,\]]*),([^\]]*)\]/g)].map(([, label = '', from = '', to = '']) => ({
    label: label.trim(),
    from: from.trim() === '' ? -Infinity : Number(from),
    to: to.trim() === '' ? Infinity : Number(to),
  }));

const splitFacets = (text: string): string[] =>
  text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

const readFacets = (params: SearchParams, collection: Collection): { field: Field; ranges: Range[] }[] =>
  splitFacets(params.get('facet_by') ?? '').flatMap((expression) => {
    const name = (NAME.exec(expression)?.[0] ?? '').trim();
    if (name.endsWith('*')) {
      const fields = [...collection.fields.values()].filter((field) => field.facet && field.name.startsWith(name.slice(0, -1)));
      return fields.map((field) => ({ field, ranges: [] }));
    }
    const field = collection.fields.get(name);
    if (field === undefined || !field.facet) throw notFound(`Could not find a facet field named \`${name}\` in the schema.`);
    const ranges = readRanges(expression.slice(name.length));
    if (ranges.length > 0 && !isNumericType(field.type))
      throw badRequest('Range facet is restricted to only integer and float fields.');
    return [{ field, ranges }];
  });

const label = (value: Scalar, field: Field): string =>
  typeof value === 'number' && baseType(field.type) === 'float' ? printShortFloat(Math.fround(value)) : String(value);

const statsOf = (values: readonly number[], total: number): JsonObject => {
  if (values.length === 0) return objectOf([['total_values', total]]);
  let sum = 0;
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    sum += value;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  return objectOf([
    ['avg', float(sum / values.length)],
    ['max', float(max)],
    ['min', float(min)],
    ['sum', float(sum)],
    ['total_values', total],
  ]);
};

/** The values of a column in the order the collection met them. */
const firstSeen = (column: ListColumn<Scalar>, collection: Collection, show: (value: Scalar) => string): Map<string, number> => {
  const ranks = new Map<Scalar, number>();
  for (const sequence of collection.documents.sequences()) {
    for (const value of column.at(sequence) ?? []) if (!ranks.has(value)) ranks.set(value, ranks.size);
  }
  return new Map([...ranks].map(([value, rank]) => [show(value), rank]));
};

interface Counted {
  readonly counts: ReadonlyMap<string, number>;
  readonly numbers: readonly number[];
}

/** Each document counts once for each of its values. */
const countValues = (
  sequences: Uint32Array,
  column: ListColumn<Scalar>,
  show: (value: Scalar) => string | undefined,
): Counted => {
  const counts = new Map<Scalar, number>();
  const numbers: number[] = [];
  for (const sequence of sequences) {
    const values = column.at(sequence);
    if (values === undefined) continue;
    for (const [at, value] of values.entries()) {
      if (typeof value === 'number' || typeof value === 'bigint') numbers.push(Number(value));
      if (at === 0 || values.indexOf(value) === at) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
  }
  const shown = new Map<string, number>();
  for (const [value, count] of counts) {
    const text = show(value);
    if (text !== undefined) shown.set(text, (shown.get(text) ?? 0) + count);
  }
  return { counts: shown, numbers };
};

const STRATEGIES = ['automatic', 'exhaustive', 'top_values'];

const checkFacets = (params: SearchParams, areAsked: boolean): void => {
  if (number(params, 'facet_sample_percent', 0) > 100) throw badRequest('Value of `facet_sample_percent` must be less than 100.');
  const strategy = params.get('facet_strategy') ?? 'automatic';
  if (areAsked && !STRATEGIES.includes(strategy)) throw badRequest(`Invalid facet index type: ${strategy}`);
};

/** Counts by value, the most frequent first; of equals, the value that was stored first. */
export const countFacets = (
  sequences: Uint32Array,
  params: SearchParams,
  collection: Collection,
  features: Features,
): JsonValue[] => {
  const limit = number(params, 'max_facet_values', DEFAULT_MAX_VALUES);
  const facets = readFacets(params, collection);
  checkFacets(params, facets.length > 0);
  const query = facets.length === 0 ? undefined : readFacetQuery(params, collection);
  if (query !== undefined && facets.every(({ field }) => field.name !== query.name))
    throw badRequest(`Facet query refers to a facet field \`${query.name}\` that is not part of \`facet_by\` parameter.`);
  return facets.map(({ field, ranges }) => {
    const column = collection.indices.lists(field.name);
    const show = (value: Scalar): string | undefined =>
      ranges.length === 0
        ? label(value, field)
        : ranges.find((range) => Number(value) >= range.from && Number(value) < range.to)?.label;
    const { counts, numbers } = countValues(sequences, column, show);
    const marked = query?.name === field.name ? query.mark([...counts.keys()]) : undefined;
    const all = [...counts].filter(([value]) => marked === undefined || marked.has(value));
    const hasTies = new Set(counts.values()).size < counts.size;
    const ranks = hasTies && ranges.length === 0 ? firstSeen(column, collection, (value) => label(value, field)) : undefined;
    const rank = (value: string): number => ranks?.get(value) ?? 0;
    const top = all.sort((left, right) => right[1] - left[1] || rank(left[0]) - rank(right[0])).slice(0, limit);
    const total = features.facetTotalIsLimited ? top.length : all.length;
    return objectOf([
      [
        'counts',
        top.map(([value, count]) =>
          objectOf([
            ['count', count],
            ['highlighted', marked?.get(value) ?? value],
            ['value', value],
          ]),
        ),
      ],
      ['field_name', field.name],
      ['sampled', false],
      ['stats', statsOf(isNumericType(field.type) ? numbers : [], total)],
    ]);
  });
};
