import { expect, it } from 'vitest';
import { requireClearJson } from './requireClearJson.ts';

const refusal = (text: string): string | undefined => {
  try {
    requireClearJson(text, 'The input');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : undefined;
  }
};

it.each([
  ['{"a":1,"a":2}', /“a” twice/],
  ['{"x":{"b":[{"c":1,"c":null}]}}', /“c” twice/],
  ['{"a":1, "\\u0061":2}', /“a” twice/],
  ['{"__proto__":1,"__proto__":2}', /“__proto__” twice/],
  [`${'['.repeat(101)}${']'.repeat(101)}`, /100 levels/],
  [`{"a":${'{"a":'.repeat(200_000)}`, /100 levels/],
])('refuses %.40s', (text, message) => expect(refusal(text)).toMatch(message));

it.each([
  '{"a":{"a":1},"b":["a","a"],"c":"a"}',
  '[{"a":1},{"a":1}]',
  '{"s":"\\"a\\":1,","t":"{"}',
  'not JSON',
  '',
  '{"a":"a","b":"a"}',
])('leaves %s', (text) => expect(refusal(text)).toBeUndefined());

it('takes time that grows with the text', () => {
  const text = `{${Array.from({ length: 200_000 }, (_, index) => `"m${index}":"${'\\"'.repeat(5)}"`).join(',')}}`;
  const began = performance.now();
  requireClearJson(text, 'The input');
  requireClearJson(`"${'\\'.repeat(1_000_001)}`, 'The input');
  expect(performance.now() - began).toBeLessThan(60_000);
});
