import { visibleText } from '@tabularium/sdk';
import { redact } from './redact.ts';

/**
 * The text of an error for a client: {@link redact}ed, and on one line, with a mark for each character that cannot be seen. Many errors quote words of the client,
 * a server or a person, and a client's host draws them in a terminal or beside its own words.
 *
 * @param known - values that must not appear, see {@link redact}
 */
export function errorText(text: string, known: readonly string[] = []): string {
  return visibleText(redact(text, known), 'name', Infinity);
}
