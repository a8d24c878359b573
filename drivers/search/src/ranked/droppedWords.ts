import { visibleText } from '@tabularium/sdk';
import { countOf, isObject } from '../guards.ts';
import type { JsonObject } from '../guards.ts';
import type { Note } from '../notes.ts';
import { excludedWords } from './excludedWords.ts';

const LONGEST_SHOWN = 60;
const PHRASE = /"[^"]*"/;

/**
 * A note on words of which the server keeps nothing: it drops signs and symbols, and letters of scripts that the language of the fields does not have, and finds
 * every document then (seen on 29.0 and 30.0-dev with an emoji and with Hebrew in a field without a language). Its hits match by no word, and not by meaning.
 * A phrase in quotation marks is always looked for, and the server counts no word of it as matched.
 *
 * @param hit - the first one
 */
export function droppedWordsNotes(text: string, hit: JsonObject | undefined): readonly Note[] {
  const words = text.trim();
  const match = hit?.['text_match_info'];
  if (words === '' || words === '*' || PHRASE.test(words) || excludedWords(words).length > 0) return [];
  if (!isObject(match) || countOf(match, 'tokens_matched') !== 0 || hit?.['vector_distance'] !== undefined) return [];
  const shown = visibleText(words, 'name', LONGEST_SHOWN);
  return [
    {
      text: `The words were not searched for: of “${shown}” the server keeps no letter and no digit. It drops signs and symbols, and scripts that the fields’ language does not have.`,
      translation: { id: 'search.droppedWords', values: { words: shown } },
    },
  ];
}
