import { addressCredentials } from './addressCredentials.ts';
import type { TextRange } from './addressCredentials.ts';

const HIDDEN = '•••';

/** Forms of credentials that have an end of their own. The first group is the text before one. */
const PATTERNS: readonly RegExp[] = [
  // A key file, also with escapes for its ends of line.
  /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
  // A scheme of authentication with its value.
  /(\b(?:bearer|basic|digest|negotiate|ntlm|apikey|aws4-hmac-sha256)\s{1,4})[\w.~+/=-]{6,}/gi,
  // A JSON web token.
  /(\b)eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  // The value of an element of XML whose name says what it is.
  /(<[\w:-]{0,40}(?:password|secret|token|key)[\w-]{0,20}(?:\s[^<>]{0,200})?>)[^<]+/gi,
];

/**
 * A name that says what its value is, and the sign after it: in JSON of any depth, a header, an address, an assignment, a list of headers, or the words of a
 * command. The groups: a header whose value is the rest of its line; another name.
 */
const NAMED =
  /(?:(authorization|cookie)|(password|passwd|\bpass|\bpwd|passphrase|secret|token|credentials?|signature|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key|account[-_ ]?key|(?:[?&]|%3f|%26)(?:key|code|state|sig|pwd|pass|auth)))(?:(?:\\{0,16}["'])?\s{0,8}(?:[:=]>?|%3[ad])\s{0,8}|\\{0,16}["']\s{0,8},\s{0,8}(?=\\{0,16}["'])|(?<=--[\w-]{3,40})\s{1,8}(?=\S))/gi;

const OPENING = /(\\{0,16})(["'])/y;
const ENCODED = /%3[ad]\s{0,8}$/i;
const END_OF_LINE = /[\r\n]/g;
/** Characters after a quotation mark that ends a value. */
const AFTER_END = /[\s,;:&)}\]>\\"']/;

/**
 * A text that is to be given away, without what looks like a credential, whatever its origin. It goes beyond the redaction of known values, and it may
 * hide too much. Its time is linear in the length of the text.
 */
export function withoutCredentials(text: string): string {
  // All are sought in the text as it came: one that is hidden could take the end of another with it.
  const ranges = [...PATTERNS.flatMap((pattern) => matchesOf(pattern, text)), ...addressCredentials(text), ...namedValues(text)];
  ranges.sort((first, second) => first.from - second.from);
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to } of ranges) {
    if (to <= done) continue;
    // One that overlaps the one before is hidden by the same mark.
    if (pieces.length === 0 || from > done) pieces.push(text.slice(done, from), HIDDEN);
    done = to;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

function matchesOf(pattern: RegExp, text: string): readonly TextRange[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found, 1: before = '' }) => ({
    from: index + before.length,
    to: index + found.length,
  }));
}

function namedValues(text: string): readonly TextRange[] {
  const ranges: TextRange[] = [];
  let done = 0;
  let lineEnd = -1;
  for (const { index, 0: found, 1: header } of text.matchAll(NAMED)) {
    // A name within a value that is hidden already.
    if (index < done) continue;
    const start = index + found.length;
    // Sought once for each line: a line may have any number of names.
    if (start > lineEnd) lineEnd = endOfLine(text, start);
    OPENING.lastIndex = start;
    const opening = OPENING.exec(text);
    const [from, to] =
      opening === null
        ? [start, header === undefined ? endOfWord(text, start, ENCODED.test(found)) : lineEnd]
        : [
            start + opening[0].length,
            endOfQuoted(text, start + opening[0].length, lineEnd, opening[2] ?? '', (opening[1] ?? '').length),
          ];
    if (to <= from) continue;
    ranges.push({ from, to });
    done = to;
  }
  return ranges;
}

function endOfLine(text: string, start: number): number {
  END_OF_LINE.lastIndex = start;
  return END_OF_LINE.exec(text)?.index ?? text.length;
}

/**
 * The end of a value in quotation marks: the next mark with no more backslashes before it than the one that opened it, which is not doubled. Without
 * one, as in a text that was cut, it is the end of the line.
 *
 * @param end - of the line
 * @param depth - backslashes before the mark that opened it, as in JSON within JSON
 */
function endOfQuoted(text: string, start: number, end: number, mark: string, depth: number): number {
  const delimiter = '\\'.repeat(depth) + mark;
  for (let place = text.indexOf(mark, start); place !== -1 && place < end; place = text.indexOf(mark, place + 1)) {
    let backslashes = 0;
    while (place - backslashes > start && text[place - backslashes - 1] === '\\') backslashes += 1;
    if (backslashes > depth) continue;
    if (text.startsWith(delimiter, place + 1)) {
      place += delimiter.length;
      continue;
    }
    return place - backslashes;
  }
  return end;
}

/**
 * The end of a value without quotation marks. A mark ends it only where it seems to end a text around it: a password may have one.
 *
 * @param isEncoded - the value is in an address that is a part of another one
 */
function endOfWord(text: string, start: number, isEncoded: boolean): number {
  for (let place = start; place < text.length; place += 1) {
    const character = text[place] ?? '';
    if (/[\s&;]/.test(character) || (isEncoded && text.startsWith('%26', place))) return place;
    if ((character === '"' || character === "'") && (place + 1 === text.length || AFTER_END.test(text[place + 1] ?? '')))
      return place;
  }
  return text.length;
}
