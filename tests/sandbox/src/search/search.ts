import { badRequest, notFound } from '../errors.ts';
import { FilterEvaluator } from '../filter/evaluate.ts';
import { print } from '../json/print.ts';
import type { CurationEffect } from '../curation/readCuration.ts';
import { readCuration } from '../curation/readCuration.ts';
import { curated, keptPins } from '../curation/curatedResult.ts';
import { placePins } from '../curation/placePins.ts';
import { float, objectOf } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';
import type { Collection } from '../store/collection.ts';
import type { Features } from '../versions.ts';
import { countFacets } from './facets.ts';
import { groupHits, readGrouping } from './group.ts';
import { highlight } from './highlight.ts';
import { list, readWindow } from './params.ts';
import type { SearchParams, Window } from './params.ts';
import { project, readProjection } from './projection.ts';
import type { Projection } from './projection.ts';
import { geoDistance, readSorts, sortSequences } from './sort.ts';
import type { SortKey } from './sort.ts';
import { NO_CONTEXT } from './searchContext.ts';
import type { SearchContext } from './searchContext.ts';
import { scoreParts } from './score.ts';
import { readSearchedFields } from './searchedFields.ts';
import { matchText } from './text.ts';
import type { TextMatches } from './textMatches.ts';
import { nearest, readVectorQuery } from './vector.ts';

const EVERYTHING = '*';
const MAX_CACHED_KEY = 2000;
const FACET_PARAMS = ['facet_by', 'facet_query', 'facet_query_num_typos', 'max_facet_values'] as const;
/** Everything beside the query that decides what it finds. */
const MATCH_PARAMS = [
  'query_by',
  'infix',
  'prefix',
  'num_typos',
  'typo_tokens_threshold',
  'min_len_1typo',
  'min_len_2typo',
  'drop_tokens_threshold',
  'drop_tokens_mode',
  'enable_synonyms',
  'synonym_prefix',
  'synonym_num_typos',
] as const;

export interface SearchResult {
  readonly text: string;
  readonly found: number;
  readonly shown: number;
  /** Documents passed over to reach the page: what makes deep pages slow. */
  readonly skipped: number;
  readonly sorts: readonly SortKey[];
  /** Whether the first thing sorted by is a string. */
  readonly textSorted: boolean;
}

const SHARED_PLACE_SCORES =
  ',"text_match":-1,"text_match_info":{"best_field_score":"281474976710655","best_field_weight":255,"fields_matched":7,' +
  '"num_tokens_dropped":0,"score":"18446744073709551615","tokens_matched":15,"typo_prefix_score":0}';

const NOTHING_PINNED: ReadonlySet<number> = new Set();

interface Found {
  /** With what is pinned. */
  readonly order: Uint32Array;
  /** Without. */
  readonly unpinned: Uint32Array;
  readonly pinned: ReadonlySet<number>;
  readonly pins: CurationEffect['pins'];
  readonly curation: CurationEffect | undefined;
  readonly sorts: readonly SortKey[];
  readonly text: TextMatches | undefined;
  readonly distances: ReadonlyMap<number, number> | undefined;
}

const allSequences = (collection: Collection): Uint32Array => {
  const cached = collection.orders.get('all');
  if (cached !== undefined) return cached;
  const all = Uint32Array.from(collection.documents.sequences());
  collection.orders.set('all', all);
  return all;
};

export const defaultSorts = (collection: Collection): SortKey[] =>
  collection.defaultSortingField === ''
    ? []
    : [{ by: 'field', field: collection.defaultSortingField, descending: true, missing: 'last' }];

const completeSorts = (given: readonly SortKey[], collection: Collection, text: boolean, vector: boolean): SortKey[] => {
  if (given.length > 0) return text && given.length < 3 ? [...given, { by: 'text', descending: true }] : [...given];
  if (vector) return [{ by: 'vector', descending: false }];
  return text ? [{ by: 'text', descending: true }, ...defaultSorts(collection)] : defaultSorts(collection);
};

const isKeyedByText = (sorts: readonly SortKey[]): boolean => sorts.some(({ by }) => by === 'text' || by === 'vector');

/** Answers one search over one collection, as a real server of that version would. */
export class Search {
  readonly #collection: Collection;
  readonly #features: Features;
  readonly #params: SearchParams;
  readonly #context: SearchContext;

  constructor(collection: Collection, features: Features, params: SearchParams, context: SearchContext = NO_CONTEXT) {
    this.#collection = collection;
    this.#features = features;
    this.#params = params;
    this.#context = context;
  }

  run(): SearchResult {
    const params = this.#params;
    const query = params.get('q') ?? (this.#context.assumesQuery === true ? '' : undefined);
    if (query === undefined) throw badRequest('Parameter `q` is required.');
    const window = readWindow(params);
    const projection = readProjection(
      this.#collection,
      list(params, 'include_fields'),
      list(params, 'exclude_fields'),
      this.#features.includeStarIsSchemaOnly,
    );
    const found = this.#find(query, window);
    const facets = this.#facets(found.order);
    const grouping = readGrouping(params, this.#collection);
    const head = `{"facet_counts":${facets},`;
    const tail = this.#tail(query, window, found.curation);
    const show = (sequence: number): string => this.#hit(sequence, found, projection);
    if (grouping !== undefined) {
      const { groups, total } = groupHits(found.unpinned, grouping, this.#collection, window, found.pins);
      const shown = groups.map(({ found: count, hits, key }) => {
        const counted = count === 0 ? '' : `"found":${count},`;
        return `{${counted}"group_key":${print(key)},"hits":[${hits.map(show).join(',')}]}`;
      });
      const text = `${head}"found":${total},"found_docs":${found.unpinned.length},"grouped_hits":[${shown.join(',')}],${tail}`;
      return { ...this.#measures(found, window), text, shown: groups.length };
    }
    const hits: string[] = [];
    for (const sequence of found.order.subarray(window.from, window.from + window.perPage)) hits.push(show(sequence));
    const text = `${head}"found":${found.order.length},"hits":[${hits.join(',')}],${tail}`;
    return { ...this.#measures(found, window), text, shown: hits.length };
  }

  /** An order that is still remembered has the counts it had before. */
  #facets(order: Uint32Array): string {
    const key = FACET_PARAMS.map((name) => this.#params.get(name) ?? '').join('\n');
    const { facetTexts } = this.#collection;
    const known = facetTexts.get(order)?.get(key);
    if (known !== undefined) return known;
    const text = print(countFacets(order, this.#params, this.#collection, this.#features));
    facetTexts.set(order, (facetTexts.get(order) ?? new Map<string, string>()).set(key, text));
    return text;
  }

  #measures({ order, sorts }: Found, window: Window): Omit<SearchResult, 'text' | 'shown'> {
    const [first] = sorts;
    const textSorted = first?.by === 'field' && this.#collection.fields.get(first.field)?.type === 'string';
    return { found: order.length, skipped: Math.min(window.from, order.length), sorts, textSorted };
  }

  #tail(query: string, window: Window, curation: CurationEffect | undefined): string {
    const request = objectOf([
      ['collection_name', this.#collection.name],
      ['first_q', query],
      ['per_page', window.perPage],
      ['q', query],
    ]);
    const where = window.page === undefined ? '' : `"page":${window.page},`;
    const offset = window.offset === undefined ? '' : `"offset":${window.offset},`;
    const total = `"out_of":${this.#collection.documents.count},`;
    const metadata = curation?.metadata === undefined ? '' : `"metadata":${print(curation.metadata)},`;
    return `${metadata}${offset}${total}${where}"request_params":${print(request)},"search_cutoff":false,"search_time_ms":0}`;
  }

  #find(asked: string, window: Window): Found {
    const params = this.#params;
    const curation = readCuration(asked, params, this.#collection, this.#features, this.#context.rules);
    const query = curation?.query ?? asked;
    const sortText = (curation?.sortBy ?? '') || (params.get('sort_by') ?? '');
    const given = readSorts(sortText, this.#collection, this.#features);
    const matched = new FilterEvaluator(this.#collection, this.#features).matches(params.get('filter_by') ?? '');
    let sequences = matched ?? allSequences(this.#collection);
    const pins = curation === undefined ? [] : keptPins(curation, sequences);
    if (curation !== undefined) sequences = curated(sequences, curation, pins);
    let text: TextMatches | undefined;
    if (query === EVERYTHING) {
      readSearchedFields(params, this.#collection);
    } else {
      text = this.#matched(query);
      const { scores } = text;
      sequences = sequences.filter((sequence) => scores.has(sequence));
    }
    const vectorText = params.get('vector_query');
    let distances: Map<number, number> | undefined;
    if (vectorText !== undefined && vectorText !== '') {
      const near = nearest(readVectorQuery(vectorText, this.#collection, window.perPage), sequences, this.#collection);
      distances = near;
      sequences = sequences.filter((sequence) => near.has(sequence));
    }
    const sorts = completeSorts(given, this.#collection, text !== undefined, distances !== undefined);
    const unpinned = this.#ordered(sequences, sorts, text, distances, curation !== undefined);
    const { order, pinned } = pins.length === 0 ? { order: unpinned, pinned: NOTHING_PINNED } : placePins(unpinned, pins);
    return { order, unpinned, pinned, pins, curation, sorts, text, distances };
  }

  #matched(query: string): TextMatches {
    const params = this.#params;
    const key = [query, JSON.stringify(this.#context.synonyms), ...MATCH_PARAMS.map((name) => params.get(name) ?? '')].join('\n');
    const cached = this.#collection.textMatches.get(key);
    if (cached !== undefined) return cached;
    const matches = matchText(query, params, this.#collection, this.#features, this.#context.synonyms);
    if (key.length <= MAX_CACHED_KEY) this.#collection.textMatches.set(key, matches);
    return matches;
  }

  #ordered(
    sequences: Uint32Array,
    sorts: readonly SortKey[],
    text: TextMatches | undefined,
    distances: ReadonlyMap<number, number> | undefined,
    isCurated: boolean,
  ): Uint32Array {
    const scores = { text: text?.scores, vector: distances };
    const sort = (): Uint32Array => sortSequences(sequences, sorts, this.#collection, this.#features, scores);
    const filter = this.#params.get('filter_by') ?? '';
    const key = `order\n${JSON.stringify(sorts)}\n${filter}`;
    if (isCurated || text !== undefined || distances !== undefined || isKeyedByText(sorts) || key.length > MAX_CACHED_KEY)
      return sort();
    const cached = this.#collection.orders.get(key);
    if (cached !== undefined) return cached;
    const order = sort();
    this.#collection.orders.set(key, order);
    return order;
  }

  #hit(sequence: number, found: Found, projection: Projection | undefined): string {
    const { documents } = this.#collection;
    const stored = documents.text(sequence) ?? '{}';
    const { text } = found;
    let document = stored;
    let marks = '"highlight":{},"highlights":[]';
    if (projection !== undefined || text !== undefined) {
      const whole = (projection === undefined ? documents.scanned(sequence, false) : documents.parsed(sequence)) ?? {};
      const shown = projection === undefined ? whole : project(whole, projection);
      if (projection !== undefined) document = print(shown);
      if (text !== undefined) {
        const { list: entries, tree } = highlight(shown, sequence, text, this.#collection, this.#params);
        const v1 = this.#params.get('enable_highlight_v1') === 'false' ? '' : `,"highlights":${print(entries)}`;
        marks = `"highlight":${print(tree)}${v1}`;
      }
    }
    const isPinned = found.pinned.has(sequence);
    const curatedMark = isPinned ? '"curated":true,' : '';
    return `{${curatedMark}"document":${document},${this.#geoDistances(sequence, found.sorts)}${marks}${this.#scoreMarks(sequence, found)}}`;
  }

  /** A pinned hit has no score; one that shares the place of another has one that no search gives. */
  #scoreMarks(sequence: number, found: Found): string {
    if (found.pinned.has(sequence)) return '';
    return found.pins.some(({ sequences }) => sequences.includes(sequence)) ? SHARED_PLACE_SCORES : this.#scores(sequence, found);
  }

  #geoDistances(sequence: number, sorts: readonly SortKey[]): string {
    const distances: [string, JsonValue][] = [];
    for (const key of sorts) {
      if (key.by !== 'geo') continue;
      const metres = geoDistance(key, this.#collection, sequence);
      if (metres !== undefined) distances.push([key.field, Math.trunc(metres)]);
    }
    return distances.length === 0 ? '' : `"geo_distance_meters":${print(objectOf(distances))},`;
  }

  #scores(sequence: number, { distances, text }: Found): string {
    let shown = '';
    const score = text?.scores.get(sequence);
    if (score !== undefined && text !== undefined) {
      const parts = scoreParts(score);
      const info = objectOf([
        ['best_field_score', String(parts.bestFieldScore)],
        ['best_field_weight', parts.bestFieldWeight],
        ['fields_matched', parts.fieldsMatched],
        ['num_tokens_dropped', text.queryLength - parts.tokensMatched],
        ['score', String(score)],
        ['tokens_matched', parts.tokensMatched],
        ['typo_prefix_score', parts.typoPrefixScore],
      ]);
      shown += `,"text_match":${score},"text_match_info":${print(info)}`;
    }
    const distance = distances?.get(sequence);
    if (distance !== undefined) shown += `,"vector_distance":${print(float(distance))}`;
    return shown;
  }
}

export const requireCollection = (collection: Collection | undefined, features: Features): Collection => {
  if (collection === undefined) throw notFound(features.searchNotFound);
  return collection;
};
