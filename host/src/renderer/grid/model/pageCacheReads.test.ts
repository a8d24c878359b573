import { describe, expect, it, vi } from 'vitest';
import { calls, exactly, fakePages, flush, offsets, setUpFakePages } from './fakePages.test-helper.ts';
import type { PageCache } from './pageCache.ts';

setUpFakePages();

describe('reading a range', () => {
  const collect = async (pages: PageCache, first: number, last: number): Promise<string[]> => {
    const ids: string[] = [];
    for await (const rows of pages.read(first, last, new AbortController().signal))
      ids.push(...rows.map(([id]) => (typeof id === 'string' ? id : JSON.stringify(id))));
    return ids;
  };

  it('takes what is here and reads the rest, page by page, also where pages do not stay', async () => {
    const pages = fakePages({ count: exactly(1_000_000), pageSize: 10_000 });
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
    const pages = fakePages({ paging: 'cursor' });
    const read = collect(pages, 250, 260);
    await flush();
    await calls[0]?.answer(100, { nextCursor: '100' });
    await calls[1]?.answer(100, { nextCursor: '200' });
    await calls[2]?.answer(55, { atEnd: true });
    expect(await read).toEqual(['250', '251', '252', '253', '254']);
  });

  it('fails with what reading fails with', async () => {
    const pages = fakePages({ count: exactly(100) });
    const read = collect(pages, 0, 10);
    const failed = expect(read).rejects.toThrow('broken');
    await flush();
    await calls[0]?.fail(new Error('broken'));
    await failed;
  });
});

describe('the end of a table of cursors', () => {
  it('is read from the end, and the rows between when they are scrolled to', async () => {
    const pages = fakePages({ paging: 'cursor', readsFromEnd: true, count: exactly(1_000) });
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
    const pages = fakePages({ paging: 'cursor' });
    await pages.readEnd(new AbortController().signal);
    expect(calls).toEqual([]);
    expect(pages.reachesEnd).toBe(false);
    expect(fakePages().reachesEnd).toBe(true);
  });
});
