import { expect, it } from 'vitest';
import { wholeStart } from './visibleText.ts';

it('begins a text with whole characters, and changes no other', () => {
  expect(wholeStart('a😀b', 1)).toBe('a');
  expect(wholeStart('a😀b', 2)).toBe('a');
  expect(wholeStart('a😀b', 3)).toBe('a😀');
  expect(wholeStart('a😀b', 9)).toBe('a😀b');
  expect(wholeStart('a\uD83Dbc', 3)).toBe('a\uFFFDb');
  expect(wholeStart('😀', 0)).toBe('');
  expect(wholeStart('', 5)).toBe('');
});
