import { describe, expect, it } from 'vitest';
import { numeralOf, parseLossless } from './losslessJson.ts';

describe('JSON with all its digits', () => {
  it('keeps numbers as they were written', () => {
    const text = '{"a":[9007199254740993,1.0,-1e3,"9"],"b":null,"c":true}';
    expect(JSON.stringify(parseLossless(text))).toBe(text);
    const [number, other] = parseLossless('[9007199254740993,"7"]') as unknown[];
    expect(numeralOf(number)).toBe('9007199254740993');
    expect(numeralOf(other)).toBeUndefined();
    expect(numeralOf({})).toBeUndefined();
  });

  it('rejects invalid JSON', () => {
    expect(() => parseLossless('{a:1}')).toThrow(SyntaxError);
  });
});
