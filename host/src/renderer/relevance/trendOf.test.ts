import { describe, expect, it } from 'vitest';
import type { RelevanceRunInfo } from '../../common/relevance.ts';
import { trendOf } from './trendOf.ts';

const run = (day: number, ndcg: Readonly<Record<string, number | null>>) =>
  ({
    id: `r${day}`,
    startedAt: `2026-11-0${day}T10:00:00.000Z`,
    depth: 10,
    configurations: Object.entries(ndcg).map(([name, value]) => ({ name, totals: { ndcg: value } })),
  }) as unknown as RelevanceRunInfo;

describe('the course of nDCG over runs', () => {
  it('has the oldest run first, and a place for each run that had any of the configurations', () => {
    const newestFirst = [run(4, { A: 0.8, B: null }), run(3, { Other: 1 }), run(2, { B: 0.5 }), run(1, { A: 0.6 })];
    const trend = trendOf(newestFirst, ['A', 'B']);
    expect(trend.runs.map(({ id }) => id)).toEqual(['r1', 'r2', 'r4']);
    expect(trend.lines).toEqual([
      { name: 'A', values: [0.6, null, 0.8] },
      { name: 'B', values: [null, 0.5, null] },
    ]);
  });

  it('is empty where no run had one of them', () => {
    expect(trendOf([run(1, { A: 1 })], ['B'])).toEqual({ runs: [], lines: [{ name: 'B', values: [] }] });
  });
});
