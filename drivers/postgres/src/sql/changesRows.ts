import { isSymbol, isWord } from './isWord.ts';
import type { SqlToken } from './tokens.ts';

/** The words that follow each verb in a query after which it does more than read. */
const WRITES: Readonly<Record<string, string | undefined>> = { INSERT: 'INTO', UPDATE: undefined, DELETE: 'FROM', MERGE: 'INTO' };

/** Whether a word in a query is a verb that changes rows. As names of columns the verbs need no quotes. Where that isn't certain, it is taken for the verb. */
export function changesRows(own: readonly SqlToken[], index: number): boolean {
  const token = own[index];
  if (token?.kind !== 'word' || !Object.hasOwn(WRITES, token.text)) return false;
  const before = own[index - 1];
  // A verb is behind a parenthesis, or behind the last word of a WITH.
  if (isWord(before, 'SELECT', 'AS') || isSymbol(before, ',') || isSymbol(before, '.') || before?.kind === 'operator')
    return false;
  const follows = WRITES[token.text];
  const next = own[index + 1];
  return follows === undefined ? next?.kind === 'word' || next?.kind === 'name' : isWord(next, follows);
}
