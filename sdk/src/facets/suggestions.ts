import type { CallOptions } from '../callOptions.ts';
import type { TableRef } from '../model/table.ts';

/** Which values of a column are asked for. */
export interface SuggestionRequest {
  readonly table: TableRef;
  /** A column that has a filter class. */
  readonly column: string;
  /** The text typed so far; empty for any value. Letter case does not count. */
  readonly typed: string;
  /** Values at most, 1 to 100. */
  readonly limit: number;
}

/** A value that rows have, as it is written in a `FilterCondition`. */
export interface SuggestedValue {
  /** Not empty. */
  readonly value: string;
  /** How many rows have it, where the server counts them. */
  readonly rows?: number;
}

/** Values of a column, the likeliest first, each once. */
export interface Suggestions {
  /** As many as were asked for, at most. */
  readonly values: readonly SuggestedValue[];
  /** `all`: no other value fits what was typed. `some`: there may be others, because only some rows were looked at, or the limit was reached. */
  readonly from: 'all' | 'some';
}

/** The facet of a session that lists the values of a column, for people who write a filter. */
export interface SuggestionsFacet {
  /**
   * Values of a column that hold what was typed. It is asked while somebody types: ask the server for one thing at most, and for nothing that
   * is slow. A value that is too long to be chosen from a list is left out.
   *
   * @throws DriverError `UNSUPPORTED` for a column without values to suggest, `STRUCTURE_CHANGED`, `NOT_FOUND`
   */
  values(request: SuggestionRequest, options: CallOptions): Promise<Suggestions>;
}
