import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonRowCheck } from './jsonRowCheck.ts';

const check = new JsonRowCheck();
const find = (json: string): string | undefined => check.problem(new TextEncoder().encode(json))?.column;

describe('JsonRowCheck', () => {
  it.each([
    ['{"a":1,"b":2,"a":3}', 'a'],
    ['{ "a" : 1 , "a" : 1 }', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\u0061":1,"b":2,"a":2}', 'a'],
    ['{"ä":1,"ä":2}', 'ä'],
    ['{"":1,"":2}', ''],
    ['{"o":{"x":1,"x":2}}', 'o'],
    ['{"l":[{"x":1},{"x":1,"x":2}]}', 'l'],
    ['{"l":[1,[2,{"y":{}}]],"l":0}', 'l'],
    ['{"t":"\\"a\\":1,\\\\","a":1,"a":2}', 'a'],
    [`{${Array.from({ length: 40 }, (_, index) => `"n${index}":0`).join()},"n3":1}`, 'n3'],
    [`{${Array.from({ length: 40 }, (_, index) => `"n${index}":0`).join()},"n39":1}`, 'n39'],
    ['{"toString":1,"__proto__":2,"__proto__":3}', '__proto__'],
  ])('finds in %s the column “%s”', (json, name) => expect(find(json)).toBe(name));

  it.each([
    ['{"j":{"a":1,"a":2},"a":3}', '“a” is twice in “j”.'],
    ['{"j":[0,{"b":1,"k":{"a":1,"a":2}}]}', '“a” is twice in “j.k”.'],
    ['{"j":{"a":1},"j":2}', '“j” is twice in the row.'],
  ])('says of %s where the member is', (json, sentence) => {
    expect(check.problem(new TextEncoder().encode(json))?.problem).toBe(`${sentence} Leave in the one that you mean.`);
  });

  it('finds half of a pair of surrogates in any text and name, with its column, and no whole pair', () => {
    const part = fc.constantFrom('a', '💥', '\\ud83d', '\\uDCA5', '\\\\', '\\"', '\\u0064', '\\n', 'ud800');
    const text = fc.array(part, { maxLength: 6 }).map((parts) => parts.join(''));
    const isWhole = (value: unknown): boolean =>
      typeof value === 'string'
        ? value.isWellFormed()
        : typeof value !== 'object' ||
          value === null ||
          Object.entries(value).every(([name, one]) => isWhole(name) && isWhole(one));
    fc.assert(
      fc.property(text, text, (value, name) => {
        const rows = [
          `{"id":"\\\\ud800","c":"${value}","d":1}`,
          `{"id":1,"c":[{"e":["${value}"]}],"d":1}`,
          `{"id":1,"c":{"${name}":"${value}"}}`,
        ];
        for (const json of rows) expect(find(json)).toBe(isWhole(JSON.parse(json)) ? undefined : 'c');
      }),
    );
  });

  it.each([
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}',
    '{"a":"a","b":"a","list":["a","a"]}',
    '{"text":"{\\"a\\":1,\\"a\\":2}"}',
    '{}',
    '[]',
    'a,a',
    '{"a"',
    '}{"a":1',
    `{${Array.from({ length: 3_000 }, (_, index) => `"n${index}":0`).join()}}`,
  ])('finds none in %s', (json) => expect(find(json)).toBeUndefined());

  it('finds none in what JSON.stringify writes, and one after any of its members is written again', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), fc.nat(), (object, at) => {
        const json = JSON.stringify(object);
        expect(find(json)).toBeUndefined();
        const names = Object.keys(object);
        const name = names[at % names.length] ?? '';
        expect(find(`${json.slice(0, -1)},${JSON.stringify(name)}:null}`)).toBe(name);
      }),
    );
  });
});
