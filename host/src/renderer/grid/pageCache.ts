import type { BatchColumn, Cell, DroppedSort, PagePosition, PagingMode, RowCount } from '@tabularium/sdk';
import { ABSENT } from '@tabularium/sdk';
import { problemOf, wasAborted } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import type { PageAnswer } from '../api/pageAnswer.ts';
import { strings } from '../strings/index.ts';

export type GridRow = readonly Cell[];

export interface PageCacheOptions {
  readonly paging: PagingMode;
  readonly pageSize: number;
  /** The columns of the grid; every row comes out in this order. */
  readonly columns: readonly string[];
  /** What the list of tables said, until a page knows better. */
  readonly count?: RowCount;
  load(position: PagePosition, limit: number, signal: AbortSignal): Promise<PageAnswer>;
}

interface LoadedPage {
  readonly rows: readonly GridRow[];
}

/** A page that could not be read. */
export interface FailedPage {
  readonly page: number;
  readonly first: number;
  readonly last: number;
  readonly problem: Problem;
}

/** Rows that stay in memory; at 20 columns about 40 MB. Four pages stay in any case. */
const MAX_ROWS_KEPT = 30_000;
/** A scroll bar that is dragged passes many pages: after one request, the next waits until it has rested so long. */
const REST_MILLISECONDS = 90;

const CANCELLED: Problem = {
  code: 'CANCELLED',
  message: strings.grid.readingCancelled,
  advice: strings.grid.readingCancelledAdvice,
  retryable: true,
  details: {},
};

/**
 * The rows of one table in one order. It knows every row's place and holds the pages around the viewport; what the viewport has left behind
 * is no longer asked for. Snapshots are counted: `version` changes whenever something that is shown does.
 */
export class PageCache {
  readonly #options: PageCacheOptions;
  readonly #pages = new Map<number, LoadedPage>();
  readonly #failures = new Map<number, Problem>();
  readonly #running = new Map<number, AbortController>();
  readonly #listeners = new Set<() => void>();
  /** Cursor paging: where each page begins, and with which cursor. */
  readonly #starts: number[] = [0];
  readonly #cursors = new Map<number, string>();
  #count: RowCount | undefined;
  #atEnd = false;
  #loadedEnd = 0;
  #version = 0;
  #viewport: { readonly first: number; readonly last: number } | undefined;
  #forward = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastStart = Number.NEGATIVE_INFINITY;
  #droppedSorts: readonly DroppedSort[] = [];
  #milliseconds: number | undefined;

  constructor(options: PageCacheOptions) {
    this.#options = options;
    this.#count = options.count;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  /** How many rows the grid draws, those not yet read included. */
  get rowCount(): number {
    if (this.#options.paging === 'offset' && this.#count !== undefined) return this.#count.rows;
    if (this.#atEnd) return this.#loadedEnd;
    return this.#loadedEnd + this.#options.pageSize;
  }

  /** How many rows there are, where that is known. */
  get total(): RowCount | undefined {
    if (this.#atEnd && this.#options.paging === 'cursor') return { rows: this.#loadedEnd, exact: true };
    return this.#count;
  }

  /** Whether the table is known to have no rows. */
  get isEmpty(): boolean {
    return this.rowCount === 0;
  }

  get hasRows(): boolean {
    return this.#pages.size > 0;
  }

  get isReading(): boolean {
    return this.#running.size > 0 || this.#timer !== undefined;
  }

  get droppedSorts(): readonly DroppedSort[] {
    return this.#droppedSorts;
  }

  /** Milliseconds of the page that came last. */
  get milliseconds(): number | undefined {
    return this.#milliseconds;
  }

  /** The rows of the page that holds a row, as far as they are here. */
  rowsAround(index: number): readonly GridRow[] {
    return this.#pages.get(this.pageOf(index))?.rows ?? [];
  }

  row(index: number): GridRow | undefined {
    const page = this.pageOf(index);
    return this.#pages.get(page)?.rows[index - this.#startOf(page)];
  }

  pageOf(row: number): number {
    if (this.#options.paging === 'offset') return Math.floor(row / this.#options.pageSize);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** The first and last row of a page, both counted from 0. */
  pageSpan(page: number): { readonly first: number; readonly last: number } {
    const last = this.#lastPage();
    const first = this.#startOf(Math.min(page, last));
    const loaded = this.#pages.get(page)?.rows.length;
    const length = this.#options.paging === 'cursor' ? (loaded ?? this.#knownLength(page)) : this.#options.pageSize;
    return { first, last: Math.max(first, Math.min(first + length, this.rowCount) - 1) };
  }

  /** The first of some pages that could not be read. */
  failureAmong(firstPage: number, lastPage: number): FailedPage | undefined {
    for (let page = firstPage; page <= lastPage; page += 1) {
      const problem = this.#failures.get(page);
      if (problem !== undefined) return { page, ...this.pageSpan(page), problem };
    }
    return undefined;
  }

  /** Takes a count that came from elsewhere. What the pages themselves have shown weighs more. */
  learn(count: RowCount): void {
    if (this.#atEnd) return;
    this.#count = count.rows < this.#loadedEnd ? { rows: this.#loadedEnd, exact: false } : count;
    this.#changed();
  }

  /** Says which rows are on the screen. Reads what is missing there, then the page that comes next, and drops what is no longer wanted. */
  want(first: number, last: number): void {
    const before = this.#viewport;
    if (before !== undefined && before.first !== first) this.#forward = first > before.first;
    this.#viewport = { first, last };
    this.#pump(false);
  }

  retry(page: number): void {
    this.#failures.delete(page);
    this.#changed();
    this.#pump(true);
  }

  /** Stops what is being read, as a person asked; it is read again only when they ask for that too. */
  cancel(): void {
    for (const page of this.#running.keys()) this.#failures.set(page, CANCELLED);
    this.#stop();
    this.#changed();
  }

  /** Stops reading and lets go of the rows. */
  dispose(): void {
    this.#stop();
    this.#pages.clear();
  }

  #stop(): void {
    this.#stopTimer();
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  #startOf(page: number): number {
    return this.#options.paging === 'offset' ? page * this.#options.pageSize : (this.#starts[page] ?? this.#loadedEnd);
  }

  #knownLength(page: number): number {
    const next = this.#starts[page + 1];
    return next === undefined ? this.#options.pageSize : next - this.#startOf(page);
  }

  #position(page: number): PagePosition | undefined {
    if (page === 0) return { from: 'start' };
    if (this.#options.paging === 'offset') return { from: 'offset', offset: page * this.#options.pageSize };
    const cursor = this.#cursors.get(page);
    return cursor === undefined ? undefined : { from: 'cursor', cursor };
  }

  #lastPage(): number {
    return this.pageOf(Math.max(0, this.rowCount - 1));
  }

  /** Visible pages first, then the neighbour that scrolling comes to next. */
  #wanted(): { readonly visible: readonly number[]; readonly next: number } | undefined {
    if (this.#viewport === undefined) return undefined;
    const lastPage = this.#lastPage();
    const from = Math.min(this.pageOf(this.#viewport.first), lastPage);
    const to = Math.min(this.pageOf(this.#viewport.last), lastPage);
    const visible: number[] = [];
    for (let page = from; page <= to; page += 1) visible.push(page);
    return { visible, next: this.#forward ? Math.min(to + 1, lastPage) : Math.max(from - 1, 0) };
  }

  #pump(immediately: boolean): void {
    const wanted = this.#wanted();
    if (wanted === undefined) return;
    const keep = new Set([...wanted.visible, wanted.next]);
    let dropped = false;
    for (const [page, controller] of this.#running) {
      if (keep.has(page)) continue;
      this.#running.delete(page);
      controller.abort();
      dropped = true;
    }
    const needsReading = (page: number): boolean =>
      !this.#pages.has(page) && !this.#running.has(page) && !this.#failures.has(page) && this.#position(page) !== undefined;
    const missing = wanted.visible.filter(needsReading);
    if (missing.length === 0) {
      this.#stopTimer();
      const visibleAreHere = wanted.visible.every((page) => this.#pages.has(page));
      if (visibleAreHere && needsReading(wanted.next)) this.#read(wanted.next);
      if (dropped) this.#changed();
      return;
    }
    const rested = performance.now() - this.#lastStart >= REST_MILLISECONDS;
    if (immediately || rested) {
      this.#stopTimer();
      for (const page of missing) this.#read(page);
    } else {
      this.#stopTimer();
      this.#timer = setTimeout(() => {
        this.#timer = undefined;
        this.#pump(true);
      }, REST_MILLISECONDS);
    }
    if (dropped) this.#changed();
  }

  #stopTimer(): void {
    if (this.#timer !== undefined) clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #read(page: number): void {
    const position = this.#position(page);
    if (position === undefined) return;
    const controller = new AbortController();
    this.#running.set(page, controller);
    this.#lastStart = performance.now();
    this.#changed();
    void this.#options
      .load(position, this.#options.pageSize, controller.signal)
      .then((answer) => this.#running.get(page) === controller && this.#take(page, answer))
      .catch((error: unknown) => {
        if (this.#running.get(page) === controller && !wasAborted(error, controller.signal)) {
          this.#failures.set(page, problemOf(error));
        }
      })
      .finally(() => {
        if (this.#running.get(page) !== controller) return;
        this.#running.delete(page);
        this.#changed();
        this.#pump(true);
      });
  }

  #take(page: number, { head, batch }: PageAnswer): void {
    this.#pages.set(page, { rows: inOrder(batch.columns, batch.rows, this.#options.columns) });
    this.#droppedSorts = head.droppedSorts;
    this.#milliseconds = head.milliseconds;
    const end = this.#startOf(page) + batch.rows.length;
    this.#loadedEnd = Math.max(this.#loadedEnd, end);
    if (head.atEnd) this.#atEnd = true;
    if (this.#options.paging === 'cursor') {
      if (head.nextCursor !== undefined) {
        this.#starts[page + 1] = end;
        this.#cursors.set(page + 1, head.nextCursor);
      }
      if (head.total !== undefined) this.#count = head.total;
    } else if (head.atEnd && (batch.rows.length > 0 || page === 0)) {
      this.#count = { rows: end, exact: true };
    } else if (head.total !== undefined) {
      this.#count = { rows: Math.max(head.total.rows, end), exact: head.total.exact };
    } else if (this.#count !== undefined && this.#count.rows < end) {
      this.#count = { rows: end, exact: false };
    }
    this.#evict();
  }

  #evict(): void {
    const { pageSize } = this.#options;
    const most = Math.max(4, Math.floor(MAX_ROWS_KEPT / pageSize));
    if (this.#pages.size <= most) return;
    const middle = this.#viewport === undefined ? 0 : this.pageOf(this.#viewport.first);
    const byDistance = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const page of byDistance.slice(0, this.#pages.size - most)) this.#pages.delete(page);
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}

/** Rows in the order of the grid's columns. A column that the batch lacks is absent. */
function inOrder(batch: readonly BatchColumn[], rows: readonly GridRow[], columns: readonly string[]): readonly GridRow[] {
  if (batch.length === columns.length && batch.every((column, index) => column.name === columns[index])) return rows;
  const places = columns.map((name) => batch.findIndex((column) => column.name === name));
  return rows.map((row) => places.map((place) => row[place] ?? (place === -1 ? ABSENT : null)));
}
