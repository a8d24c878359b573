import type { Filter } from '@tabularium/sdk';
import type { PgTable } from '../catalogue/pgTable.ts';
import type { OrderTerm } from './order.ts';

/** The last row of a page that was read: the next page begins behind it. */
export interface Bookmark {
  readonly offset: number;
  /** Of the terms of the order. */
  readonly values: readonly (string | null)[];
}

const MOST_VIEWS = 50;
const MOST_MARKS = 200;
/** Rows come and go: a place that is older is looked for again. */
const LIFETIME_MILLISECONDS = 60_000;

/**
 * Where pages ended. Behind a known row the server finds the next one by an index; by its number it would have to count every row before it. So a table is
 * read to its last row in the time that its rows take.
 */
export class Bookmarks {
  readonly #views = new Map<string, { until: number; readonly marks: Map<number, Bookmark> }>();

  static viewOf({ oid }: PgTable, filter: Filter, terms: readonly OrderTerm[]): string {
    return JSON.stringify([oid, filter, terms.map(({ sql, descending }) => [sql, descending])]);
  }

  /** The nearest place that is not behind an offset. */
  before(view: string, offset: number): Bookmark | undefined {
    const found = this.#views.get(view);
    if (found === undefined) return undefined;
    // The first page is read again, and so is everything behind it.
    if (offset === 0 || found.until < performance.now()) {
      this.#views.delete(view);
      return undefined;
    }
    let best: Bookmark | undefined;
    for (const mark of found.marks.values()) if (mark.offset <= offset && mark.offset > (best?.offset ?? 0)) best = mark;
    return best;
  }

  set(view: string, mark: Bookmark): void {
    const found = this.#views.get(view) ?? { until: 0, marks: new Map<number, Bookmark>() };
    found.until = performance.now() + LIFETIME_MILLISECONDS;
    if (found.marks.size >= MOST_MARKS) found.marks.clear();
    found.marks.set(mark.offset, mark);
    this.#views.delete(view);
    if (this.#views.size >= MOST_VIEWS) this.#views.delete(this.#views.keys().next().value ?? '');
    this.#views.set(view, found);
  }

  clear(): void {
    this.#views.clear();
  }
}
