import type { CallOptions } from '../callOptions.ts';
import type { Filter } from '../model/filter.ts';
import type { DroppedSort, Sort } from '../model/sort.ts';
import type { TableRef } from '../model/table.ts';

/** A part of what is sent, in the database's own language. */
export interface SentExpression {
  /** The database's name for it, such as `filter_by` or `WHERE`. */
  readonly label: string;
  /** To the letter, without credentials. */
  readonly text: string;
}

/** The text that a read sends for its filter and sorts. */
export interface ReadExpressions {
  /** In the order of the request; empty where nothing is filtered or sorted by. */
  readonly parts: readonly SentExpression[];
  /** Sorts that are not sent, as a page would report them. */
  readonly droppedSorts: readonly DroppedSort[];
}

/** The facet of a session that shows what a filter and its sorts become before they are sent. */
export interface ExpressionsFacet {
  /**
   * The exact texts that `readPage` sends for a filter and sorts. No row is read for it.
   *
   * @throws DriverError what `readPage` throws for a filter that it does not send
   */
  ofRead(
    request: { readonly table: TableRef; readonly filter: Filter; readonly sorts: readonly Sort[] },
    options: CallOptions,
  ): Promise<ReadExpressions>;
}
