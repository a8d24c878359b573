import { describe, expect, it } from 'vitest';
import { looksSame, reviewedValue } from './reviewedValue.ts';

const shown = (...value: Parameters<typeof reviewedValue>): string => Object.values(reviewedValue(...value)).join('|');

describe('a value in a review', () => {
  it('has a mark for each blank at its ends, and for tabs, line breaks and no-break spaces', () => {
    expect(shown('abc ', 'text')).toBe('|abc|·');
    expect(shown('  a  b', 'text')).toBe('··|a  b|');
    expect(shown('   ', 'text')).toBe('···||');
    expect(shown('a\tb\nc\u00a0', 'text')).toBe('|a⇥b⏎c⍽|');
  });

  it('of bytes is its beginning in hexadecimal and its size', () => {
    expect(shown('3q2+7w==', 'bytes')).toMatch(/^\|\\xdeadbeef · 4 /);
    expect(shown(btoa('\u0000'.repeat(40)), 'bytes')).toMatch(/^\|\\x(?:00){32}… · 40 /);
    expect(shown(btoa('\u0001'.repeat(32)), 'bytes')).toMatch(/^\|\\x(?:01){32} · 32 /);
  });

  it('is cut, and says where two that differ look alike', () => {
    const long = 'x'.repeat(300);
    expect(shown(`${long}a`, 'text')).toBe(`|${long}…|`);
    expect(looksSame(`${long}a`, `${long}b`, 'text')).toBe(true);
    expect(looksSame('é', 'e\u0301', 'text')).toBe(true);
    expect(looksSame(btoa('\u0000'.repeat(40)), btoa(`${'\u0000'.repeat(39)}a`), 'bytes')).toBe(true);
    expect(looksSame('abc', 'abc ', 'text')).toBe(false);
    expect(looksSame('abc', 'abc', 'text')).toBe(false);
    expect(looksSame(null, '', 'text')).toBe(false);
  });
});
