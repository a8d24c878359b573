import { describe, expect, it, vi } from 'vitest';
import { ReportedProblem } from '../../api/problem.ts';
import { calls, exactly, fakePages, flush, offsets, setUpFakePages } from './fakePages.test-helper.ts';

setUpFakePages();

describe('offset paging', () => {
  it('reads the page on the screen, then the one after it', async () => {
    const pages = fakePages({ count: exactly(1_000) });
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
    const pages = fakePages({ count: exactly(1_000) });
    pages.want(550, 570);
    pages.want(540, 560);
    await calls[0]?.answer(100);
    expect(offsets()).toEqual([500, 400]);
  });

  it('stops what the screen has left behind, and waits until a dragged bar rests', async () => {
    const pages = fakePages({ count: exactly(100_000) });
    pages.want(0, 20);
    pages.want(30_000, 30_020);
    pages.want(60_000, 60_020);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    expect(offsets()).toEqual([0, 60_000]);
    expect(pages.failureAmong(0, 999)).toBeUndefined();
  });

  it('reads both pages when the screen spans two', async () => {
    const pages = fakePages({ count: exactly(1_000) });
    pages.want(90, 110);
    expect(offsets()).toEqual([0, 100]);
  });

  it('learns where the table ends', async () => {
    const pages = fakePages({ count: { rows: 90, exact: false } });
    pages.want(0, 20);
    await calls[0]?.answer(64, { atEnd: true });
    expect(pages.rowCount).toBe(64);
    expect(pages.total).toEqual(exactly(64));
  });

  it('assumes one more page than it has until the rows are counted', async () => {
    const pages = fakePages();
    expect(pages.rowCount).toBe(100);
    pages.want(0, 20);
    await calls[0]?.answer(100);
    expect(pages.rowCount).toBe(200);
    expect(pages.total).toBeUndefined();
  });

  it('takes the total that a page brings', async () => {
    const pages = fakePages();
    pages.want(0, 20);
    await calls[0]?.answer(100, { total: exactly(5_000) });
    expect(pages.rowCount).toBe(5_000);
  });

  it('never has fewer rows than it has read, whatever the estimate was', async () => {
    const pages = fakePages({ count: { rows: 50, exact: false } });
    pages.want(0, 20);
    await calls[0]?.answer(100);
    expect(pages.total).toEqual({ rows: 100, exact: false });
  });

  it('takes a count that comes later, but believes its own pages more', async () => {
    const pages = fakePages();
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

  it('has the size of an empty table', async () => {
    const pages = fakePages();
    pages.want(0, 20);
    await calls[0]?.answer(0, { atEnd: true });
    expect(pages.isEmpty).toBe(true);
  });

  it('keeps a failure beside its page until it is tried again', async () => {
    const pages = fakePages({ count: exactly(1_000) });
    pages.want(100, 120);
    const report = { code: 'TIMEOUT', message: 'Late.', advice: 'Again.', retryable: true, details: {} } as const;
    await calls[0]?.fail(new ReportedProblem(report));
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
    const pages = fakePages({ count: exactly(1_000) });
    pages.want(0, 20);
    pages.cancel();
    await flush();
    expect(calls[0]?.signal.aborted).toBe(true);
    expect(pages.failureAmong(0, 0)?.problem.code).toBe('CANCELLED');
    expect(pages.isReading).toBe(false);
  });

  it('lets go of pages far from the screen', async () => {
    const pages = fakePages({ count: exactly(200_000), pageSize: 10_000 });
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
    const pages = fakePages({ count: exactly(1_000) });
    pages.want(0, 20);
    pages.dispose();
    expect(calls[0]?.signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(200);
    pages.want(0, 20);
    expect(calls).toHaveLength(2);
  });

  it('says the span of a page', () => {
    const pages = fakePages({ count: exactly(250) });
    expect(pages.pageSpan(0)).toEqual({ first: 0, last: 99 });
    expect(pages.pageSpan(2)).toEqual({ first: 200, last: 249 });
    expect(pages.pageSpan(9)).toEqual({ first: 200, last: 249 });
  });

  it('notifies listeners of every visible change', async () => {
    const pages = fakePages({ count: exactly(250) });
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
    const pages = fakePages({ paging: 'cursor' });
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
