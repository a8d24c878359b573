import { expect, it } from 'vitest';
import { durationText } from './Duration.tsx';

it.each([
  [0, '0 s'],
  [999, '0 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [185_000, '3 min 5 s'],
  [3_600_000, '1 h'],
  [3_605_000, '1 h'],
  [8_040_000, '2 h 14 min'],
  [273_600_000, '3 d 4 h'],
  [400 * 86_400_000, '400 d'],
])('writes %d ms with two units at most', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});
