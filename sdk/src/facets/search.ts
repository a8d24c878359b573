import type { CallOptions } from '../callOptions.ts';
import type { DriverTextList, DriverTexts } from '../model/driverText.ts';
import type { Filter } from '../model/filter.ts';
import type { RowKey } from '../model/rowKey.ts';
import type { DroppedSort, Sort } from '../model/sort.ts';
import type { TableRef } from '../model/table.ts';
import type { DescribedRequest } from './console.ts';

/** A column that words are looked for in. */
export interface SearchField {
  /** The column's name. */
  readonly name: string;
  /** Whether a search looks in it when the person has chosen nothing. */
  readonly isDefault: boolean;
}

/** The value of an option: a boolean for `switch`, a whole number for `number`, a text for `text` and `choice`. */
export type SearchOptionValue = boolean | number | string;

interface OptionFacts {
  /** The name of its value in {@link SearchRequest.options}; 1 to 40 letters, digits, `_` and `-`, each once in a form. */
  readonly id: string;
  /** A few words, shown beside the control. */
  readonly label: string;
  /** One sentence, shown below it. */
  readonly help?: string;
  /** A heading; options with the same one are shown together, in the order of the list. */
  readonly group: string;
  /** Its texts in other languages. */
  readonly texts?: DriverTexts;
}

/** One option of a ranked search. `default` is how the database searches when nothing is sent. */
export type SearchOption =
  | (OptionFacts & { readonly type: 'switch'; readonly default: boolean })
  | (OptionFacts & { readonly type: 'number'; readonly default: number; readonly minimum: number; readonly maximum: number })
  | (OptionFacts & { readonly type: 'text'; readonly default: string })
  | (OptionFacts & {
      readonly type: 'choice';
      readonly default: string;
      /** In the order to show them; `default` is one of them. */
      readonly choices: readonly { readonly value: string; readonly label: string; readonly texts?: DriverTexts }[];
    });

/** The possibilities of a search of one table, with choices as they are now. */
export interface SearchForm {
  /** In the table's order; at most 1,000. Empty where words can be looked for in no column. */
  readonly fields: readonly SearchField[];
  /** The largest weight of a field, a whole number; absent where fields have no weights. */
  readonly mostWeight?: number;
  /** Columns whose values can be counted. Each has a filter class: a counted value can be filtered by. */
  readonly facets: readonly string[];
  /** At most 100. */
  readonly options: readonly SearchOption[];
  /** How many tables one search may look in, this one included; absent: only this one. 2 to 100. */
  readonly mostTables?: number;
}

/** A ranked search. */
export interface SearchRequest {
  readonly table: TableRef;
  /** The words; empty finds every row that the filter lets pass. */
  readonly text: string;
  /** Where to look, the most important first, each once. Empty: the fields that are the default. */
  readonly fields: readonly { readonly name: string; readonly weight?: number }[];
  /** Columns to count the values of; each is one of {@link SearchForm.facets}. */
  readonly facets: readonly string[];
  /** Honoured whole or refused, as by `readPage`. */
  readonly filter: Filter;
  /** Empty: by rank. */
  readonly sorts: readonly Sort[];
  /** By {@link SearchOption.id}; one that is not there has its default. */
  readonly options: Readonly<Record<string, SearchOptionValue>>;
  /** Hits to leave out at the beginning; groups, where hits are grouped. */
  readonly offset: number;
  /** Hits at most, 1 to 250. Where they are grouped, groups at most, and fewer where all their hits would be more than 250. */
  readonly limit: number;
  /**
   * Other tables of the connection to look in, each once, fewer than {@link SearchForm.mostTables}: in the fields that are their default, with the
   * same words, filter, sorts and options. The hits of all are ranked together. `facets` is empty then. Absent: none.
   */
  readonly alsoIn?: readonly TableRef[];
}

/** A piece of text, and whether it is what was looked for. */
export interface HighlightPart {
  readonly text: string;
  readonly isMatch: boolean;
}

/** One row that was found. */
export interface SearchHit {
  readonly key: RowKey;
  /** The row as the database returns it: the text of a JSON object, with numbers digit for digit. */
  readonly document: string;
  /** Where the words were found: each field's text, or the part of it around them. At most 100. */
  readonly highlights: readonly { readonly field: string; readonly parts: readonly HighlightPart[] }[];
  /** The figure that the rank was computed from, as the database writes it; absent where it gives none. */
  readonly score?: string;
  /** The parts of the score, in the order to show them; at most 50. */
  readonly explanation: readonly { readonly label: string; readonly value: string; readonly texts?: DriverTexts }[];
  /** Peculiarities of this hit, such as a rule that pinned it or a typo; at most 20. `label`: one to three words; `detail`: one sentence. */
  readonly marks: readonly { readonly label: string; readonly detail?: string; readonly texts?: DriverTexts }[];
  /** The group that it belongs to, where hits are grouped; hits of a group follow each other. */
  readonly group?: string;
  /** The table of the row, one of {@link SearchRequest.alsoIn}; absent: the request's own. */
  readonly table?: TableRef;
  /** Whether a rule put it at its place, so that it can be released ({@link HitPlacement}). Absent: the search itself did. */
  readonly isPlaced?: boolean;
}

/** How often the values of a column occur in what was found. */
export interface SearchFacetCounts {
  readonly column: string;
  /** The most frequent first. At most 250. */
  readonly values: readonly {
    /** As it is written in a `FilterCondition` of `equals`. */
    readonly value: string;
    readonly rows: number;
    /** The database rounds what it counts: the ends of a condition of `between` that finds the counted rows. Absent: `equals` finds them. */
    readonly between?: readonly [string, string];
  }[];
}

/** The result of a ranked search. */
export interface SearchAnswer {
  /** How many rows (or groups, where hits are grouped). */
  readonly found: number;
  /** How many rows all groups together have, where hits are grouped; absent where the database doesn't say. */
  readonly foundRows?: number;
  /** How many rows the table has; absent where the database doesn't say. */
  readonly outOf?: number;
  /** By the server's own clock. */
  readonly serverMilliseconds?: number;
  /** Whether the server stopped before it had looked at everything. */
  readonly isCutOff: boolean;
  /** By rank, from `offset` on; fewer than `limit` only at the end, or where they are grouped. At most 250. */
  readonly hits: readonly SearchHit[];
  /** One for each column of the request, in its order. */
  readonly facets: readonly SearchFacetCounts[];
  /** Columns that documents lack because they were not read, such as vectors. */
  readonly leftOut: readonly string[];
  /** Sorts that were not sent. */
  readonly droppedSorts: readonly DroppedSort[];
  /** The request as it was sent, to the letter and without credentials. */
  readonly request: DescribedRequest;
  /** The same as a statement of the session's console; absent where it has none. */
  readonly statement?: string;
  /** The same in the code of clients of the database, credentials left to be filled in; at most 5. */
  readonly code: readonly { readonly label: string; readonly text: string }[];
  /** How this search is set, without its words, as a new object of a kind that saves searches under a name; absent where there is none. */
  readonly object?: {
    /** The id of an `ObjectKind`. */
    readonly kind: string;
    /** The text of a JSON object. */
    readonly document: string;
  };
  /** Sentences on the answer as a whole; at most 20. */
  readonly notes: readonly string[];
  /** Their translations, by place. */
  readonly noteTexts?: DriverTextList;
}

/** Searches of the database's own users: the most frequent ones, or those that found nothing. */
export type RecordedQueryKind = 'popular' | 'withoutHits';

/** A part of the queries that a database has recorded for a table. */
export interface RecordedQueriesRequest {
  readonly table: TableRef;
  readonly kind: RecordedQueryKind;
  /** One of {@link RecordedQueries.recordings}; absent: the first. */
  readonly recording?: string;
  /** Queries to leave out at the beginning. */
  readonly offset: number;
  /** Queries at most, 1 to 1,000. */
  readonly limit: number;
}

/** A query of the database's own users. */
export interface RecordedQuery {
  /** The words as they were recorded, at most 4,000 characters. */
  readonly text: string;
  /** How often. */
  readonly count: number;
  /** The filter of those searches, in the database's own language; absent where it isn't recorded. */
  readonly filter?: string;
}

/** Queries that a database has recorded for a table. */
export interface RecordedQueries {
  /** The names of all that records queries of this kind for the table, each once, at most 100. */
  readonly recordings: readonly string[];
  /** The most frequent first, from `offset` on; fewer than `limit` only at the end, or where an entry has no text. */
  readonly queries: readonly RecordedQuery[];
  /** How many the recording has. */
  readonly found: number;
  /** Why there is no query; given exactly where `found` is 0. */
  readonly missing?: {
    readonly reason: string;
    /** The way to have queries recorded. */
    readonly advice?: string;
    /** The id of an `ObjectKind` whose objects record queries, where one is to be added. */
    readonly objects?: string;
    /** Translations of `reason` and `advice`. */
    readonly texts?: DriverTexts;
  };
}

/** The facet of a session that searches a table by words and ranks what it finds. */
export interface SearchFacet {
  /**
   * The form of a table's search.
   *
   * @throws DriverError `NOT_FOUND`
   */
  form(table: TableRef, options: CallOptions): Promise<SearchForm>;

  /**
   * Searches. Nothing is changed on the server, and it isn't counted as a search of the database's own users where the database can leave it out.
   *
   * @throws DriverError `INVALID_INPUT` (with the field or option, or `alsoIn`), `UNSUPPORTED` for what this table or server can't do, `NOT_FOUND`,
   *   `STRUCTURE_CHANGED`
   */
  search(request: SearchRequest, options: CallOptions): Promise<SearchAnswer>;

  /**
   * Reads the queries that the database has recorded of its own users' searches of a table. Absent where it records none.
   *
   * @throws DriverError `NOT_FOUND` for the table, `INVALID_INPUT` for a recording that is not there
   */
  recordedQueries?(request: RecordedQueriesRequest, options: CallOptions): Promise<RecordedQueries>;
}
