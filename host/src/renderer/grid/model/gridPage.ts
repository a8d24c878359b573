import type { BatchColumn, Cell, PagePosition, PagingMode, RowCount } from '@tabularium/sdk';
import { ABSENT } from '@tabularium/sdk';
import type { DecodedPage } from '../../api/decodedPage.ts';
import type { Problem } from '../../api/problem.ts';

export type GridRow = readonly Cell[];

export interface PageCacheOptions {
  readonly paging: PagingMode;
  /** Whether the last page can be asked for where pages are found by cursors. */
  readonly readsFromEnd?: boolean;
  readonly pageSize: number;
  /** The columns of the grid; every row comes out in this order. */
  readonly columns: readonly string[];
  /** What the list of tables said, until a page knows better. */
  readonly count?: RowCount;
  load(position: PagePosition, limit: number, signal: AbortSignal): Promise<DecodedPage>;
}

/** A page that could not be read. */
export interface FailedPage {
  readonly page: number;
  readonly first: number;
  readonly last: number;
  readonly problem: Problem;
}

/** Rows in the order of the grid's columns. A column that the batch lacks is absent. */
export function inOrder(batch: readonly BatchColumn[], rows: readonly GridRow[], columns: readonly string[]): readonly GridRow[] {
  if (batch.length === columns.length && batch.every((column, index) => column.name === columns[index])) return rows;
  const places = columns.map((name) => batch.findIndex((column) => column.name === name));
  return rows.map((row) => places.map((place) => row[place] ?? (place === -1 ? ABSENT : null)));
}
