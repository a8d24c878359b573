import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { cutText, shortenedText } from './cutText.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Bytes of memory, in the heap and outside of it. */
function inMemory(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it.each([
  ['cut', cutText],
  ['shortened', shortenedText],
] as const)('a %s text keeps nothing of the whole one', (_title, cut) => {
  const bytes = Buffer.alloc(8_000_000, '\u{20AC}');
  const before = inMemory();
  const retained = Array.from({ length: 20 }, () => cut(bytes.toString(), 1_000));
  expect(inMemory() - before).toBeLessThan(20_000_000);
  expect(retained.every((text) => text.length === 1_000)).toBe(true);
});

it('cuts as a slice does, and shortens at a whole character', () => {
  expect(cutText('a\u{1F600}b', 2)).toBe('a\u{D83D}');
  expect(cutText('abc', 3)).toBe('abc');
  expect(shortenedText('a\u{1F600}b', 3)).toBe('a…');
  expect(shortenedText('abc', 3)).toBe('abc');
});
