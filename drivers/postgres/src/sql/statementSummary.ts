import { isSymbol } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

const MOST_CHARACTERS = 200;

/** A few words of what a statement does. No strings: one may be a secret. */
export function statementSummary(own: readonly SqlToken[], text: string): string {
  const words: string[] = [];
  for (const token of own.slice(0, 12)) {
    if (token.kind === 'string') break;
    if (isSymbol(token, '(')) break;
    words.push(text.slice(token.start, Math.min(token.end, token.start + MOST_CHARACTERS)));
    if (words.length >= 8) break;
  }
  const shown = words.join(' ').replaceAll(' . ', '.').replaceAll(' ,', ',').slice(0, MOST_CHARACTERS) || (own[0]?.text ?? '');
  // A sign at the end has its value behind it, so the end isn't the statement's.
  return words.length < own.length && own[words.length - 1]?.kind === 'operator' ? `${shown} …` : shown;
}
