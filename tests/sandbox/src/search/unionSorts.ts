import { badRequest } from '../errors.ts';
import type { Collection } from '../store/collection.ts';
import type { Features } from '../versions.ts';
import type { SearchParams } from './params.ts';
import { defaultSorts } from './search.ts';
import { readSorts } from './sort.ts';
import type { SortKey } from './sort.ts';

interface UnionSort {
  readonly name: string;
  readonly type: string;
  readonly descending: boolean;
}

const TIES: readonly UnionSort[] = [
  { name: '_union_search_index', type: 'union_query_order', descending: false },
  { name: '_seq_id', type: 'insertion_order', descending: true },
];
/** More sorts leave no room for those of the union. */
const MOST_WITH_TIES = 1;

const describe = (key: SortKey, collection: Collection): UnionSort => {
  const { descending } = key;
  switch (key.by) {
    case 'field':
      return { name: key.field, type: `${collection.fields.get(key.field)?.type ?? 'string'}_field`, descending };
    case 'geo':
      return { name: key.field, type: 'geopoint_field', descending };
    case 'text':
      return { name: '_text_match', type: 'string_field', descending };
    case 'vector':
      return { name: '_vector_distance', type: 'vector_search', descending };
    default:
      return { name: `_${key.by}`, type: key.by, descending };
  }
};

const sortsOf = (params: SearchParams, collection: Collection, features: Features): UnionSort[] => {
  const given = readSorts(params.get('sort_by') ?? '', collection, features);
  const unsorted: SortKey[] = params.has('vector_query') ? [{ by: 'vector', descending: false }] : defaultSorts(collection);
  const sorts = (given.length > 0 ? given : unsorted).map((key) => describe(key, collection));
  return sorts.length > MOST_WITH_TIES ? sorts : [...sorts, ...TIES];
};

const listed = (sorts: readonly UnionSort[]): string => `{${sorts.map(({ name, type }) => `\`${name}: ${type}\``).join(', ')}}`;
const orderOf = ({ descending }: UnionSort): string => (descending ? 'DESC' : 'ASC');

/** The searches of a union have to sort by as many fields, of the same types and in the same orders. */
export const checkUnionSorts = (
  requests: readonly SearchParams[],
  collections: readonly Collection[],
  features: Features,
): void => {
  const all = collections.map((collection, at) => sortsOf(requests[at] ?? new Map<string, string>(), collection, features));
  const [first = [], ...others] = all;
  for (const [index, sorts] of others.entries()) {
    const at = index + 1;
    if (sorts.length !== first.length) {
      throw badRequest(
        'Expected size of `sort_by` parameter of all searches to be equal. The first union search sorts on ' +
          `${listed(first)} but the search at index \`${at}\` sorts on ${listed(sorts)}.`,
      );
    }
    for (const [place, sort] of sorts.entries()) {
      const wanted = first[place];
      if (wanted === undefined) continue;
      const same = (what: string, own: string, other: string): string =>
        `Expected ${what} of \`${sort.name}\` sort_by (${own}) at search index \`${at}\` to be the same as ` +
        `the ${what} of \`${wanted.name}\` sort_by (${other}) at search index \`0\`.`;
      if (sort.type !== wanted.type) throw badRequest(same('type', sort.type, wanted.type));
      if (sort.descending !== wanted.descending) throw badRequest(same('order', orderOf(sort), orderOf(wanted)));
    }
  }
};
