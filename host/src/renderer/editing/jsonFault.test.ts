import { expect, it } from 'vitest';
import { jsonFault } from './jsonFault.ts';

it.each([
  ['[{"name": "Desk" "price": 1}]', { line: 1, character: 18, code: 'CommaExpected' }],
  ['[\n  {"name": "Desk",\n   "price": }\n]', { line: 3, character: 13, code: 'ValueExpected' }],
  ["{'a': 1}", { line: 1, character: 2, code: 'InvalidSymbol' }],
  ['{"a": 1}\n{"a": }', { line: 2, character: 7, code: 'ValueExpected' }],
  ['{"a": 1}\n\n{"a": 1,}', { line: 3, character: 9, code: 'PropertyNameExpected' }],
])('names the first fault of %j', (text, fault) => {
  expect(jsonFault(text)).toEqual(fault);
});

it('names none where there is none, and where it lies too deep', () => {
  expect(jsonFault('[{"a": 1}]')).toBeUndefined();
  expect(jsonFault('')).toEqual({ line: 1, character: 1, code: 'ValueExpected' });
  expect(jsonFault('['.repeat(1_000_000))).toBeUndefined();
});
