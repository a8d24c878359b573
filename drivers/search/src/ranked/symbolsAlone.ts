import { visibleText } from '@tabularium/sdk';
import type { SearchAnswer } from '@tabularium/sdk';
import type { Note } from '../notes.ts';

const LONGEST_SHOWN = 60;

/**
 * A note on words of which nothing is left: the server drops signs and symbols, and an empty search finds every document (seen on 29.0 and 30.0-dev with an
 * emoji). A collection that indexes the symbol finds less, and has no note.
 */
export function symbolsAloneNotes(text: string, { found, outOf }: Pick<SearchAnswer, 'found' | 'outOf'>): readonly Note[] {
  const words = text.trim();
  if (words === '' || words === '*' || /[\p{L}\p{N}]/u.test(words) || found === 0 || found !== outOf) return [];
  const shown = visibleText(words, 'name', LONGEST_SHOWN);
  return [
    {
      text: `Every document is found: “${shown}” has no letter and no digit, and the server drops signs and symbols from a search.`,
      translation: { id: 'search.symbolsAlone', values: { words: shown } },
    },
  ];
}
