import { DriverError } from '@tabularium/sdk';

// Texts of InfluxQL. Whatever comes from outside (names, values) gets into a statement by one of these functions only.

/** The server reads a carriage return as a line feed, and a NUL as the end of the statement, also inside quotes. */
const UNQUOTABLE = /[\r\0]/;

/** Characters that end a pattern, or keep its slash from doing so. */
const ENDS_PATTERN = /[/\\\r\n\0]/;

const BARE_CHARACTER = /^[A-Za-z0-9]$/;
const DECIMAL = /^([+-]?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/;
const MAX_EXPONENT = 400;

/** Whether a name or a value can be written between quotes. */
export function isQuotable(text: string): boolean {
  return text.isWellFormed() && !UNQUOTABLE.test(text);
}

function escaped(text: string, quote: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll(quote, `\\${quote}`);
}

/**
 * A name in double quotes.
 *
 * @param name - one for which {@link isQuotable} is true
 */
export function identifier(name: string): string {
  return `"${escaped(name, '"')}"`;
}

/**
 * A string in single quotes.
 *
 * @param text - one for which {@link isQuotable} is true
 */
export function stringLiteral(text: string): string {
  return `'${escaped(text, "'")}'`;
}

/** A pattern that matches a text and nothing else: all but letters and digits of ASCII by their number, so that no character ends it. */
export function patternOf(text: string): string {
  return Array.from(text, (character) => (BARE_CHARACTER.test(character) ? character : hexadecimal(character))).join('');
}

function hexadecimal(character: string): string {
  return `\\x{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/**
 * A regular expression that a person wrote, between slashes. Slashes and escaped backslashes inside are written by their number: to the server, any
 * backslash escapes a slash after it, also one that is escaped itself, so that a pattern ending in `\\` would end in the next literal only.
 *
 * @throws DriverError `INVALID_INPUT` for one that ends in the middle of an escape
 */
export function regexLiteral(pattern: string): string {
  let text = '';
  const characters = Array.from(pattern);
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    if (character !== '\\') {
      text += ENDS_PATTERN.test(character) ? hexadecimal(character) : character;
      continue;
    }
    index += 1;
    const next = characters[index];
    if (next === undefined) throw new DriverError('INVALID_INPUT', 'The regular expression ends with a single backslash.');
    text += ENDS_PATTERN.test(next) ? hexadecimal(next) : `\\${next}`;
  }
  return `/${text}/`;
}

/** A float without an exponent, which InfluxQL doesn't have; undefined for what isn't a decimal number of a double's size. */
export function floatLiteral(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = DECIMAL.exec(text) ?? [];
  const shift = Number(exponent);
  if (whole === '' || Math.abs(shift) > MAX_EXPONENT) return undefined;
  const digits = whole + fraction;
  const point = whole.length + shift;
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0');
  const at = Math.max(point, 1);
  const tail = padded.slice(at);
  return `${sign === '-' ? '-' : ''}${padded.slice(0, at)}.${tail === '' ? '0' : tail}`;
}
