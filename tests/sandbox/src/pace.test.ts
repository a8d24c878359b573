import { describe, expect, test } from 'vitest';
import { readPace, searchCost, waitUntil } from './pace.ts';

const ROW_BYTES = 457;
const page = (skipped: number): number =>
  searchCost({ text: 'x'.repeat(ROW_BYTES * 250), found: 100_000, shown: 250, skipped, sorts: [], textSorted: false });
const thousandRows = (offset: number): number => [0, 250, 500, 750].reduce((sum, at) => sum + page(offset + at), 0);

describe('the cost of a search follows what was measured', () => {
  test.for([
    [0, 23.6],
    [50_000, 71],
    [97_000, 187],
  ] as const)('1,000 rows at offset %d take about %d ms', ([offset, measured]) => {
    expect(thousandRows(offset) / measured).toBeGreaterThan(0.85);
    expect(thousandRows(offset) / measured).toBeLessThan(1.15);
  });

  test('a count is cheap, a sort by a string dear', () => {
    const count = searchCost({ text: '{}', found: 100_000, shown: 0, skipped: 0, sorts: [], textSorted: false });
    const sorts = [{ by: 'field', field: 'name', descending: false, missing: 'last' }] as const;
    const sorted = searchCost({ text: '', found: 100_000, shown: 0, skipped: 0, sorts, textSorted: true });
    expect(count).toBeLessThan(2);
    expect(sorted - count).toBeGreaterThan(30);
  });
});

describe('options', () => {
  test('no delay by default, and 75 MB/s of export unless set otherwise', () => {
    expect(readPace(undefined)).toBeUndefined();
    expect(readPace(false)).toBeUndefined();
    expect(readPace(true)).toEqual({ exportBytesPerSecond: 75_000_000, searchFactor: 1 });
    expect(readPace({ exportMegabytesPerSecond: 10, searchFactor: 2 })).toEqual({
      exportBytesPerSecond: 10_000_000,
      searchFactor: 2,
    });
  });
});

test('a wait ends with the connection', async () => {
  const gone = new AbortController();
  const waiting = waitUntil(performance.now(), 60_000, gone.signal);
  gone.abort();
  await waiting;
  expect(gone.signal.aborted).toBe(true);
});
