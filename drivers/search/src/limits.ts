import { has } from './versions.ts';

/**
 * Where a figure comes from: `measured` on servers of 29.0 and 30.0-dev, `recorded` from 26.0, 27.1 and 28.0, `documented` by the server's
 * reference or its issues, `assumed` where none of these says anything.
 */
export type LimitSource = 'measured' | 'recorded' | 'documented' | 'assumed';

/** A limit from one version on. */
export interface LimitSince {
  readonly since: number;
  readonly most: number;
  readonly source: LimitSource;
}

/** A limit of the server, and what moves it. */
export interface Limit {
  /** The limited parameter or part of a request. */
  readonly of: string;
  /** The oldest version first. */
  readonly byVersion: readonly LimitSince[];
  /** The option of the server that sets another limit, higher or lower, and the first version that has it. */
  readonly option?: { readonly name: string; readonly since: number; readonly source: LimitSource };
  /** The parameter of a request that sets another limit, what the driver sends in it, and the first version that has it. */
  readonly parameter?: { readonly name: string; readonly value?: number; readonly since: number; readonly source: LimitSource };
}

const everywhere = (most: number, older: LimitSource = 'recorded'): readonly LimitSince[] => [
  { since: 26, most, source: older },
  { since: 29, most, source: 'measured' },
];

/** The largest number that the server's parameters take. */
const LARGEST = 4_294_967_295;

/**
 * Limits of the server by version. The driver keeps to them, and learns a lower limit from the server's rejection (see `SearchClient`).
 */
export const LIMITS = {
  /** More is 422 “Only upto 250 hits can be fetched per page.”; in a union it is only cut off. */
  hitsPerSearch: {
    of: 'per_page and limit',
    byVersion: everywhere(250),
    option: { name: '--max-per-page', since: 27.01, source: 'documented' },
  },
  /** More is 400 for all of them. */
  searchesPerRequest: {
    of: 'searches of one POST /multi_search',
    byVersion: everywhere(50),
    parameter: { name: 'limit_multi_searches', since: 26, source: 'measured' },
  },
  /** More is 400. `GET …/documents/export` took 60,000 characters on 29.0 and 30.0-dev; nothing is known of older servers. */
  queryCharacters: { of: 'characters in the query of GET …/documents/search', byVersion: everywhere(4_000) },
  /** A fourth is 400. */
  sortFields: { of: 'fields in sort_by', byVersion: everywhere(3) },
  /** More is 400. A list counts as one, however long it is: 5,000 values were tried. */
  filterOperations: {
    of: 'operations in filter_by',
    byVersion: everywhere(100, 'documented'),
    option: { name: '--filter-by-max-ops', since: 27.01, source: 'documented' },
  },
  /** More, and 0, is 400. */
  groupLimit: {
    of: 'group_limit',
    byVersion: everywhere(99, 'documented'),
    option: { name: '--max-group-limit', since: 29, source: 'documented' },
  },
  /**
   * The words that a filter for a beginning (`title:ab*`) is compared with: the word itself, then the most frequent ones. Documents that
   * have none of them are silently left out. Exports, changes and deletions by such a filter find nothing, with and without the
   * parameter (29.0, 30.0-dev).
   */
  wordsByBeginning: {
    of: 'words that a filter with * is compared with',
    byVersion: everywhere(4, 'documented'),
    parameter: { name: 'max_filter_by_candidates', value: LARGEST, since: 28, source: 'documented' },
  },
  /** The values that `facet_query` finds. 1,000 take 0.3 s among 100,000, and 100,000 take 44 s. */
  valuesByFacetQuery: {
    of: 'values that facet_query is compared with',
    byVersion: everywhere(10, 'assumed'),
    parameter: { name: 'max_candidates', value: 1_000, since: 26, source: 'measured' },
  },
  /** Not limited by the server: 100,000 were asked for, and all 700 there were came. So many are enough for a list to choose from. */
  facetValues: { of: 'max_facet_values', byVersion: everywhere(250, 'assumed') },
  /** `page`, `offset` and every other unsigned parameter; more is 400. A page beyond the last document is empty. */
  unsigned: { of: 'page, offset and other whole numbers', byVersion: everywhere(LARGEST, 'assumed') },
} as const satisfies Readonly<Record<string, Limit>>;

/**
 * The limit that holds for a version: that of the newest line which is not newer, also for versions that came later. Where the server hides
 * its version, the lowest of all lines.
 */
export function limitFor({ byVersion }: Limit, version?: number): number {
  const known = version === undefined ? undefined : byVersion.findLast(({ since }) => has(version, { since }));
  return known?.most ?? Math.min(...byVersion.map(({ most }) => most));
}
