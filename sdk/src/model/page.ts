import type { Cell, PageCell } from './cell.ts';
import type { ColumnKind } from './column.ts';
import type { Filter } from './filter.ts';
import type { DroppedSort, Sort } from './sort.ts';
import type { RowCount, TableRef } from './table.ts';

/**
 * Where a page begins.
 *
 * - `offset`: after that many rows (tables with `offset` paging);
 * - `cursor`: where the page that handed out this cursor ended (tables with `cursor` paging);
 * - `start`: the first page, in both modes;
 * - `end`: the last page, its rows in the ordinary order (tables whose description says `readsFromEnd`).
 */
export type PagePosition =
  | { readonly from: 'start' }
  | { readonly from: 'offset'; readonly offset: number }
  | { readonly from: 'cursor'; readonly cursor: string }
  | { readonly from: 'end' };

/** Which rows to read. */
export interface PageRequest {
  readonly table: TableRef;
  /** Honoured whole or refused. */
  readonly filter: Filter;
  /** Most important first. What cannot be sent is dropped and reported in {@link PageHead.droppedSorts}. */
  readonly sorts: readonly Sort[];
  /** Where the page begins, in the order that the sorts give. */
  readonly position: PagePosition;
  /** How many rows at most, 1 to 10,000. */
  readonly limit: number;
  /**
   * The columns whose values are wanted, those of the key among them; absent: all. Values of others need not be read: the batch may leave
   * these columns out, or hold their values all the same. Filters and sorts may name any column.
   */
  readonly columns?: readonly string[];
  /**
   * The placeholders that the caller accepts in a page; absent: every value is whole, as asked. Given only to sessions with the
   * facet `rows`, by which such a value can be read.
   */
  readonly placeholders?: Placeholders;
}

/** How a page may be smaller than what was asked for. */
export interface Placeholders {
  /**
   * A value of more bytes (as in `UnreadValue.bytes`), and a vector of any length, may be an `UnreadCell`. Values of the key are always
   * whole. The page may also have fewer rows than `limit`, at least one, and say `atEnd: false`, where one answer cannot hold more: the caller
   * reads on where the page ended.
   */
  readonly over: number;
}

/** A column of a batch: its name and how its plain cells are read. */
export interface BatchColumn {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** Rows with the columns they have; every row is as long as `columns`. The order of columns may differ from the description's. */
export interface RowBatch {
  /** The columns of the description, each once. */
  readonly columns: readonly BatchColumn[];
  /** In the order of the page, cells in the order of `columns`. */
  readonly rows: readonly (readonly Cell[])[];
}

/** The same for a page whose request allows placeholders, or names columns. */
export interface PageBatch {
  /** Those of the description, or those that were asked for; each once. */
  readonly columns: readonly BatchColumn[];
  /** In the order of the page, cells in the order of `columns`. */
  readonly rows: readonly (readonly PageCell[])[];
}

/** The facts about a page besides its rows. */
export interface PageHead {
  /** The rows of this page; at most the request's `limit`. Fewer before the end only where the request has `placeholders`. */
  readonly rowCount: number;
  /** The next page's cursor; absent at the end, and always in `offset` paging. */
  readonly nextCursor?: string;
  /** Whether this page ends at the last row. */
  readonly atEnd: boolean;
  /** How many rows the filter lets pass, when the page's answer said so for nothing. */
  readonly total?: RowCount;
  /** Sorts of the request that the rows are not ordered by; empty when all were done. */
  readonly droppedSorts: readonly DroppedSort[];
  /** Milliseconds that the database says it took, if it says. */
  readonly serverMilliseconds?: number;
}

/** One page. `batch` is the encoded {@link RowBatch} (see `encodeBatch`), passed on to the screen untouched. */
export interface Page extends PageHead {
  /** UTF-8, made by `encodeBatch`. */
  readonly batch: Uint8Array;
}
