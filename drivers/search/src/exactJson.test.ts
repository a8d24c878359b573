import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exactDigits, parseExact, stringifyExact } from './exactJson.ts';

/**
 * JSON texts as the server writes them: compact, with integers of any length. No member's name needs an escape: V8 of Node 26.10 takes
 * `{"\\"":1}` for `{"\\\\":1}` when an object with such a member was parsed before, by any caller.
 */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.bigInt(-(2n ** 70n), 2n ** 70n).map(String),
    fc
      .oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[,:[ ]?-?\d{14,20}[,\]} ]?$/))
      .map((text) => JSON.stringify(text.toWellFormed())),
    fc.constantFrom('true', 'false', 'null', '""', '0.5'),
    fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(',')}]`),
    fc
      .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z,:[ ]{1,4}$/), tie('value')), { maxLength: 4, selector: ([name]) => name })
      .map((members) => `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`),
  ),
})).value;

describe('exact integers', () => {
  it('survive reading and writing in any context', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const { value, marked } = parseExact(text);
        expect(stringifyExact(value, marked)).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['9007199254740993', '9007199254740993'],
    ['[1, -9007199254740993 ,2]', '[1,-9007199254740993,2]'],
    ['{"a":"x,9007199254740993,y","b":9007199254740993}', '{"a":"x,9007199254740993,y","b":9007199254740993}'],
    ['{"a": 18446744073709551615}', '{"a":18446744073709551615}'],
    ['[1234567890123456.5,0.1234567890123456789]', '[1234567890123456.5,0.12345678901234568]'],
  ])('%s', (text, written) => {
    const { value, marked } = parseExact(text);
    expect(stringifyExact(value, marked)).toBe(written);
  });

  it('a short integer stays a number, and no text is taken for a marked one', () => {
    const { value, marked } = parseExact('{"n":123456789012345,"t":"9007199254740993"}');
    expect(value).toEqual({ n: 123456789012345, t: '9007199254740993' });
    expect(marked).toBe(false);
    expect(exactDigits('9007199254740993')).toBeUndefined();
    expect(exactDigits('')).toBeUndefined();
  });

  it("text that isn't valid JSON is refused", () => {
    expect(() => parseExact('<html>1234567890123456789</html>')).toThrow(SyntaxError);
    expect(() => parseExact('{"a":01234567890123456789}')).toThrow(SyntaxError);
  });
});
