import { homedir } from 'node:os';

/** What is cut off is not missed: an error is for a model that has to decide what to do next. */
export const LONGEST_ERROR_TEXT = 600;

const HIDDEN = '[hidden]';
const CREDENTIAL = '(?:api[-_ ]?key|access[-_ ]?key|secret|password|passwd|pwd|token|authorization|credentials?)';

const RULES: readonly (readonly [RegExp, string])[] = [
  // The user part of a URL.
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@]+@/gi, `$1${HIDDEN}@`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{4,}/gi, `$1 ${HIDDEN}`],
  [/\btbm_[A-Za-z0-9_-]+/g, HIDDEN],
  // name: "value", name=value, x-some-api-key: value
  [new RegExp(`([\\w-]*${CREDENTIAL}["']?\\s*[:=]\\s*)(?:"[^"]*"|'[^']*'|[^\\s,;&"'}]+)`, 'gi'), `$1${HIDDEN}`],
  // Addresses inside the network of the person are nobody's business outside.
  [/\b(https?:\/\/)[^\s/"'`<>]+/gi, `$1${HIDDEN}`],
  [/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?(?![\d.])/g, HIDDEN],
  [/\[[0-9a-f:]*:[0-9a-f:]*\](?::\d{1,5})?/gi, HIDDEN],
];

/**
 * A text for a client outside: without credentials, addresses and the path of the home folder, and cut to a length.
 *
 * @param known - values that must not appear either, such as the host of the connection
 */
export function redact(text: string, known: readonly string[] = []): string {
  let result = text;
  // Longest first, so that a value inside another one does not leave the rest of it behind.
  for (const value of [homedir(), ...known].sort((a, b) => b.length - a.length)) {
    if (value.length >= 4) result = result.replaceAll(value, HIDDEN);
  }
  for (const [pattern, replacement] of RULES) result = result.replace(pattern, replacement);
  return result.length <= LONGEST_ERROR_TEXT ? result : `${result.slice(0, LONGEST_ERROR_TEXT - 1)}…`;
}
