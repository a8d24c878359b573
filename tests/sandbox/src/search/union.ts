import { ApiError } from '../errors.ts';
import type { Engine } from '../engine.ts';
import { print } from '../json/print.ts';
import { parse } from '../json/parse.ts';
import { isInteger, isObject, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { readWindow } from './params.ts';
import type { SearchParams } from './params.ts';
import { Search, defaultSorts, requireCollection } from './search.ts';
import { readSorts } from './sort.ts';
import type { SortKey } from './sort.ts';

const describe = (key: SortKey, types: (name: string) => string): string => {
  switch (key.by) {
    case 'field':
      return `\`${key.field}: ${types(key.field)}_field\``;
    case 'geo':
      return `\`${key.field}: geopoint_field\``;
    case 'text':
      return '`_text_match: text_match`';
    case 'vector':
      return '`_vector_distance: vector_distance`';
    default:
      return `\`_${key.by}: ${key.by}\``;
  }
};

const sortsOf = (engine: Engine, params: SearchParams): string[] => {
  const collection = requireCollection(engine.collection(params.get('collection') ?? ''), engine.features);
  const given = readSorts(params.get('sort_by') ?? '', collection, engine.features);
  const keys = given.length > 0 ? given : defaultSorts(collection);
  const types = (name: string): string => collection.fields.get(name)?.type ?? 'string';
  return [...keys.map((key) => describe(key, types)), '`_union_search_index: union_query_order`', '`_seq_id: insertion_order`'];
};

const numberAt = (source: JsonObject, name: string): number => {
  const value = source[name];
  return isInteger(value) ? Number(value) : 0;
};

/** From version 30 either all of them group or none does. */
const checkGroups = ({ features }: Engine, requests: readonly SearchParams[]): void => {
  const grouped = requests.filter((params) => (params.get('group_by') ?? '') !== '').length;
  if (!features.sets || grouped === 0 || grouped === requests.length) return;
  throw new ApiError(400, 'Invalid group_by searches count. All searches with union search should be uniform.');
};

/** The searches as one list: theirs have to sort alike, and the first search comes first. */
export const unionSearch = (engine: Engine, requests: readonly SearchParams[], removesDuplicates: boolean): string => {
  try {
    const [first = [], ...others] = requests.map((params) => sortsOf(engine, params));
    others.forEach((sorts, at) => {
      if (sorts.length === first.length) return;
      throw new ApiError(
        400,
        'Expected size of `sort_by` parameter of all searches to be equal. The first union search sorts on ' +
          `{${first.join(', ')}} but the search at index \`${at + 1}\` sorts on {${sorts.join(', ')}}.`,
      );
    });
    const { from, perPage } = readWindow(requests[0] ?? new Map());
    checkGroups(engine, requests);
    const drops = engine.features.sets && removesDuplicates;
    const met = new Set<string>();
    const totals = new Map<string, number>();
    const hits: JsonValue[] = [];
    const asked: JsonValue[] = [];
    let found = 0;
    requests.forEach((params, at) => {
      const collection = requireCollection(engine.collection(params.get('collection') ?? ''), engine.features);
      const whole = new Map([...params, ['page', '1'], ['per_page', '250']]);
      const result = parse(new Search(collection, engine.features, whole, engine.searchContext(collection)).run().text);
      if (!isObject(result)) return;
      found += numberAt(result, 'found');
      totals.set(collection.name, numberAt(result, 'out_of'));
      let shown = 0;
      const own = result['hits'];
      for (const hit of Array.isArray(own) ? own : []) {
        if (!isObject(hit)) continue;
        const document = hit['document'];
        const id = isObject(document) ? document['id'] : undefined;
        const key = `${collection.name}\n${print(id ?? null)}`;
        if (drops && id !== undefined && met.has(key)) {
          found -= 1;
          continue;
        }
        met.add(key);
        shown += 1;
        hits.push(objectOf([...Object.entries(hit), ['collection', collection.name], ['search_index', at]]));
      }
      const query = params.get('q') ?? '';
      // Version 30 leaves the first query out of a search of which nothing but duplicates was found.
      const hidesFirst = drops && shown === 0 && numberAt(result, 'found') > 0;
      asked.push(
        objectOf([
          [engine.features.sets ? 'collection_name' : 'collection', collection.name],
          ...(hidesFirst ? [] : [['first_q', query] as const]),
          ['found', numberAt(result, 'found')],
          ['per_page', readWindow(params).perPage],
          ['q', query],
        ]),
      );
    });
    return print(
      objectOf([
        ['found', found],
        ['hits', hits.slice(from, from + perPage)],
        ['out_of', [...totals.values()].reduce((sum, count) => sum + count, 0)],
        ['page', Number(requests[0]?.get('page') ?? 0)],
        ['search_cutoff', false],
        ['search_time_ms', 0],
        ['union_request_params', asked],
      ]),
    );
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return print(
      objectOf([
        ['code', error.status],
        ['error', error.message],
      ]),
    );
  }
};
