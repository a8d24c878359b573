import { expect, it } from 'vitest';
import { resembledName } from './resemblance.ts';

const known = [
  { name: 'Tabularium', keyId: 'a' },
  { name: 'Acme', keyId: 'b' },
];

it.each([
  ['Tabularium', 'Tabularium'],
  ['Tаbularium', 'Tabularium'],
  ['TABULARIUM.', 'Tabularium'],
  ['Acrne', 'Acme'],
  ['Local driver registry', 'Local driver registry'],
  ['Lосal Driver Registry ', 'Local driver registry'],
  ['Acme Labs', undefined],
])('"%s" under another key is taken for %s', (name, other) => {
  expect(resembledName({ name, keyId: 'x' }, known)).toBe(other);
});

it('a key is not like itself', () => {
  expect(resembledName({ name: 'Acme', keyId: 'b' }, known)).toBeUndefined();
});
