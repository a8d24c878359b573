import { expect, it } from 'vitest';
import { averageOverlap } from './averageOverlap.ts';

// The example of the publication: Webber, Moffat and Zobel, 2010, figure 2.
const FIRST = [...'abcdefg'];
const SECOND = [...'zcavwxy'];

it.each([
  [1, 0],
  [2, 0],
  [3, 0.222],
  [4, 0.292],
  [5, 0.313],
  [6, 0.317],
  [7, 0.312],
])('down to depth %i the published example overlaps by %f on average', (depth, published) => {
  expect(averageOverlap(FIRST.slice(0, depth), SECOND.slice(0, depth))).toBeCloseTo(published, 3);
});

it('equal rankings overlap wholly, others not at all, and order counts', () => {
  expect(averageOverlap(['a', 'b', 'c'], ['a', 'b', 'c'])).toBe(1);
  expect(averageOverlap([], [])).toBe(1);
  expect(averageOverlap(['a'], [])).toBe(0);
  expect(averageOverlap(['a', 'b'], ['b', 'a'])).toBe(0.5);
  // A change at the top is more than one at the end.
  expect(averageOverlap(['a', 'b', 'c'], ['b', 'a', 'c'])).toBeLessThan(averageOverlap(['a', 'b', 'c'], ['a', 'c', 'b']));
});

it('a ranking that ends earlier lacks the rest', () => {
  expect(averageOverlap(['a', 'b'], ['a'])).toBe(0.75);
  expect(averageOverlap(['a'], ['a', 'b'])).toBe(0.75);
});
