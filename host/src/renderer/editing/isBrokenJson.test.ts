import { expect, it } from 'vitest';
import { isBrokenJson } from './isBrokenJson.ts';

it.each([
  '{"a": 1',
  '[{"a": 1}, {"a": ]',
  "{'a': 1}",
  '{a: 1}',
  '["a", "b"',
  '[[1, 2], [3',
  '{"a": 1}\n{"a": }',
  ' \n[\n  {"name": "Desk"\n   "price": 1}]',
])('is broken: %j', (text) => {
  expect(isBrokenJson(text)).toBe(true);
});

it.each([
  '',
  'Desk',
  '[draft] Desk',
  '{{name}}',
  '{ braces }',
  '[1]\tone',
  '{"a": 1}',
  '[{"a": 1}]',
  '["a", "b"]',
  '{"a": 1}\r\n{"b": 2}\r\n',
  'x {"a":',
])('is not broken: %j', (text) => {
  expect(isBrokenJson(text)).toBe(false);
});

it('takes a long text that never becomes JSON', () => {
  expect(isBrokenJson(`${' '.repeat(1_000_000)}${'['.repeat(1_000_000)}`)).toBe(false);
  expect(isBrokenJson('['.repeat(1_000_000))).toBe(true);
});
