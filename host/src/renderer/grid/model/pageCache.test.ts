import type { PagePosition, PageRequest, RowCount } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DecodedPage } from '../../api/decodedPage.ts';
import { ReportedError } from '../../api/problem.ts';
import { PageCache } from './pageCache.ts';

interface Call {
  readonly position: PagePosition;
  readonly limit: PageRequest['limit'];
  readonly signal: AbortSignal;
  answer(rows: number, more?: Partial<DecodedPage['head']>): Promise<void>;
  fail(error: Error): Promise<void>;
}

let calls: Call[];

beforeEach(() => {
  vi.useFakeTimers();
  calls = [];
});
afterEach(() => {
  vi.useRealTimers();
});

const flush = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
const offsets = (): readonly (number | string)[] =>
  calls.map(({ position }) =>
    position.from === 'offset'
      ? position.offset
      : position.from === 'cursor'
        ? position.cursor
        : position.from === 'end'
          ? 'end'
          : 0,
  );

/** What a page from the end begins with. */
const TAIL = 900;

function cache(
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

const exactly = (rows: number): RowCount => ({ rows, exact: true });

describe('offset paging', () => {
  it('reads the page on the screen, then the one after it', async () => {
    const pages = cache({ count: exactly(1_000) });
    pages.want(0, 20);
    expect(offsets()).toEqual([0]);
    expect(pages.row(0)).toBeUndefined();
    await calls[0]?.answer(100);
    expect(pages.row(0)).toEqual(['0', 'name 0']);
    expect(pages.row(99)).toEqual(['99', 'name 99']);
    expect(pages.milliseconds).toBe(7);
    expect(offsets()).toEqual([0, 100]);
  });

  it('reads backwards when scrolling goes backwards', async () => {
    const pages = cache({ count: exactly(1_000) });
    pages.want(550, 570);
    pages.want(540, 560);
    await calls[0]?.answer(100);
    expect(offsets()).toEqual([500, 400]);
  });

  it('stops what the screen has left behind, and waits until a dragged bar rests', async () => {
    const pages = cache({ count: exactly(100_000) });
    pages.want(0, 20);
    pages.want(30_000, 30_020);
    pages.want(60_000, 60_020);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(offsets()).toEqual([0, 60_000]);
    expect(pages.failureAmong(0, 999)).toBeUndefined();
  });

  it('reads both pages where the screen stands between two', async () => {
    const pages = cache({ count: exactly(1_000) });
    pages.want(90, 110);
    expect(offsets()).toEqual([0, 100]);
  });

  it('learns where the table ends', async () => {
    const pages = cache({ count: { rows: 90, exact: false } });
    pages.want(0, 20);
    await calls[0]?.answer(64, { atEnd: true });
    expect(pages.rowCount).toBe(64);
    expect(pages.total).toEqual(exactly(64));
  });

  it('draws one page more than it knows while nobody has counted', async () => {
    const pages = cache();
    expect(pages.rowCount).toBe(100);
    pages.want(0, 20);
    await calls[0]?.answer(100);
    expect(pages.rowCount).toBe(200);
    expect(pages.total).toBeUndefined();
  });

  it('takes the total that a page brings', async () => {
    const pages = cache();
    pages.want(0, 20);
    await calls[0]?.answer(100, { total: exactly(5_000) });
    expect(pages.rowCount).toBe(5_000);
  });

  it('never has fewer rows than it has read, whatever the estimate was', async () => {
    const pages = cache({ count: { rows: 50, exact: false } });
    pages.want(0, 20);
    await calls[0]?.answer(100);
    expect(pages.total).toEqual({ rows: 100, exact: false });
  });

  it('takes a count that comes later, but believes its own pages more', async () => {
    const pages = cache();
    pages.want(0, 20);
    pages.learn(exactly(1_000));
    expect(pages.rowCount).toBe(1_000);
    await calls[0]?.answer(100);
    pages.learn(exactly(40));
    expect(pages.total).toEqual({ rows: 100, exact: false });
    await calls[1]?.answer(20, { atEnd: true });
    pages.learn(exactly(1_000));
    expect(pages.total).toEqual(exactly(120));
  });

  it('knows an empty table', async () => {
    const pages = cache();
    pages.want(0, 20);
    await calls[0]?.answer(0, { atEnd: true });
    expect(pages.isEmpty).toBe(true);
  });

  it('keeps a failure beside its page until it is tried again', async () => {
    const pages = cache({ count: exactly(1_000) });
    pages.want(100, 120);
    const report = { code: 'TIMEOUT', message: 'Late.', advice: 'Again.', retryable: true, details: {} } as const;
    await calls[0]?.fail(new ReportedError(report));
    expect(pages.failureAmong(0, 3)).toEqual({ page: 1, first: 100, last: 199, problem: report });
    pages.want(101, 121);
    expect(calls).toHaveLength(1);
    pages.retry(1);
    expect(offsets()).toEqual([100, 100]);
    await calls[1]?.answer(100);
    expect(pages.failureAmong(0, 3)).toBeUndefined();
    expect(pages.row(100)).toEqual(['100', 'name 100']);
  });

  it('says what a person cancelled, and reads it when asked again', async () => {
    const pages = cache({ count: exactly(1_000) });
    pages.want(0, 20);
    pages.cancel();
    await flush();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(pages.failureAmong(0, 0)?.problem.code).toBe('CANCELLED');
    expect(pages.isReading).toBe(false);
  });

  it('lets go of pages far from the screen', async () => {
    const pages = cache({ count: exactly(200_000), pageSize: 10_000 });
    for (let page = 0; page < 8; page += 1) {
      pages.want(page * 10_000, page * 10_000 + 20);
      await vi.advanceTimersByTimeAsync(200);
      for (const call of calls) await call.answer(10_000);
    }
    expect(pages.row(70_000)).toBeDefined();
    expect(pages.row(0)).toBeUndefined();
    expect(pages.row(79_999)).toBeDefined();
  });

  it('reads on when it is used again after it was let go', async () => {
    const pages = cache({ count: exactly(1_000) });
    pages.want(0, 20);
    pages.dispose();
    expect(calls[0]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    pages.want(0, 20);
    expect(calls).toHaveLength(2);
  });

  it('says the span of a page', () => {
    const pages = cache({ count: exactly(250) });
    expect(pages.pageSpan(0)).toEqual({ first: 0, last: 99 });
    expect(pages.pageSpan(2)).toEqual({ first: 200, last: 249 });
    expect(pages.pageSpan(9)).toEqual({ first: 200, last: 249 });
  });

  it('tells listeners of every change that is seen', async () => {
    const pages = cache({ count: exactly(250) });
    const versions: number[] = [];
    const unsubscribe = pages.subscribe(() => versions.push(pages.version()));
    pages.want(0, 20);
    await calls[0]?.answer(100);
    expect(versions.length).toBeGreaterThan(1);
    expect(new Set(versions).size).toBe(versions.length);
    unsubscribe();
  });
});

describe('cursor paging', () => {
  it('grows as it is read, by the cursor of the page before', async () => {
    const pages = cache({ paging: 'cursor' });
    pages.want(0, 20);
    await calls[0]?.answer(100, { nextCursor: '100' });
    expect(pages.rowCount).toBe(200);
    await calls[1]?.answer(60, { nextCursor: '160' });
    expect(pages.pageSpan(1)).toEqual({ first: 100, last: 159 });
    pages.want(150, 170);
    await vi.advanceTimersByTimeAsync(200);
    await calls[2]?.answer(10, { atEnd: true });
    expect(offsets()).toEqual([0, '100', '160']);
    expect(pages.rowCount).toBe(170);
    expect(pages.total).toEqual(exactly(170));
    expect(pages.row(165)).toEqual(['165', 'name 165']);
  });
});

describe('reading a range', () => {
  const collect = async (pages: PageCache, first: number, last: number): Promise<string[]> => {
    const ids: string[] = [];
    for await (const rows of pages.read(first, last, new AbortController().signal)) ids.push(...rows.map(([id]) => String(id)));
    return ids;
  };

  it('takes what is here and reads the rest, page by page, also where pages do not stay', async () => {
    const pages = cache({ count: exactly(1_000_000), pageSize: 10_000 });
    const read = collect(pages, 9_998, 40_001);
    for (let page = 0; page < 5; page += 1) {
      await flush();
      await calls[page]?.answer(10_000);
    }
    const ids = await read;
    expect(ids).toHaveLength(30_004);
    expect([ids[0], ids.at(-1)]).toEqual(['9998', '40001']);
    expect(offsets()).toEqual([0, 10_000, 20_000, 30_000, 40_000]);
  });

  it('goes from cursor to cursor', async () => {
    const pages = cache({ paging: 'cursor' });
    const read = collect(pages, 250, 260);
    await flush();
    await calls[0]?.answer(100, { nextCursor: '100' });
    await calls[1]?.answer(100, { nextCursor: '200' });
    await calls[2]?.answer(55, { atEnd: true });
    expect(await read).toEqual(['250', '251', '252', '253', '254']);
  });

  it('fails with what reading fails with', async () => {
    const pages = cache({ count: exactly(100) });
    const read = collect(pages, 0, 10);
    const failed = expect(read).rejects.toThrow('broken');
    await flush();
    await calls[0]?.fail(new Error('broken'));
    await failed;
  });
});

describe('the end of a table of cursors', () => {
  it('is read from the end, and the rows between when they are scrolled to', async () => {
    const pages = cache({ paging: 'cursor', readsFromEnd: true, count: exactly(1_000) });
    pages.want(0, 20);
    await calls[0]?.answer(100, { nextCursor: '100' });
    await calls[1]?.answer(100, { nextCursor: '200' });
    const end = pages.readEnd(new AbortController().signal);
    await calls[2]?.answer(100, { atEnd: true });
    await end;
    expect(pages.rowCount).toBe(1_000);
    expect(pages.row(999)).toEqual(['999', 'name 999']);
    expect(pages.row(500)).toBeUndefined();
    pages.want(980, 999);
    await vi.advanceTimersByTimeAsync(200);
    expect(offsets()).toEqual([0, '100', 'end']);
    expect(pages.pageSpan(pages.pageOf(980))).toEqual({ first: 900, last: 999 });
    pages.want(350, 370);
    await vi.advanceTimersByTimeAsync(200);
    await calls[3]?.answer(100, { nextCursor: '300' });
    await calls[4]?.answer(100, { nextCursor: '400' });
    expect(pages.row(350)).toEqual(['350', 'name 350']);
    expect([...pages.loadedRows()].map(([index]) => index).at(-1)).toBe(999);
    expect(pages.loadedCount).toBe(500);
  });

  it('is not asked for where the table cannot be read from there', async () => {
    const pages = cache({ paging: 'cursor' });
    await pages.readEnd(new AbortController().signal);
    expect(calls).toEqual([]);
    expect(pages.reachesEnd).toBe(false);
    expect(cache().reachesEnd).toBe(true);
  });
});
