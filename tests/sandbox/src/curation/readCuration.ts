import { FilterEvaluator } from '../filter/evaluate.ts';
import { ApiError, badRequest } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { DEFAULT_GROUP_LIMIT, flag, list, number } from '../search/params.ts';
import type { SearchParams } from '../search/params.ts';
import type { Collection } from '../store/collection.ts';
import type { Features } from '../versions.ts';
import { curate } from './curate.ts';
import type { Curated } from './curate.ts';
import { applyFilterRules } from './filterRules.ts';
import type { CurationRule } from './rule.ts';

/** Places are in ascending order of their positions. */
export interface PinnedPlace {
  readonly position: number;
  readonly sequences: readonly number[];
}

/** The effect of rules, pinned hits and hidden hits on one search, in the sequence numbers of its collection. */
export interface CurationEffect {
  readonly query: string;
  /** Filters of rules, each with what it matches. */
  readonly matches: readonly Uint32Array[];
  readonly hidden: ReadonlySet<number>;
  readonly pins: readonly PinnedPlace[];
  /** How many of a place are pinned: one, or as many as a group shows. */
  readonly perPlace: number;
  readonly filtersPins: boolean;
  readonly sortBy: string;
  readonly metadata: JsonObject | undefined;
}

const readPinnedHits = (params: SearchParams): { id: string; position: number }[] =>
  list(params, 'pinned_hits').flatMap((pair) => {
    const colon = pair.lastIndexOf(':');
    if (colon === -1) return [];
    const position = pair.slice(colon + 1);
    if (!/^[0-9]+$/.test(position)) throw badRequest('Pinned hits are not in expected format.');
    if (Number(position) === 0) throw badRequest('Pinned hits must start from position 1.');
    return [{ id: pair.slice(0, colon), position: Number(position) }];
  });

/** The server keeps positions without a sign. */
const unsigned = (position: number): number => (position < 0 ? position + 2 ** 64 : position);

const nothing = (query: string): Curated => ({
  query,
  pins: new Map(),
  hidden: new Set(),
  filtering: [],
  filtersPins: false,
  sortBy: '',
  metadata: undefined,
});

/** A document is pinned once, at the first of its positions. */
const placed = (
  curated: Curated,
  params: SearchParams,
  collection: Collection,
  hidden: ReadonlySet<number>,
  perPlace: number,
): PinnedPlace[] => {
  const named = [...curated.pins].flatMap(([position, ids]) => ids.map((id) => ({ id, position: unsigned(position) })));
  const places = Map.groupBy([...named, ...readPinnedHits(params)], ({ position }) => position);
  const known = new Set(hidden);
  return [...places]
    .sort(([left], [right]) => left - right)
    .flatMap(([position, pins]) => {
      const sequences = pins.flatMap(({ id }) => collection.documents.sequenceOf(id) ?? []).filter((found) => !known.has(found));
      const distinct = [...new Set(sequences)];
      for (const sequence of distinct.slice(0, perPlace)) known.add(sequence);
      return distinct.length === 0 ? [] : [{ position, sequences: distinct }];
    });
};

/** Undefined where nothing curates the search. */
export const readCuration = (
  query: string,
  params: SearchParams,
  collection: Collection,
  features: Features,
  rules: readonly CurationRule[],
): CurationEffect | undefined => {
  const isOn = rules.length > 0 && flag(params, features.curationSwitch, true);
  if (!isOn && !params.has('pinned_hits') && !params.has('hidden_hits')) return undefined;
  const { tokenizing } = collection;
  const filter = params.get('filter_by') ?? '';
  const tags = list(params, features.curationTags);
  const curated = isOn
    ? curate(rules, { query, filter, tags, tokenizing, sortsUnmatched: features.unmatchedRulesSort })
    : nothing(query);
  const evaluator = new FilterEvaluator(collection, features);
  const matchesOf = (text: string): Uint32Array | undefined => {
    try {
      return evaluator.matches(text);
    } catch (error) {
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  };
  const filtered = applyFilterRules(curated.filtering, curated.query, collection, (text) => matchesOf(text) !== undefined);
  const ids = [...list(params, 'hidden_hits'), ...curated.hidden];
  const isGrouped = (params.get('group_by') ?? '') !== '';
  const perPlace = isGrouped ? Math.max(1, number(params, 'group_limit', DEFAULT_GROUP_LIMIT)) : 1;
  const hidden = new Set(ids.flatMap((id) => collection.documents.sequenceOf(id) ?? []));
  return {
    query: filtered.query,
    matches: filtered.filters.flatMap((text) => matchesOf(text) ?? []),
    hidden,
    pins: placed(curated, params, collection, hidden, perPlace),
    perPlace,
    filtersPins: curated.filtersPins || flag(params, 'filter_curated_hits', false),
    sortBy: curated.sortBy,
    metadata: curated.metadata ?? filtered.metadata,
  };
};
