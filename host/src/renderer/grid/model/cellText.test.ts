import { describe, expect, it } from 'vitest';
import { strings } from '../../i18n/index.ts';
import { shownText, wholeText } from './cellText.ts';

describe('wholeText', () => {
  it('keeps every digit', () => {
    expect(wholeText('9007199254740993', 'integer')).toEqual({ text: '9007199254740993', tone: 'number' });
    expect(wholeText(9_007_199_254_740_991, 'integer').text).toBe('9007199254740991');
    expect(wholeText('0.10', 'decimal').text).toBe('0.10');
    expect(wholeText(1e21, 'decimal').text).toBe('1e+21');
    expect(wholeText(200_000, 'integer').text).toBe('200000');
  });

  it('takes a tagged value for what it says it is', () => {
    expect(wholeText(['number', '18446744073709551615'], 'text')).toEqual({ text: '18446744073709551615', tone: 'number' });
    expect(wholeText(['text', 'n/a'], 'integer')).toEqual({ text: 'n/a', tone: 'text' });
    expect(wholeText(['json', '{"a":1}'], 'text').tone).toBe('json');
  });

  it('distinguishes null, absent and empty', () => {
    expect(wholeText(null, 'text').tone).toBe('null');
    expect(wholeText(['absent'], 'text').tone).toBe('absent');
    expect(wholeText('', 'text').tone).toBe('empty');
    expect(wholeText('null', 'text')).toEqual({ text: 'null', tone: 'text' });
    expect(wholeText(false, 'boolean')).toEqual({ text: 'false', tone: 'boolean' });
    expect(wholeText(0, 'integer').text).toBe('0');
  });

  it('shows a kind it does not know as text', () => {
    expect(wholeText('x', 'colour' as 'text')).toEqual({ text: 'x', tone: 'text' });
  });
});

describe('shownText', () => {
  it('shows marks in words of the catalogue', () => {
    expect(shownText(null, 'integer').text).toBe(strings.grid.null);
    expect(shownText(['absent'], 'integer').text).toBe(strings.grid.absent);
    expect(shownText('', 'text').text).toBe(strings.grid.empty);
  });

  it('is one line of at most 300 characters', () => {
    const { text } = shownText('x'.repeat(10_000), 'text');
    expect(text).toBe(`${'x'.repeat(300)}…`);
    expect(shownText('a\r\nb\nc\td', 'text').text).toBe('a⏎b⏎c d');
  });

  it('never cuts a character in half', () => {
    expect(shownText(`${'x'.repeat(299)}😀😀`, 'text').text).toBe(`${'x'.repeat(299)}…`);
  });

  it('shows how many bytes there are', () => {
    expect(shownText('AAECAw==', 'bytes').text).toBe('4 B');
  });
});
