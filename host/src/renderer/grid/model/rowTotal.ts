import type { PagingMode, RowCount } from '@tabularium/sdk';
import type { DecodedPage } from '../../api/decodedPage.ts';
import type { PageStore } from './pageStore.ts';

/** How many rows a table has, as far as pages and counts say. The pages themselves weigh more than any count. */
export class RowTotal {
  readonly #paging: PagingMode;
  readonly #pageSize: number;
  readonly #store: PageStore;
  #count: RowCount | undefined;
  #atEnd = false;

  constructor(paging: PagingMode, pageSize: number, store: PageStore, count: RowCount | undefined) {
    this.#paging = paging;
    this.#pageSize = pageSize;
    this.#store = store;
    this.#count = count;
  }

  /** Whether the last page was read. */
  get atEnd(): boolean {
    return this.#atEnd;
  }

  /** How many rows the grid draws, those not yet read included. */
  get drawn(): number {
    if (this.#paging === 'offset' && this.#count !== undefined) return this.#count.rows;
    const { tail, loadedEnd } = this.#store;
    if (tail !== undefined) return tail.start + tail.rows.length;
    return this.#atEnd ? loadedEnd : loadedEnd + this.#pageSize;
  }

  /** The rows that are known to be there: without those that a table of cursors may have beyond what was read. */
  get known(): number {
    const isOpen = this.#paging === 'cursor' && !this.#atEnd && this.#store.tail === undefined;
    return isOpen ? this.#store.loadedEnd : this.drawn;
  }

  /** How many rows there are, where that is known. */
  get total(): RowCount | undefined {
    if (this.#atEnd && this.#paging === 'cursor') return { rows: this.#store.loadedEnd, exact: true };
    return this.#count;
  }

  /** Takes a count that came from elsewhere. @returns whether it was taken */
  learn(count: RowCount): boolean {
    if (this.#atEnd) return false;
    const { loadedEnd } = this.#store;
    this.#count = count.rows < loadedEnd ? { rows: loadedEnd, exact: false } : count;
    return true;
  }

  /** Takes what came with the last page, which was read from the end. @returns how many rows there are, as a guess where they weren't counted */
  takeTail(rows: number, total: RowCount | undefined): number {
    const { loadedEnd } = this.#store;
    const counted = total ?? this.#count;
    this.#count = counted;
    // Without a count the rows between are as many as one page, until somebody scrolls there.
    const guess = loadedEnd + this.#pageSize + rows;
    return counted === undefined || counted.rows < loadedEnd ? guess : counted.rows;
  }

  /**
   * Takes what a page shows.
   *
   * @param end - where the page ends
   */
  takePage(page: number, rows: number, end: number, head: DecodedPage['head']): void {
    if (head.atEnd) this.#atEnd = true;
    if (this.#paging === 'cursor') {
      if (head.total !== undefined) this.#count = head.total;
    } else if (head.atEnd && (rows > 0 || page === 0)) {
      this.#count = { rows: end, exact: true };
    } else if (head.total !== undefined) {
      this.#count = { rows: Math.max(head.total.rows, end), exact: head.total.exact };
    } else if (this.#count !== undefined && this.#count.rows < end) {
      this.#count = { rows: end, exact: false };
    }
  }
}
