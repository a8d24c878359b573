import { expect, it } from 'vitest';
import { sizeOfRow } from './retainedRows.ts';

const lengthOf = (bytes: number): number => 4 + 2 + 4 + bytes;

it('counts two bytes for each character of a text that is not ASCII, and of bytes that are not valid text', () => {
  const [ascii, wide, invalid] = ['a'.repeat(10_000), '\u{20AC}'.repeat(10_000), '\u{FFFD}'.repeat(10_000)];
  expect(sizeOfRow([ascii], lengthOf(10_000))).toBeLessThan(11_000);
  expect(sizeOfRow([wide], lengthOf(30_000))).toBeGreaterThan(20_000);
  expect(sizeOfRow([invalid], lengthOf(10_000))).toBeGreaterThan(20_000);
  // A value that is longer than its message has what follows it.
  expect(sizeOfRow([`${ascii}\u{20AC}`], lengthOf(3))).toBeGreaterThan(20_000);
});
