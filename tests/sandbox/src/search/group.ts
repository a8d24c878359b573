import { badRequest, notFound } from '../errors.ts';
import type { JsonValue } from '../json/value.ts';
import type { CurationEffect } from '../curation/readCuration.ts';
import type { Collection } from '../store/collection.ts';
import { DEFAULT_GROUP_LIMIT, list, number } from './params.ts';
import type { SearchParams, Window } from './params.ts';

const MAX_GROUP_LIMIT = 99;

export interface Grouping {
  readonly fields: readonly string[];
  readonly limit: number;
}

export interface Group {
  readonly key: JsonValue[];
  readonly found: number;
  readonly hits: readonly number[];
}

export const readGrouping = (params: SearchParams, collection: Collection): Grouping | undefined => {
  const fields = list(params, 'group_by');
  if (fields.length === 0) return undefined;
  const limit = number(params, 'group_limit', DEFAULT_GROUP_LIMIT);
  if (limit < 1 || limit > MAX_GROUP_LIMIT)
    throw badRequest(`Value of \`group_limit\` must be between 1 and ${MAX_GROUP_LIMIT}.`);
  for (const name of fields) {
    const field = collection.fields.get(name);
    if (field === undefined) throw notFound(`Could not find a field named \`${name}\` in the schema.`);
    if (!field.facet) throw badRequest(`Group by field \`${name}\` should be a facet field.`);
  }
  return { fields, limit };
};

interface Gathered {
  readonly key: JsonValue[];
  found: number;
  readonly hits: number[];
}

/** A group with a pinned hit is at its position, the pinned hit first; the group that was found follows inside it. */
const placePinnedGroups = (
  found: readonly Group[],
  pins: CurationEffect['pins'],
  limit: number,
  keyOf: (sequence: number) => JsonValue[],
): Group[] => {
  const made = pins.flatMap(({ position, sequences }) => {
    const [first] = sequences;
    if (first === undefined) return [];
    const key = keyOf(first);
    const same = found.find((group) => JSON.stringify(group.key) === JSON.stringify(key));
    const hits = [...sequences, ...(same?.hits ?? [])].slice(0, limit);
    return [{ position, same, group: { key, hits, found: same?.found ?? 0 } }];
  });
  const waiting = [...made];
  const placed: Group[] = [];
  const placeNext = (): void => {
    for (let [pin] = waiting; pin?.position === placed.length + 1; [pin] = waiting) {
      placed.push(pin.group);
      waiting.shift();
    }
  };
  for (const group of found) {
    if (made.some(({ same }) => same === group)) continue;
    placeNext();
    placed.push(group);
  }
  return [...placed, ...waiting.map(({ group }) => group)];
};

/** Groups in the order their first document has; documents without a value are one group. */
export const groupHits = (
  order: Uint32Array,
  grouping: Grouping,
  collection: Collection,
  window: Window,
  pins: CurationEffect['pins'] = [],
): { groups: Group[]; total: number } => {
  const keyOf = (sequence: number): JsonValue[] => columns.flatMap((column) => column.at(sequence) ?? []);
  const columns = grouping.fields.map((name) => collection.indices.lists(name));
  const groups = new Map<string, Gathered>();
  for (const sequence of order) {
    const values = columns.map((column) => column.at(sequence) ?? []);
    const id = JSON.stringify(values.map((list) => list.map(String)));
    let group = groups.get(id);
    if (group === undefined) {
      group = { key: values.flat(), found: 0, hits: [] };
      groups.set(id, group);
    }
    group.found += 1;
    if (group.hits.length < grouping.limit) group.hits.push(sequence);
  }
  const total = groups.size + pins.length;
  const placed = placePinnedGroups([...groups.values()], pins, grouping.limit, keyOf);
  return { groups: placed.slice(window.from, window.from + window.perPage), total };
};
