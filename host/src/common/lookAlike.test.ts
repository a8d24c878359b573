import { describe, expect, it } from 'vitest';
import { lookAlikeWords, looksLike, mixesAlphabets, skeletonOf } from './lookAlike.ts';

describe('names that look alike', () => {
  it.each([
    ['a Cyrillic letter', 'Tаbularium'],
    ['all Cyrillic and Greek letters that fit', 'Ταbυlаrіυm'],
    ['letter case', 'TABULARIUM'],
    ['spaces and dots at the end', 'Tabularium . '],
    ['spaces inside', 'Tabu larium'],
    ['fullwidth letters', 'Ｔａｂｕｌａｒｉｕｍ'],
    ['mathematical letters', '𝐓𝐚𝐛𝐮𝐥𝐚𝐫𝐢𝐮𝐦'],
    ['a digit for a letter', 'Tabu1arium'],
    ['two letters that look like one', 'Tabulariurn'],
    ['accents', 'Tábulariüm'],
    ['a zero-width space', 'Tabu\u200blarium'],
    ['a dotless i', 'Tabularıum'],
  ])('%s', (_name, disguised) => {
    expect(looksLike(disguised, 'Tabularium')).toBe(true);
  });

  it.each([['Tabula'], ['Tabularium Labs'], ['Acme'], [''], ['日本']])('"%s" does not look like Tabularium', (name) => {
    expect(looksLike(name, 'Tabularium')).toBe(false);
  });

  it('keeps names of other scripts apart', () => {
    expect(looksLike('日本', '中国')).toBe(false);
    expect(skeletonOf('Север')).not.toBe(skeletonOf('Юг'));
  });

  it('finds words that mix alphabets, and names the foreign letters', () => {
    expect(mixesAlphabets('Tаbularium')).toBe(true);
    expect(mixesAlphabets('Север')).toBe(false);
    expect(mixesAlphabets('naïve')).toBe(false);
    expect(lookAlikeWords('SELECT * FROM аccounts, Север, "名前table"')).toEqual(['аccounts (U+0430)']);
    expect(lookAlikeWords(Array.from({ length: 50 }, (_, place) => `а${place}b`).join(' '))).toHaveLength(10);
  });
});
