import { TAIL_PAGE } from './pageStore.ts';
import type { PageStore } from './pageStore.ts';

/** The rows on the screen, both counted from 0. */
export interface Viewport {
  readonly first: number;
  readonly last: number;
}

/** Visible pages first, then the neighbour that scrolling comes to next. */
export function wantedPages(
  store: PageStore,
  viewport: Viewport,
  rowCount: number,
  isForward: boolean,
): { readonly visible: readonly number[]; readonly next: number } {
  const beforeTail = store.tail?.start ?? Number.POSITIVE_INFINITY;
  if (viewport.first >= beforeTail) return { visible: [], next: TAIL_PAGE };
  const lastPage = store.pageOf(Math.max(0, Math.min(rowCount, beforeTail) - 1));
  const from = Math.min(store.pageOf(viewport.first), lastPage);
  const to = Math.min(store.pageOf(Math.min(viewport.last, beforeTail - 1)), lastPage);
  const visible: number[] = [];
  for (let page = from; page <= to; page += 1) visible.push(page);
  return { visible, next: isForward ? Math.min(to + 1, lastPage) : Math.max(from - 1, 0) };
}
