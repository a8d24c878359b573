import { badRequest, notFound } from '../errors.ts';
import { DEFAULT_CANDIDATES, FilterEvaluator } from '../filter/evaluate.ts';
import { print } from '../json/print.ts';
import type { CurationEffect } from '../curation/readCuration.ts';
import { readCuration } from '../curation/readCuration.ts';
import { curated, filteredPins } from '../curation/curatedResult.ts';
import { placePins } from '../curation/placePins.ts';
import { objectOf } from '../json/value.ts';
import type { Collection } from '../store/collection.ts';
import type { Features } from '../versions.ts';
import { countFacets } from './facets.ts';
import { groupHits, readGrouping } from './group.ts';
import type { Group } from './group.ts';
import { Hits } from './hits.ts';
import type { Found } from './hits.ts';
import { readIncludes } from '../joins/include.ts';
import type { Includes } from '../joins/include.ts';
import { Joiner } from '../joins/joiner.ts';
import { number, readWindow } from './params.ts';
import type { SearchParams, Window } from './params.ts';
import { readProjection } from './projection.ts';
import { readSorts, sortSequences } from './sort.ts';
import type { SortKey } from './sort.ts';
import { NO_CONTEXT } from './searchContext.ts';
import type { SearchContext } from './searchContext.ts';
import { readSearchedFields } from './searchedFields.ts';
import { matchText } from './text.ts';
import type { TextMatches } from './textMatches.ts';
import { nearest, readVectorQuery } from './vector.ts';

const EVERYTHING = '*';
const MAX_CACHED_KEY = 2000;
const FACET_PARAMS = ['facet_by', 'facet_query', 'facet_query_num_typos', 'max_facet_values'] as const;
/** Everything beside the query that decides what it finds. */
const MATCH_PARAMS = [
  'query_by_weights',
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

const NOTHING_PINNED: ReadonlySet<number> = new Set();

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

const UNSIGNED_PARAMS = ['search_cutoff_ms', 'max_candidates', 'max_filter_by_candidates'];
const DROP_MODE = /^(?:right_to_left|left_to_right|both_sides:[0-9]+)$/;

/** Parameters that are checked though nothing here uses them. */
const checkParams = (params: SearchParams, { stopwords }: SearchContext): void => {
  for (const name of UNSIGNED_PARAMS) number(params, name, 0);
  if (!DROP_MODE.test(params.get('drop_tokens_mode') ?? 'right_to_left'))
    throw badRequest('Invalid format for drop tokens mode.');
  if (params.has('voice_query'))
    throw badRequest('Voice query is not enabled. Please set `voice_query_model` for this collection.');
  const words = params.get('stopwords');
  if (words !== undefined && stopwords?.has(words) !== true)
    throw notFound(`Could not find the stopword set named \`${words}\`.`);
};

const EVERY_HIT: Window = { perPage: 4294967295, from: 0, page: 1, offset: undefined };

/** The result of one search of a union. */
export interface Ranked {
  readonly collection: Collection;
  readonly found: Found;
  readonly groups: readonly (Group & { readonly fields: readonly string[] })[] | undefined;
  readonly print: (sequence: number) => string;
}

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
    checkParams(params, this.#context);
    const window = readWindow(params);
    const includes = readIncludes(params.get('include_fields') ?? '');
    const excludes = readIncludes(params.get('exclude_fields') ?? '');
    const projection = readProjection(this.#collection, includes.fields, excludes.fields, this.#features.includeStarIsSchemaOnly);
    const joiner = this.#joiner(includes.joined, excludes.joined);
    const found = this.#find(query, window);
    const facets = this.#facets(found.order);
    const grouping = readGrouping(params, this.#collection);
    const head = `{"facet_counts":${facets},`;
    const tail = this.#tail(query, window, found.curation);
    const printer = new Hits(this.#collection, params, found, { projection, joiner });
    const show = (sequence: number): string => printer.print(sequence);
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
    const end = Math.min(window.from + window.perPage, number(params, 'limit_hits', Infinity));
    for (const sequence of found.order.subarray(Math.min(window.from, end), end)) hits.push(show(sequence));
    const text = `${head}"found":${found.order.length},"hits":[${hits.join(',')}],${tail}`;
    return { ...this.#measures(found, window), text, shown: hits.length };
  }

  /** The result of a search, for a union with others: all hits, their groups, and how a hit is printed. */
  ranked(): Ranked {
    const params = this.#params;
    const query = params.get('q') ?? '';
    checkParams(params, this.#context);
    const includes = readIncludes(params.get('include_fields') ?? '');
    const excludes = readIncludes(params.get('exclude_fields') ?? '');
    const projection = readProjection(this.#collection, includes.fields, excludes.fields, this.#features.includeStarIsSchemaOnly);
    const found = this.#find(query, EVERY_HIT);
    const grouping = readGrouping(params, this.#collection);
    const printer = new Hits(this.#collection, params, found, {
      projection,
      joiner: this.#joiner(includes.joined, excludes.joined),
    });
    const groups = grouping === undefined ? undefined : groupHits(found.unpinned, grouping, this.#collection, EVERY_HIT).groups;
    return {
      collection: this.#collection,
      found,
      groups: groups?.map((group) => ({ ...group, fields: grouping?.fields ?? [] })),
      print: (sequence) => printer.print(sequence),
    };
  }

  /** Undefined where nothing is joined. */
  #joiner(joined: Includes['joined'], excluded: Includes['joined']): Joiner | undefined {
    const filter = this.#params.get('filter_by') ?? '';
    if (joined.length === 0 && !filter.includes('$')) return undefined;
    const joiner = new Joiner(this.#collection, this.#features, filter, joined, excluded);
    return joiner.isIdle ? undefined : joiner;
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
    if (given.some(({ by }) => by === 'vector') && !params.has('vector_query')) {
      throw notFound('sort_by vector_distance is only supported for vector queries, semantic search and hybrid search.');
    }
    const candidates = this.#features.filterCandidates
      ? number(params, 'max_filter_by_candidates', DEFAULT_CANDIDATES)
      : undefined;
    const matched = new FilterEvaluator(this.#collection, this.#features, candidates).matches(params.get('filter_by') ?? '');
    let sequences = matched ?? allSequences(this.#collection);
    const pins = curation === undefined ? [] : filteredPins(curation, sequences);
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
    if (
      isCurated ||
      filter.includes('$') ||
      text !== undefined ||
      distances !== undefined ||
      isKeyedByText(sorts) ||
      key.length > MAX_CACHED_KEY
    )
      return sort();
    const cached = this.#collection.orders.get(key);
    if (cached !== undefined) return cached;
    const order = sort();
    this.#collection.orders.set(key, order);
    return order;
  }
}

export const requireCollection = (collection: Collection | undefined, features: Features): Collection => {
  if (collection === undefined) throw notFound(features.searchNotFound);
  return collection;
};
