import { badRequest, notFound } from '../errors.ts';
import { float, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { printFloat } from '../json/print.ts';
import { baseType, isNumericType } from '../schema/field.ts';
import type { Field } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';
import type { ListColumn } from '../store/columns.ts';
import type { Scalar } from '../store/indices.ts';
import type { Features } from '../versions.ts';
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

export const readFacets = (params: SearchParams, collection: Collection): { field: Field; ranges: Range[] }[] =>
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

const label = (value: Scalar, field: Field): string => {
  if (typeof value === 'number' && baseType(field.type) === 'float') {
    const text = printFloat(Number(Math.fround(value).toPrecision(7)));
    return text.endsWith('.0') ? text.slice(0, -2) : text;
  }
  return String(value);
};

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
  const ranks = new Map<string, number>();
  for (const sequence of collection.documents.sequences()) {
    for (const value of column.at(sequence) ?? []) {
      const shown = show(value);
      if (!ranks.has(shown)) ranks.set(shown, ranks.size);
    }
  }
  return ranks;
};

/** Counts by value, the most frequent first; of equals, the value that was stored first. */
export const countFacets = (
  sequences: Uint32Array,
  params: SearchParams,
  collection: Collection,
  features: Features,
): JsonValue[] => {
  const limit = number(params, 'max_facet_values', DEFAULT_MAX_VALUES);
  const ordered = sequences.toSorted();
  const query = /^([^:]+):(.*)$/s.exec(params.get('facet_query') ?? '');
  return readFacets(params, collection).map(({ field, ranges }) => {
    const column = collection.indices.lists(field.name);
    const counts = new Map<string, number>();
    const numbers: number[] = [];
    for (const sequence of ordered) {
      const seen = new Set<string>();
      for (const value of column.at(sequence) ?? []) {
        if (typeof value === 'number' || typeof value === 'bigint') numbers.push(Number(value));
        const shown =
          ranges.length === 0
            ? label(value, field)
            : ranges.find((range) => Number(value) >= range.from && Number(value) < range.to)?.label;
        if (shown !== undefined) seen.add(shown);
      }
      for (const shown of seen) counts.set(shown, (counts.get(shown) ?? 0) + 1);
    }
    const wanted = query?.[1]?.trim() === field.name ? (query[2] ?? '').trim().toLowerCase() : '';
    const all = [...counts].filter(([value]) => wanted === '' || value.toLowerCase().includes(wanted));
    const ranks = firstSeen(column, collection, (value) => label(value, field));
    const rank = (value: string): number => ranks.get(value) ?? 0;
    const top = all.sort((left, right) => right[1] - left[1] || rank(left[0]) - rank(right[0])).slice(0, limit);
    const total = features.facetTotalIsLimited ? top.length : counts.size;
    return objectOf([
      [
        'counts',
        top.map(([value, count]) =>
          objectOf([
            ['count', count],
            ['highlighted', value],
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
