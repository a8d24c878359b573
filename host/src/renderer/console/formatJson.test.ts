import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatJson } from './formatJson.ts';

describe('formatJson', () => {
  it('indents a body, with every digit as it was', () => {
    expect(formatJson('POST /a\n{"n":9007199254740993,"x":1.50,"e":1E400}')).toBe(
      'POST /a\n{\n  "n": 9007199254740993,\n  "x": 1.50,\n  "e": 1E400\n}',
    );
  });

  it('indents each body of several statements', () => {
    expect(formatJson('A\n{"a":1}\n\nB\n[1,2]\n')).toBe('A\n{\n  "a": 1\n}\n\nB\n[\n  1,\n  2\n]\n');
  });

  it('leaves JSON lines lines', () => {
    expect(formatJson('A\n{"a":1}\n{"a":2}\n{"a":3}')).toBeUndefined();
  });

  it.each(['', 'GET /a', 'A\n{"a":', 'A\n{"a":{{x}}}', 'A {"a":1}', '{"a":1} b'])('leaves %j alone', (text) => {
    expect(formatJson(text)).toBeUndefined();
  });

  it('changes nothing but white space, and nothing the second time', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
        const once = formatJson(`RUN\n${JSON.stringify(value)}`);
        expect(JSON.parse(String(once).slice(4))).toEqual(JSON.parse(JSON.stringify(value)));
        expect(formatJson(String(once))).toBe(once);
      }),
    );
  });
});
