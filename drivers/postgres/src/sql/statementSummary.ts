import { isSymbol } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/** A few words of what a statement does. No strings: one may be a secret. */
export function statementSummary(own: readonly SqlToken[], text: string): string {
  const words: string[] = [];
  for (const token of own.slice(0, 12)) {
    if (token.kind === 'string') break;
    if (isSymbol(token, '(')) break;
    words.push(text.slice(token.start, token.end));
    if (words.length >= 8) break;
  }
  return words.join(' ').replaceAll(' . ', '.').replaceAll(' ,', ',').slice(0, 200) || (own[0]?.text ?? '');
}
