import { visibleText } from '@tabularium/sdk';

/** Words and names without a sign that could end the parentheses which they are in. */
const PLAIN = /^[\p{L}\p{M}\p{N}_$ ,+\-*/<>=~!@#%^&|`?]+$/u;
/** Characters of each. */
const LONGEST = 120;

/** The first few things that a statement calls, such as `the function f`, for its summary: on one line, short, and in quotes where a name has signs of a sentence. */
export function foundText(found: readonly string[]): string {
  return [...new Set(found)].slice(0, 3).map(each).join('; ');
}

function each(what: string): string {
  if (PLAIN.test(what) && what.length <= LONGEST) return what;
  return `“${visibleText(what, 'name', LONGEST).replaceAll(/["“”]/g, "'")}”`;
}
