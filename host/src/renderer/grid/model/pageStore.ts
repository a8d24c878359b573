import type { PageHead, PagePosition, PagingMode } from '@tabularium/sdk';
import type { GridRow } from './gridPage.ts';

/** Rows that stay in memory; at 20 columns about 40 MB. Four pages stay in any case. */
const MAX_ROWS = 30_000;

/** The number of the page that was read from the end: behind all others, however many there are. */
export const TAIL_PAGE = Number.MAX_SAFE_INTEGER;

interface Tail {
  readonly start: number;
  readonly rows: readonly GridRow[];
}

/** The pages of one table that are here, and where each begins. Offset pages begin at multiples; cursor pages where the one before ended. */
export class PageStore {
  readonly #paging: PagingMode;
  readonly #pageSize: number;
  readonly #pages = new Map<number, readonly GridRow[]>();
  /** Cursor paging: where each page begins, and with which cursor. */
  readonly #starts: number[] = [0];
  readonly #cursors = new Map<number, string>();
  #tail: Tail | undefined;
  #loadedEnd = 0;

  constructor(paging: PagingMode, pageSize: number) {
    this.#paging = paging;
    this.#pageSize = pageSize;
  }

  /** Where the pages end that were read from the start on. */
  get loadedEnd(): number {
    return this.#loadedEnd;
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0 && this.#tail === undefined;
  }

  get tail(): Tail | undefined {
    return this.#tail;
  }

  has(page: number): boolean {
    return page === TAIL_PAGE ? this.#tail !== undefined : this.#pages.has(page);
  }

  rowsOf(page: number): readonly GridRow[] | undefined {
    return page === TAIL_PAGE ? this.#tail?.rows : this.#pages.get(page);
  }

  row(index: number): GridRow | undefined {
    const page = this.pageOf(index);
    return this.rowsOf(page)?.[index - this.startOf(page)];
  }

  pageOf(row: number): number {
    if (this.#tail !== undefined && row >= this.#tail.start) return TAIL_PAGE;
    if (this.#paging === 'offset') return Math.floor(row / this.#pageSize);
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  startOf(page: number): number {
    if (page === TAIL_PAGE) return this.#tail?.start ?? this.#loadedEnd;
    return this.#paging === 'offset' ? page * this.#pageSize : (this.#starts[page] ?? this.#loadedEnd);
  }

  lengthOf(page: number): number {
    if (this.#paging === 'offset') return this.#pageSize;
    const next = page === TAIL_PAGE ? undefined : this.#starts[page + 1];
    return this.rowsOf(page)?.length ?? (next === undefined ? this.#pageSize : next - this.startOf(page));
  }

  /** How a page is asked for; undefined while the page before it has not been read. */
  position(page: number): PagePosition | undefined {
    if (page === 0) return { from: 'start' };
    if (this.#paging === 'offset') return { from: 'offset', offset: page * this.#pageSize };
    const cursor = this.#cursors.get(page);
    return cursor === undefined ? undefined : { from: 'cursor', cursor };
  }

  /** The nearest page at or before one that can be asked for. */
  reachable(page: number): number {
    let near = Math.min(page, this.#paging === 'offset' ? page : this.#starts.length - 1);
    while (near > 0 && this.position(near) === undefined) near -= 1;
    return near;
  }

  /** The rows that are here, with their places, in order. */
  *loadedRows(): Generator<readonly [number, GridRow]> {
    for (const page of [...this.#pages.keys()].sort((one, other) => one - other)) {
      const start = this.startOf(page);
      for (const [place, row] of (this.#pages.get(page) ?? []).entries()) yield [start + place, row];
    }
    const { start, rows } = this.#tail ?? { start: 0, rows: [] };
    for (const [place, row] of rows.entries()) yield [start + place, row];
  }

  get loadedCount(): number {
    let count = this.#tail?.rows.length ?? 0;
    for (const rows of this.#pages.values()) count += rows.length;
    return count;
  }

  /** @returns where the page ends */
  put(page: number, rows: readonly GridRow[], { nextCursor, atEnd }: PageHead): number {
    this.#pages.set(page, rows);
    const end = this.startOf(page) + rows.length;
    this.#loadedEnd = Math.max(this.#loadedEnd, end);
    if (this.#paging === 'cursor' && nextCursor !== undefined) {
      this.#starts[page + 1] = end;
      this.#cursors.set(page + 1, nextCursor);
    }
    // Where both ways meet, what was read from the start says which rows they are.
    if (atEnd || (this.#tail !== undefined && end >= this.#tail.start + this.#tail.rows.length)) this.#tail = undefined;
    return end;
  }

  /** Puts other rows in the place of some. @returns whether one of them was here */
  replace(others: ReadonlyMap<GridRow, GridRow>): boolean {
    let isFound = false;
    const replaced = (rows: readonly GridRow[]): readonly GridRow[] => {
      if (!rows.some((row) => others.has(row))) return rows;
      isFound = true;
      return rows.map((row) => others.get(row) ?? row);
    };
    for (const [page, rows] of this.#pages) this.#pages.set(page, replaced(rows));
    if (this.#tail !== undefined) this.#tail = { ...this.#tail, rows: replaced(this.#tail.rows) };
    return isFound;
  }

  /** The last page, read from the end: its rows end where the table is said to. */
  putTail(rows: readonly GridRow[], count: number): void {
    const end = Math.max(count, rows.length);
    this.#tail = { start: end - rows.length, rows };
  }

  /** Lets go of the pages farthest from the screen. */
  evict(middle: number): void {
    const most = Math.max(4, Math.floor(MAX_ROWS / this.#pageSize));
    if (this.#pages.size <= most) return;
    const byDistance = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const page of byDistance.slice(0, this.#pages.size - most)) this.#pages.delete(page);
  }

  clear(): void {
    this.#pages.clear();
    this.#tail = undefined;
  }
}
