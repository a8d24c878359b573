import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sameJson } from './sameJson.ts';

describe('the same JSON', () => {
  it.each([
    ['{"a":1,"b":[1,2]}', ' { "b": [1, 2],\n "a": 1 } '],
    ['{"a":"ä"}', String.raw`{"a":"\u00e4"}`],
    ['{"__proto__":1}', '{ "__proto__": 1 }'],
  ])('%s and %s', (a, b) => {
    expect(sameJson(a, b)).toBe(true);
  });

  it.each([
    ['{"n":12345678901234567890}', '{"n":12345678901234567891}'],
    ['{"n":1}', '{"n":1.0}'],
    ['{"n":1}', '{"n":"1"}'],
    ['[1,2]', '[2,1]'],
    ['{"a":1}', '{"a":1,"b":null}'],
    ['{"a":{}}', '{"a":[]}'],
    ['{}', '[]'],
    ['{"name":"a","inner":1}', '[{"name":"a","inner":1}]'],
    ['{"a":null}', '{"a":{}}'],
    ['{"a":1', '{ "a":1'],
  ])('not %s and %s', (a, b) => {
    expect(sameJson(a, b)).toBe(false);
    expect(sameJson(b, a)).toBe(false);
  });

  it('is each document however it is laid out, and no other document', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        expect(sameJson(JSON.stringify(a), JSON.stringify(a, null, 2))).toBe(true);
        expect(sameJson(JSON.stringify(a), JSON.stringify(b))).toBe(JSON.stringify(sorted(a)) === JSON.stringify(sorted(b)));
      }),
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  // Under a name of its own: an object without members is not an empty list.
  return { members: members.map(([name, inner]) => [name, sorted(inner)]) };
}
