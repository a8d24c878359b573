import { visibleText } from '@tabularium/sdk';
import type { Note } from '../notes.ts';

/** Words that a note names; a longer list says only that there are more. */
const MOST_NAMED = 5;
/** Characters of one of them. */
const LONGEST_WORD = 60;

/**
 * The words and phrases that a search leaves out: the server takes a hyphen before a word or a quoted phrase for “without”, and a hyphen within
 * a word, in quotes or alone for text.
 */
export function excludedWords(text: string): readonly string[] {
  const found: string[] = [];
  for (const [, hyphens = '', phrase, word = ''] of text.matchAll(/(-?)"([^"]*)"|(\S+)/g)) {
    const excluded = phrase === undefined ? (word.startsWith('-') ? word.replace(/^-+/, '') : '') : hyphens === '' ? '' : phrase;
    if (/[\p{L}\p{N}]/u.test(excluded)) found.push(excluded);
  }
  return found;
}

/** A note on them: somebody may have pasted a hyphen and wonder where the hits are. */
export function excludedNotes(text: string): readonly Note[] {
  const words = excludedWords(text);
  if (words.length === 0) return [];
  const named = words.slice(0, MOST_NAMED).map((word) => `“${visibleText(word, 'name', LONGEST_WORD)}”`);
  const names = `${named.join(', ')}${words.length > MOST_NAMED ? ', …' : ''}`;
  return [
    {
      text: `Documents with ${names} are left out: a hyphen before a word excludes it. Put the word in quotation marks to search for it.`,
      translation: { id: 'search.excluded', values: { names } },
    },
  ];
}
