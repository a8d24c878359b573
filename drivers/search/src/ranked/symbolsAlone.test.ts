import { expect, it } from 'vitest';
import { symbolsAloneNotes } from './symbolsAlone.ts';

const all = { found: 12, outOf: 12 };

it.each(['🚀', '…', '?!', '🚀 💥', '\u202E'])('says that %s found everything because nothing of it was searched', (text) => {
  expect(symbolsAloneNotes(text, all)[0]?.text).toContain('Every document is found');
  expect(symbolsAloneNotes(text, all)[0]?.text).not.toContain('\u202E');
});

it.each(['', ' ', '*', 'kettle', '7', '🚀 kettle', 'чай', '茶'])('says nothing of a search for “%s”', (text) => {
  expect(symbolsAloneNotes(text, all)).toEqual([]);
});

it('says nothing where the symbol was searched: not everything is found, or nothing', () => {
  expect(symbolsAloneNotes('🚀', { found: 3, outOf: 12 })).toEqual([]);
  expect(symbolsAloneNotes('🚀', { found: 0, outOf: 0 })).toEqual([]);
  expect(symbolsAloneNotes('🚀', { found: 12 })).toEqual([]);
});
