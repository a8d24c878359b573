import { wholeStart } from '@tabularium/sdk';
import { hideValue } from '../../connections/hideValue.ts';

/** An error is for a model that has to decide what to do next: it does not need more. */
export const LONGEST_ERROR_TEXT = 600;
/** Characters that are searched. Everything after the first of them is cut before the first search. */
const MOST_SEARCHED = 16_000;
/** Characters dropped at the end of what was cut: a credential could begin in them and end behind the cut. */
const LONGEST_CREDENTIAL = 8_000;

const HIDDEN = '[hidden]';
const CREDENTIAL = '(?:api[-_ ]?key|access[-_ ]?key|secret|password|passwd|pwd|token|authorization|credentials?)';

/** Each takes linear time: no match starts inside the characters that an earlier start has read in vain. */
const RULES: readonly (readonly [RegExp, string])[] = [
  // The user part of a URL.
  [/(:\/\/)[^\s/@]+@/g, `$1${HIDDEN}@`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{4,}/gi, `$1 ${HIDDEN}`],
  [/\btbm_[A-Za-z0-9_-]+/g, HIDDEN],
  // name: "value", name=value, x-some-api-key: value
  [new RegExp(`(${CREDENTIAL}["']?\\s*[:=]\\s*)(?:"[^"]*"|'[^']*'|[^\\s,;&"'}]+)`, 'gi'), `$1${HIDDEN}`],
  // A client has no use for addresses inside the user's network.
  [/\b(https?:\/\/)[^\s/"'`<>]+/gi, `$1${HIDDEN}`],
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\d.])/g, HIDDEN],
  [/\[[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){1,8}\](?::\d{1,5})?/gi, HIDDEN],
];

/**
 * The text of an error for a client: without whatever looks like a credential or an address, and cut to {@link LONGEST_ERROR_TEXT}. Time
 * and memory do not grow with the text.
 *
 * What is hidden by its looks is hidden whether it is a secret or not, so it confirms no guess. `known` values are hidden because of what
 * they are: pass none that the caller itself sent.
 *
 * @param known - values that must not appear, such as the host of the connection
 */
export function redact(text: string, known: readonly string[] = []): string {
  let result = text.slice(0, MOST_SEARCHED);
  // Longest first, so that a value inside another one does not leave the rest of it behind.
  for (const value of known.toSorted((a, b) => b.length - a.length)) result = hideValue(result, value);
  for (const [pattern, replacement] of RULES) result = result.replace(pattern, replacement);
  if (text.length > MOST_SEARCHED) result = result.slice(0, -LONGEST_CREDENTIAL);
  const cut = text.length > MOST_SEARCHED || result.length > LONGEST_ERROR_TEXT;
  return cut ? `${wholeStart(result, LONGEST_ERROR_TEXT - 1)}…` : result;
}
