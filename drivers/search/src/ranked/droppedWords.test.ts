import { expect, it } from 'vitest';
import { droppedWordsNotes } from './droppedWords.ts';

// As server 29.0 answers.
const unmatched = { text_match: 100, text_match_info: { tokens_matched: 0, fields_matched: 4 } };
const matched = { text_match: 578_730_123_365_187_700, text_match_info: { tokens_matched: 1, fields_matched: 1 } };

it.each(['🚀', '…', '?!', 'שלום', '\u202E'])('says that nothing of %s was searched for', (text) => {
  const [note] = droppedWordsNotes(text, unmatched);
  expect(note?.text).toContain('The words were not searched for');
  expect(note?.text).not.toContain('\u202E');
});

it.each(['', ' ', '*', '-kettle', '-"red kettle"'])('says nothing of a search for “%s”, which has no words to find', (text) => {
  expect(droppedWordsNotes(text, unmatched)).toEqual([]);
});

it.each(['"kettle steel"', '"kettle"', '"kettle" 🚀'])(
  'says nothing of %s: a phrase is looked for, and matches without a matched word',
  (text) => {
    expect(droppedWordsNotes(text, unmatched)).toEqual([]);
  },
);

it('says of a single quotation mark that it was dropped', () => {
  expect(droppedWordsNotes('"', unmatched)).toHaveLength(1);
});

it('says nothing where words matched, where there is no hit, and of hits by their meaning', () => {
  expect(droppedWordsNotes('fox', matched)).toEqual([]);
  expect(droppedWordsNotes('fox', undefined)).toEqual([]);
  expect(droppedWordsNotes('fox', { text_match: 0 })).toEqual([]);
  expect(droppedWordsNotes('fox', { ...unmatched, vector_distance: 0.2 })).toEqual([]);
});
