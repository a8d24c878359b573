import { expect, it } from 'vitest';
import { excludedNotes, excludedWords } from './excludedWords.ts';

// As server 29.0 searches them.
it.each([
  ['-kettle', ['kettle']],
  ['lamp -kettle', ['kettle']],
  ['--kettle', ['kettle']],
  ['lamp -red kettle', ['red']],
  ['lamp -"red kettle"', ['red kettle']],
  ['lamp-kettle', []],
  ['- kettle', []],
  ['lamp - kettle', []],
  ['"-kettle"', []],
  ['"lamp -kettle"', []],
  ['-', []],
  ['', []],
  ['-!', []],
])('a search for %s leaves out %j', (text, words) => {
  expect(excludedWords(text)).toEqual(words);
});

it('names them so that each character can be seen, and a few of many', () => {
  expect(excludedNotes('lamp')).toEqual([]);
  expect(excludedNotes('-ket\u200Btle')[0]?.text).toContain('“ket⟨U+200B⟩tle”');
  expect(excludedNotes('-a -b -c -d -e -f')[0]?.text).toContain('“e”, … are');
});
