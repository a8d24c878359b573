import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NotUtf8, utf8Text } from './utf8Text.ts';

describe('the text of bytes', () => {
  it('is the one that was encoded, without a byte order mark', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(utf8Text(new TextEncoder().encode(`\u{FEFF}${text}`))).toBe(text);
      }),
    );
  });

  it.each([
    ['Latin-1', Buffer.from('query,key\ncaf\xe9,k1\n', 'latin1'), 2],
    ['UTF-16', Buffer.from('\uFEFFquery\n', 'utf16le'), 1],
    ['a character that is cut at the end', Buffer.from('a\nb\né').subarray(0, 5), 3],
  ])('is none of %s, which names the line', (_, bytes, line) => {
    expect(() => utf8Text(bytes)).toThrow(new NotUtf8(line));
  });
});
