import type { DroppedSort, RowCount } from '@tabularium/sdk';
import type { DecodedPage } from '../../api/decodedPage.ts';
import { cancelledProblem, problemOf, wasAborted } from '../../api/problem.ts';
import type { Problem } from '../../api/problem.ts';
import { strings } from '../../i18n/index.ts';
import { inOrder } from './gridPage.ts';
import type { FailedPage, GridRow, PageCacheOptions } from './gridPage.ts';
import { PageStore } from './pageStore.ts';
import { RowDocuments } from './rowDocuments.ts';
import { RowTotal } from './rowTotal.ts';
import { wantedPages } from './wantedPages.ts';
import type { Viewport } from './wantedPages.ts';
import { WholeRows } from './wholeRows.ts';

export type { GridRow } from './gridPage.ts';

/** A scroll bar that is dragged passes many pages: after one request, the next waits until it has rested so long. */
const REST_MILLISECONDS = 90;

/**
 * The rows of one table in one order. It has every row's place and holds the pages around the viewport; what the viewport has left behind
 * is no longer asked for. Snapshots are counted: `version` changes whenever something that is shown does.
 */
export class PageCache {
  /** Reads what pages left out. */
  readonly whole: WholeRows;
  /** Reads rows as the database returns them. */
  readonly documents: RowDocuments;
  readonly #options: PageCacheOptions;
  readonly #store: PageStore;
  readonly #total: RowTotal;
  readonly #failures = new Map<number, Problem>();
  readonly #running = new Map<number, AbortController>();
  readonly #listeners = new Set<() => void>();
  #version = 0;
  #viewport: Viewport | undefined;
  #forward = true;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #lastStart = Number.NEGATIVE_INFINITY;
  #droppedSorts: readonly DroppedSort[] = [];
  #milliseconds: number | undefined;

  constructor(options: PageCacheOptions) {
    this.#options = options;
    this.whole = new WholeRows({ key: [], ...options });
    this.documents = new RowDocuments({ key: [], ...options });
    this.#store = new PageStore(options.paging, options.pageSize);
    this.#total = new RowTotal(options.paging, options.pageSize, this.#store, options.count);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly version = (): number => this.#version;

  /** How many rows the grid draws, those not yet read included. */
  get rowCount(): number {
    return this.#total.drawn;
  }

  /** The rows that are known to be there: without those that a table of cursors may have beyond what was read. */
  get knownRows(): number {
    return this.#total.known;
  }

  /** How many rows there are, where that is known. */
  get total(): RowCount | undefined {
    return this.#total.total;
  }

  /** Whether the table is known to have no rows. */
  get isEmpty(): boolean {
    return this.rowCount === 0;
  }

  get hasRows(): boolean {
    return !this.#store.isEmpty;
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

  /** Whether the last row can be gone to without reading all before it. */
  get reachesEnd(): boolean {
    return this.#options.paging === 'offset' || this.#total.atEnd || this.#options.readsFromEnd === true;
  }

  /** The rows of the page that holds a row, as far as they are here. */
  rowsAround(index: number): readonly GridRow[] {
    return this.#store.rowsOf(this.pageOf(index)) ?? [];
  }

  row(index: number): GridRow | undefined {
    return this.#store.row(index);
  }

  /** The rows that are here, with their places, in order. */
  loadedRows(): Generator<readonly [number, GridRow]> {
    return this.#store.loadedRows();
  }

  get loadedCount(): number {
    return this.#store.loadedCount;
  }

  pageOf(row: number): number {
    return this.#store.pageOf(row);
  }

  /** The first and last row of a page, both counted from 0. */
  pageSpan(page: number): { readonly first: number; readonly last: number } {
    const known = Math.min(page, this.#lastPage());
    const first = this.#store.startOf(known);
    return { first, last: Math.max(first, Math.min(first + this.#store.lengthOf(known), this.rowCount) - 1) };
  }

  /** The first of some pages that could not be read. */
  failureAmong(firstPage: number, lastPage: number): FailedPage | undefined {
    const page = Math.min(...[...this.#failures.keys()].filter((failed) => failed >= firstPage && failed <= lastPage));
    const problem = this.#failures.get(page);
    return problem === undefined ? undefined : { page, ...this.pageSpan(page), problem };
  }

  /** Takes a count that came from elsewhere. What the pages themselves have shown weighs more. */
  learn(count: RowCount): void {
    if (this.#total.learn(count)) this.#changed();
  }

  /** Says which rows are on the screen. Reads what is missing there, then the page that comes next, and drops what is no longer wanted. */
  want(first: number, last: number): void {
    const before = this.#viewport;
    if (before !== undefined && before.first !== first) this.#forward = first > before.first;
    this.#viewport = { first, last };
    this.#pump(false);
  }

  /** Reads what another cache has on the screen, unless it has rows of its own to read. */
  wantAs(other: PageCache): void {
    const viewport = other.#viewport;
    if (this.#viewport === undefined && viewport !== undefined) this.want(viewport.first, viewport.last);
  }

  /**
   * Rows in order, from memory or read now, page by page; what is read stays as if it had been on the screen.
   *
   * @throws what reading throws, also when the signal is aborted
   */
  async *read(first: number, last: number, signal: AbortSignal): AsyncGenerator<readonly GridRow[]> {
    for (let next = first; next <= last;) {
      const page = this.pageOf(next);
      const all = this.#store.rowsOf(page) ?? (await this.#readThrough(next, signal));
      const start = this.#store.startOf(this.pageOf(next));
      const rows = all.slice(next - start, last - start + 1);
      if (rows.length === 0) return;
      next += rows.length;
      yield rows;
    }
  }

  /** Reads the last page from the end, where cursors would lead there only one by one. The rows between are read when they are scrolled to. */
  async readEnd(signal: AbortSignal): Promise<void> {
    if (this.#options.paging === 'offset' || this.#options.readsFromEnd !== true || this.#total.atEnd) return;
    const { batch, head } = await this.#options.load({ from: 'end' }, this.#options.pageSize, signal);
    const rows = inOrder(batch.columns, batch.rows, this.#options);
    this.#store.putTail(rows, this.#total.takeTail(rows.length, head.total));
    this.#changed();
  }

  /** Rows that were read whole stay so. */
  replaceRows(whole: ReadonlyMap<GridRow, GridRow>): void {
    if (this.#store.replace(whole)) this.#changed();
  }

  retry(page: number): void {
    this.#failures.delete(page);
    this.#changed();
    this.#pump(true);
  }

  /** Reads again what could not be read. What a person stopped stays stopped. */
  retryAll(): void {
    for (const [page, { code }] of this.#failures) if (code !== 'CANCELLED') this.#failures.delete(page);
    this.#changed();
    this.#pump(true);
  }

  /** Stops what is being read, as a person asked; it is read again only when they ask for that too. */
  cancel(): void {
    for (const page of this.#running.keys())
      this.#failures.set(page, cancelledProblem(strings.grid.readingCancelled, strings.grid.readingCancelledAdvice));
    this.#stop();
    this.#changed();
  }

  /** Stops reading and lets go of the rows. */
  dispose(): void {
    this.#stop();
    this.#store.clear();
  }

  #stop(): void {
    this.#stopTimer();
    for (const controller of this.#running.values()) controller.abort();
    this.#running.clear();
  }

  #lastPage(): number {
    return this.pageOf(Math.max(0, this.rowCount - 1));
  }

  #pump(immediately: boolean): void {
    if (this.#viewport === undefined) return;
    const wanted = wantedPages(this.#store, this.#viewport, this.rowCount, this.#forward);
    const needed = new Set([...wanted.visible, wanted.next]);
    let dropped = false;
    for (const [page, controller] of this.#running) {
      if (needed.has(page)) continue;
      this.#running.delete(page);
      controller.abort();
      dropped = true;
    }
    const needsReading = (page: number): boolean =>
      !this.#store.has(page) && !this.#running.has(page) && !this.#failures.has(page) && this.#store.position(page) !== undefined;
    const missing = wanted.visible.filter(needsReading);
    if (missing.length === 0) {
      this.#stopTimer();
      const visibleAreHere = wanted.visible.every((page) => this.#store.has(page));
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
    const position = this.#store.position(page);
    if (position === undefined) return;
    const controller = new AbortController();
    this.#running.set(page, controller);
    this.#lastStart = performance.now();
    this.#changed();
    void this.#options
      .load(position, this.#options.pageSize, controller.signal)
      .then((answer) => (this.#running.get(page) === controller ? this.#take(page, answer) : undefined))
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

  /** Reads the page of a row, and before it those that lead to its cursor. */
  async #readThrough(row: number, signal: AbortSignal): Promise<readonly GridRow[]> {
    for (;;) {
      signal.throwIfAborted();
      const wanted = this.pageOf(row);
      const page = this.#store.reachable(wanted);
      const position = this.#store.position(page) ?? { from: 'start' };
      const rows = this.#take(page, await this.#options.load(position, this.#options.pageSize, signal));
      this.#changed();
      const start = this.#store.startOf(page);
      if (row < start + rows.length) return row >= start ? rows : [];
      if (this.#store.position(page + 1) === undefined || rows.length === 0) return [];
    }
  }

  #take(page: number, { head, batch }: DecodedPage): readonly GridRow[] {
    const rows = inOrder(batch.columns, batch.rows, this.#options);
    const end = this.#store.put(page, rows, head);
    this.#droppedSorts = head.droppedSorts;
    this.#milliseconds = head.milliseconds;
    this.#total.takePage(page, rows.length, end, head);
    this.#store.evict(this.#viewport === undefined ? 0 : this.pageOf(this.#viewport.first));
    return rows;
  }

  #changed(): void {
    this.#version += 1;
    for (const listener of this.#listeners) listener();
  }
}
