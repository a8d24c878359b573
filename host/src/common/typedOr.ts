import { hiddenCharacter } from '@tabularium/sdk';
import { typedWord } from './typedWord.ts';

/**
 * A text as one word of a command that a person copies, or `other`, such as an id or `FILE`, where it can't be copied: it has characters that are shown as
 * marks, or a command takes it for an option.
 */
export function typedOr(text: string, other: string): string {
  return text === '' || text.startsWith('-') || hiddenCharacter(text) !== undefined ? other : typedWord(text);
}
