import { describe, expect, it } from 'vitest';
import { discountedGain, meanOf, overlap, rankMetrics } from './rankMetrics.ts';

/** Rows named by their place in the ranking, with these grades. */
function ranking(grades: readonly number[]) {
  const keys = grades.map((_, place) => `r${place}`);
  return { keys, grades: new Map(keys.map((key, place) => [key, grades[place] ?? 0])) };
}

describe('discounted cumulative gain', () => {
  // The ranking of Wikipedia's article "Discounted cumulative gain"; these metrics for the exponential gain are those of the tests of
  // Elasticsearch's ranking evaluation.
  it('is that of the published example', () => {
    expect(discountedGain([3, 2, 3, 0, 1, 2])).toBeCloseTo(13.84826362927298, 12);
    expect(discountedGain([3, 3, 2, 2, 1, 0])).toBeCloseTo(14.595390756454922, 12);
    const { keys, grades } = ranking([3, 2, 3, 0, 1, 2]);
    expect(rankMetrics(keys, { grades, depth: 6, relevantFrom: 1 }).ndcg).toBeCloseTo(0.9488107485678985, 12);
  });

  it('is measured against the best order of all judged rows, those that were not found included', () => {
    const grades = new Map([
      ['found', 1],
      ['missed', 3],
    ]);
    const { ndcg } = rankMetrics(['found'], { grades, depth: 10, relevantFrom: 1 });
    expect(ndcg).toBeCloseTo(1 / (7 + 1 / Math.log2(3)), 12);
  });

  it('is 1 for the best order, and less for every other', () => {
    const { keys, grades } = ranking([3, 2, 1, 0]);
    const ndcg = (order: readonly string[]): number => rankMetrics(order, { grades, depth: 4, relevantFrom: 1 }).ndcg ?? NaN;
    expect(ndcg(keys)).toBe(1);
    for (const [first, second] of [
      [0, 1],
      [0, 3],
      [1, 2],
      [2, 3],
    ] as const) {
      const swapped = [...keys];
      [swapped[first], swapped[second]] = [keys[second] ?? '', keys[first] ?? ''];
      expect(ndcg(swapped)).toBeLessThan(1);
    }
  });

  it('looks at no more hits than asked for, on both sides of the division', () => {
    const { keys, grades } = ranking([0, 0, 3]);
    expect(rankMetrics(keys, { grades, depth: 2, relevantFrom: 1 }).ndcg).toBe(0);
    const many = ranking([1, 1, 1, 1]);
    expect(rankMetrics(many.keys, { grades: many.grades, depth: 2, relevantFrom: 1 }).ndcg).toBe(1);
  });
});

describe('reciprocal rank', () => {
  // The example of Wikipedia's article "Mean reciprocal rank": cats at rank 3, tori at 2, viruses at 1.
  it('has the mean of the published example', () => {
    const ranks = [3, 2, 1].map((rank) => {
      const { keys, grades } = ranking([1, 2, 3].map((place) => (place === rank ? 1 : 0)));
      return rankMetrics(keys, { grades, depth: 10, relevantFrom: 1 }).reciprocalRank;
    });
    expect(meanOf(ranks)).toBeCloseTo(11 / 18, 12);
  });

  it('is 0 where the first relevant hit is too deep', () => {
    const { keys, grades } = ranking([0, 0, 1]);
    expect(rankMetrics(keys, { grades, depth: 2, relevantFrom: 1 }).reciprocalRank).toBe(0);
  });
});

describe('precision and recall', () => {
  // Exercise 8.8 of Manning, Raghavan, Schütze, "Introduction to Information Retrieval": 8 relevant documents, 6 of them among the first 20.
  it('are those of the published example', () => {
    const { keys, grades } = ranking([...'RRNNNNNNRNRNNNRNNNNR'].map((letter) => (letter === 'R' ? 1 : 0)));
    grades.set('missed 1', 1).set('missed 2', 1);
    const metrics = rankMetrics(keys, { grades, depth: 20, relevantFrom: 1 });
    expect(metrics.precision).toBeCloseTo(0.3, 12);
    expect(metrics.recall).toBeCloseTo(0.75, 12);
  });

  it('divides by the depth also where fewer rows were found', () => {
    const { keys, grades } = ranking([1, 1]);
    expect(rankMetrics(keys, { grades, depth: 10, relevantFrom: 1 })).toMatchObject({ precision: 0.2, recall: 1 });
  });

  it('counts from the grade that was chosen', () => {
    const { keys, grades } = ranking([1, 2, 3]);
    expect(rankMetrics(keys, { grades, depth: 3, relevantFrom: 2 })).toMatchObject({ reciprocalRank: 0.5, precision: 2 / 3 });
  });
});

it('measures nothing where no row was judged relevant', () => {
  const nothing = { ndcg: null, reciprocalRank: null, precision: null, recall: null };
  expect(rankMetrics(['a'], { grades: new Map(), depth: 10, relevantFrom: 1 })).toEqual(nothing);
  expect(rankMetrics(['a'], { grades: new Map([['a', 0]]), depth: 10, relevantFrom: 1 })).toEqual(nothing);
  expect(rankMetrics(['a'], { grades: new Map([['a', 1]]), depth: 10, relevantFrom: 2 })).toEqual(nothing);
  expect(meanOf([null, null])).toBeNull();
  expect(meanOf([null, 0.5, 1])).toBe(0.75);
});

it('counts what two lists have in common', () => {
  expect(overlap(['a', 'b', 'c'], ['b', 'c', 'd'])).toBe(0.5);
  expect(overlap(['a'], [])).toBe(0);
  expect(overlap([], [])).toBe(1);
});
