import { expect, it } from 'vitest';
import { misestimate } from './planEstimates.ts';

it.each([
  [2, 200, { is: 'more', factor: 100 }],
  [1_000, 3, { is: 'fewer', factor: 333 }],
  [10, 0, { is: 'fewer', factor: 10 }],
  [0, 0, undefined],
  [1, 9, undefined],
  [0, 10, { is: 'more', factor: 10 }],
  [5, undefined, undefined],
  [undefined, 5, undefined],
])('%s rows expected and %s found: %o', (estimatedRows, actualRows, expected) => {
  expect(
    misestimate({
      ...(estimatedRows === undefined ? {} : { estimatedRows }),
      ...(actualRows === undefined ? {} : { actualRows }),
    }),
  ).toEqual(expected);
});
