import type { BatchColumn, PageCell, PagePosition, PagingMode, RowCount } from '@tabularium/sdk';
import { ABSENT } from '@tabularium/sdk';
import type { DecodedPage } from '../../api/decodedPage.ts';
import type { Problem } from '../../api/problem.ts';
import type { GridRow } from './gridRow.ts';
import type { DocumentsReader } from './rowDocuments.ts';
import type { RowsReader } from './wholeRows.ts';

export type { GridRow } from './gridRow.ts';

export interface PageCacheOptions {
  readonly paging: PagingMode;
  /** Whether the last page can be asked for where pages are found by cursors. */
  readonly readsFromEnd?: boolean;
  readonly pageSize: number;
  /** The columns of the grid; every row comes out in this order. */
  readonly columns: readonly string[];
  /** The columns whose values name a row. */
  readonly key?: readonly string[];
  /** Reads rows by their keys; absent where that cannot be done, and then pages have no placeholders. */
  readonly readRows?: RowsReader;
  /** Reads rows as the database returns them. */
  readonly readDocuments?: DocumentsReader;
  /** The count of the list of tables, until a page has a newer one. */
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

/** Stands for a column that a page left out. */
const UNREAD: PageCell = ['unread', {}];

/** Rows in the order of the grid's columns. A column that the batch lacks was not read where it can be read later, else it is absent. */
export function inOrder(
  batch: readonly BatchColumn[],
  rows: readonly GridRow[],
  { columns, readRows }: Pick<PageCacheOptions, 'columns' | 'readRows'>,
): readonly GridRow[] {
  if (batch.length === columns.length && batch.every((column, index) => column.name === columns[index])) return rows;
  const places = columns.map((name) => batch.findIndex((column) => column.name === name));
  const missing = readRows === undefined ? ABSENT : UNREAD;
  return rows.map((row) => places.map((place) => row[place] ?? (place === -1 ? missing : null)));
}
