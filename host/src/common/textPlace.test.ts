import { describe, expect, it } from 'vitest';
import { placeIn, placeInSource, wordEnd } from './textPlace.ts';

describe('a place in a text', () => {
  it('is counted in lines and characters, whatever ends the lines', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = `SELECT 1,${end}${end}  naem${end}FROM t`;
      expect(placeIn(text, text.indexOf('naem'))).toEqual({ line: 3, column: 3, text: '  naem', at: 2 });
      expect(placeIn(text, 0)).toEqual({ line: 1, column: 1, text: 'SELECT 1,', at: 0 });
      expect(placeIn(text, text.length)).toEqual({ line: 4, column: 7, text: 'FROM t', at: 6 });
      expect(placeIn(text, text.indexOf(end))).toEqual({ line: 1, column: 10, text: 'SELECT 1,', at: 9 });
    }
  });

  it('counts an emoji as one character, and never lies within one', () => {
    const text = "SELECT '💥💥', naem";
    expect(placeIn(text, text.indexOf('naem'))).toMatchObject({ line: 1, column: 14, at: 15 });
    expect(placeIn(text, text.indexOf('💥') + 1)).toMatchObject({ column: 9, at: 8 });
    expect(placeIn('a\r\nb', 2)).toMatchObject({ line: 1, column: 2, text: 'a', at: 1 });
  });

  it('is that of an empty text', () => {
    expect(placeIn('', 0)).toEqual({ line: 1, column: 1, text: '', at: 0 });
    expect(placeIn('a\n', 2)).toEqual({ line: 2, column: 1, text: '', at: 0 });
  });
});

describe('the word at a place', () => {
  it('is a whole word, name or string, else one character', () => {
    const ended = (text: string, offset: number): string => text.slice(offset, wordEnd(text, offset));
    expect(ended('SELECT größe FROM t', 7)).toBe('größe');
    expect(ended('SELECT "a b" FROM t', 7)).toBe('"a b"');
    expect(ended("SELECT 'a' FROM t", 7)).toBe("'a'");
    expect(ended('SELECT "open\n"', 7)).toBe('"');
    expect(ended('a <> b', 2)).toBe('<');
    expect(ended('💥💥', 0)).toBe('💥');
    expect(ended('a\nb', 1)).toBe('');
    expect(ended('a', 1)).toBe('');
  });
});

describe('a place of a text in its source', () => {
  it('is found behind a line that was put in front', () => {
    const source = 'SELECT naem\nFROM t';
    const text = `\\connect other\n${source}`;
    expect(placeInSource(text, source, text.indexOf('naem'))).toBe(7);
    expect(placeInSource(text, source, text.length)).toBe(source.length);
    expect(placeInSource(text, source, 3)).toBeUndefined();
    const apart = `\\connect other\n\n  -- of this\n${source}`;
    expect(placeInSource(text, apart, text.indexOf('naem'))).toBe(apart.indexOf('naem'));
  });

  it('is found before and behind a variable that was filled, and not in its value', () => {
    const source = 'SELECT a FROM {{table}} WHERE b';
    const text = 'SELECT a FROM films f, books WHERE b';
    expect(placeInSource(text, source, 7)).toBe(7);
    expect(placeInSource(text, source, text.length - 1)).toBe(source.length - 1);
    expect(placeInSource(text, source, text.indexOf('books'))).toBeUndefined();
    expect(placeInSource('x', 'x', 1)).toBe(1);
  });
});
