import { expect, it } from 'vitest';
import { cutIdentifiers } from './cutIdentifiers.ts';

it.each([
  ['short', 'short', 'short', 'short'],
  ['a'.repeat(70), 'a'.repeat(63), 'a'.repeat(63), 'a'.repeat(63)],
  ['ä'.repeat(70), 'ä'.repeat(31), 'ä'.repeat(31), 'ä'.repeat(63)],
  ['語'.repeat(70), '語'.repeat(21), '語'.repeat(31), '語'.repeat(63)],
])('The server cuts %s by the bytes of its encoding', (name, ...cut) => {
  expect(cutIdentifiers(name)).toEqual(cut);
});
