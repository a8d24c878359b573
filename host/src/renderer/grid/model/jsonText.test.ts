import { describe, expect, it } from 'vitest';
import { indentJson } from './jsonText.ts';

describe('indentJson', () => {
  it('changes white space and nothing else', () => {
    expect(indentJson('{"a":9007199254740993,"b":[1.0,-0,1e400]}')).toBe(
      '{\n  "a": 9007199254740993,\n  "b": [\n    1.0,\n    -0,\n    1e400\n  ]\n}',
    );
  });

  it('leaves strings alone, with whatever they hold', () => {
    const text = '{"a{[,:":"\\"},\\\\"}';
    expect(indentJson(text)).toBe('{\n  "a{[,:": "\\"},\\\\"\n}');
  });

  it('keeps empty objects and arrays in one line', () => {
    expect(indentJson('{"a":{},"b":[ ]}')).toBe('{\n  "a": {},\n  "b": []\n}');
  });

  it('means the same as before', () => {
    const value = { a: [1, [2, { b: null }], []], 'c d': 'x, y: {z}', e: { f: true } };
    expect(JSON.parse(indentJson(JSON.stringify(value)))).toEqual(value);
    expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
  });

  it("ends with a text that isn't valid JSON", () => {
    expect(indentJson('"never closed')).toBe('"never closed');
    expect(indentJson(']]')).toContain(']');
  });
});
