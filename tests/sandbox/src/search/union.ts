import { ApiError, notFound } from '../errors.ts';
import type { Engine } from '../engine.ts';
import { print } from '../json/print.ts';
import { isArrayType } from '../schema/field.ts';
import { objectOf } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';
import type { Collection } from '../store/collection.ts';
import { readWindow } from './params.ts';
import type { SearchParams } from './params.ts';
import { Search } from './search.ts';
import type { Ranked } from './search.ts';
import { geoDistance } from './sort.ts';
import type { SortKey } from './sort.ts';
import { checkUnionSorts } from './unionSorts.ts';

/** A document of one of the searches. */
interface Entry {
  readonly at: number;
  readonly sequence: number;
}

type SortValue = number | bigint | string | undefined;

const valueOf = (key: SortKey, sequence: number, { collection, found }: Ranked): SortValue => {
  switch (key.by) {
    case 'field': {
      if (collection.fields.get(key.field)?.type === 'string') return collection.indices.sortTexts(key.field).at(sequence);
      const column = collection.indices.numbers(key.field);
      if (!column.has(sequence)) return undefined;
      return column.isExact ? column.exactAt(sequence) : column.at(sequence);
    }
    case 'text':
      return found.text?.scores.get(sequence) ?? 0n;
    case 'vector':
      return found.distances?.get(sequence);
    case 'geo':
      return geoDistance(key, collection, sequence);
    case 'sequence':
      return sequence;
    default:
      return 0;
  }
};

/** By the sorts of each search; of equals the earlier search comes first, and of its documents the newest. */
const compareEntries = (ranked: readonly Ranked[]) => {
  const keys = ranked.map(({ found }) => found.sorts);
  return (left: Entry, right: Entry): number => {
    const [leftKeys = [], rightKeys = []] = [keys[left.at], keys[right.at]];
    const [leftRanked, rightRanked] = [ranked[left.at], ranked[right.at]];
    if (leftRanked === undefined || rightRanked === undefined) return 0;
    for (const [index, leftKey] of leftKeys.entries()) {
      const rightKey = rightKeys[index];
      if (rightKey === undefined) break;
      const leftValue = valueOf(leftKey, left.sequence, leftRanked);
      const rightValue = valueOf(rightKey, right.sequence, rightRanked);
      if (leftValue === rightValue) continue;
      if (leftValue === undefined || rightValue === undefined) return leftValue === undefined ? 1 : -1;
      const order = leftValue < rightValue ? -1 : leftValue > rightValue ? 1 : 0;
      if (order !== 0) return leftKey.descending ? -order : order;
    }
    return left.at - right.at || right.sequence - left.sequence;
  };
};

/** From version 30 either all of them group or none does. */
const checkGroups = ({ features }: Engine, requests: readonly SearchParams[]): void => {
  const grouped = requests.filter((params) => (params.get('group_by') ?? '') !== '').length;
  if (!features.sets || grouped === 0 || grouped === requests.length) return;
  throw new ApiError(400, 'Invalid group_by searches count. All searches with union search should be uniform.');
};

const requireNamed = (engine: Engine, params: SearchParams): Collection => {
  const name = params.get('collection') ?? '';
  const collection = engine.collection(name);
  if (collection === undefined) throw notFound(`\`${name}\` collection not found.`);
  return collection;
};

/** Each pinned document at its position in the whole list, which only version 30 shows. */
const withPins = (entries: readonly Entry[], ranked: readonly Ranked[]): Entry[] => {
  const waiting = ranked
    .flatMap(({ found }, at) =>
      found.pins.flatMap(({ position, sequences }) => sequences.map((sequence) => ({ position, at, sequence }))),
    )
    .sort((left, right) => left.position - right.position || left.at - right.at);
  const placed: Entry[] = [];
  for (const entry of [...entries, undefined]) {
    for (let [pin] = waiting; pin !== undefined && (entry === undefined || pin.position <= placed.length + 1); [pin] = waiting) {
      placed.push(pin);
      waiting.shift();
    }
    if (entry !== undefined) placed.push(entry);
  }
  return placed;
};

/** Of a document that several searches found, the first place stays. */
const withoutDuplicates = (entries: readonly Entry[], ranked: readonly Ranked[]): Entry[] => {
  const met = new Set<string>();
  return entries.filter(({ at, sequence }) => {
    const key = `${ranked[at]?.collection.name ?? ''}\n${sequence}`;
    return met.has(key) ? false : met.add(key);
  });
};

const groupKey = ({ collection, groups }: Ranked, sequence: number): JsonValue[] =>
  (groups?.[0]?.fields ?? []).flatMap((name): JsonValue[] => {
    const values: JsonValue[] = [...(collection.indices.lists(name).at(sequence) ?? [])];
    const isList = isArrayType(collection.fields.get(name)?.type ?? 'string');
    return isList && values.length > 0 ? [values] : values;
  });

/**
 * The searches as one list: theirs have to sort alike, and of equals the first search comes first.
 *
 * @param address - the parameters of the query, which alone say what page of the list is shown
 */
export const unionSearch = (
  engine: Engine,
  requests: readonly SearchParams[],
  address: SearchParams,
  removesDuplicates: boolean,
): string => {
  try {
    const { features } = engine;
    const collections = requests.map((params) => requireNamed(engine, params));
    checkUnionSorts(requests, collections, features);
    const { from, perPage } = readWindow(address);
    checkGroups(engine, requests);
    const ranked = requests.map((params, at) => {
      const collection = collections[at];
      if (collection === undefined) throw notFound(features.searchNotFound);
      return new Search(collection, features, params, engine.searchContext(collection)).ranked();
    });
    const everything = ranked
      .flatMap(({ found, groups }, at): Entry[] => {
        const sequences = groups === undefined ? [...found.unpinned] : groups.flatMap(({ hits: [first] }) => first ?? []);
        return sequences.map((sequence) => ({ at, sequence }));
      })
      .sort(compareEntries(ranked));
    const isGrouped = features.sets && ranked.some(({ groups }) => groups !== undefined);
    const entries = features.sets && removesDuplicates && !isGrouped ? withoutDuplicates(everything, ranked) : everything;
    const dropped = everything.length - entries.length;
    const placed = features.sets ? withPins(entries, ranked) : entries;
    const show = ({ at, sequence }: Entry): string => {
      const { collection, print: printHit } = ranked[at] ?? {};
      const hit = printHit?.(sequence) ?? '{}';
      return `{"collection":${print(collection?.name ?? '')},${hit.slice(1, -1)},"search_index":${at}}`;
    };
    const shown = placed.slice(from, from + perPage);
    const totals = new Map(collections.map(({ documents, name }) => [name, documents.count]));
    const counts = ranked.map(({ found, groups }) =>
      isGrouped ? (groups?.length ?? 0) : groups === undefined ? found.order.length : found.unpinned.length,
    );
    const params = requests.map((request, at) => {
      const count = counts[at] ?? 0;
      const query = request.get('q') ?? '';
      // Left out of a search of which nothing is in the list, though it found something.
      const hidesFirst = count > 0 && !placed.some((entry) => entry.at === at);
      return objectOf([
        [features.sets ? 'collection_name' : 'collection', collections[at]?.name ?? ''],
        ...(hidesFirst ? [] : [['first_q', query] as const]),
        ['found', count],
        ['per_page', perPage],
        ['q', query],
      ]);
    });
    const groupOf = (entry: Entry): string => {
      const own = ranked[entry.at];
      const group = own?.groups?.find(({ hits }) => hits[0] === entry.sequence);
      const key = own === undefined ? [] : groupKey(own, entry.sequence);
      return `{"found":${group?.found ?? 0},"group_key":${print(key)},"hits":[${show(entry)}]}`;
    };
    const found = counts.reduce((sum, count) => sum + count, 0) - dropped;
    const list = isGrouped
      ? `"found":${found},"found_docs":${entries.length},"grouped_hits":[${shown.map(groupOf).join(',')}]`
      : `"found":${found},"hits":[${shown.map(show).join(',')}]`;
    const outOf = [...totals.values()].reduce((sum, count) => sum + count, 0);
    const page = Number(address.get('page') ?? 0);
    return (
      `{${list},"out_of":${outOf},"page":${page},"search_cutoff":false,"search_time_ms":0,` +
      `"union_request_params":${print(params)}}`
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
