import type { PagePosition, PageRequest, RowCount } from '@tabularium/sdk';
import { afterEach, beforeEach, vi } from 'vitest';
import type { DecodedPage } from '../../api/decodedPage.ts';
import { PageCache } from './pageCache.ts';

interface Call {
  readonly position: PagePosition;
  readonly limit: PageRequest['limit'];
  readonly signal: AbortSignal;
  answer(rows: number, more?: Partial<DecodedPage['head']>): Promise<void>;
  fail(error: Error): Promise<void>;
}

/** The pages that a cache asked for, in order. They come when a test answers them. */
export const calls: Call[] = [];

/** Every test of a file begins without calls and with fake timers. */
export function setUpFakePages(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    calls.length = 0;
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const flush = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
export const offsets = (): readonly (number | string)[] =>
  calls.map(({ position }) =>
    position.from === 'offset'
      ? position.offset
      : position.from === 'cursor'
        ? position.cursor
        : position.from === 'end'
          ? 'end'
          : 0,
  );

/** The first row of a page from the end. */
const TAIL = 900;

export function fakePages(
  options: { paging?: 'offset' | 'cursor'; pageSize?: number; count?: RowCount; readsFromEnd?: boolean } = {},
): PageCache {
  const { paging = 'offset', pageSize = 100, count, readsFromEnd = false } = options;
  return new PageCache({
    paging,
    readsFromEnd,
    pageSize,
    columns: ['id', 'name'],
    ...(count === undefined ? {} : { count }),
    load: (position, limit, signal) =>
      new Promise((resolve, reject) => {
        const known = { offset: 0, cursor: '0', ...position };
        const start = position.from === 'end' ? TAIL : known.offset + Number(known.cursor);
        signal.addEventListener('abort', () => reject(signal.reason as Error));
        calls.push({
          position,
          limit,
          signal,
          answer: async (rows, more = {}) => {
            resolve({
              head: { rowCount: rows, atEnd: false, droppedSorts: [], milliseconds: 7, ...more },
              batch: {
                columns: [
                  { name: 'name', kind: 'text' },
                  { name: 'id', kind: 'text' },
                ],
                rows: Array.from({ length: rows }, (_, index) => [`name ${start + index}`, String(start + index)]),
              },
            });
            await flush();
          },
          fail: async (error) => {
            reject(error);
            await flush();
          },
        });
      }),
  });
}

export const exactly = (rows: number): RowCount => ({ rows, exact: true });
