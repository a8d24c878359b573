/**
 * JSON with exact integers. The server answers with `9007199254740993`, digit for digit, and `JSON.parse` would make …992 of it.
 *
 * Runs of 16 and more digits in the place of a number are replaced by marked strings before parsing. A hit inside a string
 * breaks the syntax, always: the inserted quote ends the string, and the mark that follows isn't JSON. Then the slow way is taken, a
 * reviver that sees the source. (A reviver alone costs four times as much for a page of 494 kB, a parser of its own twice as much.)
 */

const MARK_START = 0xe000;

let made: string | undefined;

/**
 * Random, so that no text in a document passes for a marked number. Made when the first long integer comes: most sessions
 * see none, and each start of the driver would load Node's cryptography.
 */
function mark(): string {
  return (made ??= `\uE000${crypto.randomUUID()}:`);
}

/** 9007199254740993 has as many; every shorter integer is exact. */
const LONG = 16;

export interface ExactJson {
  readonly value: unknown;
  /** Whether the value holds marked numbers; without any, the search for them is skipped. */
  readonly marked: boolean;
}

/** @throws SyntaxError when the text isn't JSON */
export function parseExact(text: string): ExactJson {
  const replaced = markLongIntegers(text);
  if (replaced === undefined) return { value: JSON.parse(text) as unknown, marked: false };
  try {
    return { value: JSON.parse(replaced) as unknown, marked: true };
  } catch {
    return { value: JSON.parse(text, markBySource) as unknown, marked: true };
  }
}

/**
 * The text with its long integers marked; undefined when it has none. Only every sixteenth character is looked at: no run of sixteen
 * digits gets by unseen. (A regular expression that looks at all of them takes six times as long.)
 */
function markLongIntegers(text: string): string | undefined {
  let out = '';
  let copied = 0;
  for (let probe = LONG - 1; probe < text.length; probe += LONG) {
    if (!isDigit(text.charCodeAt(probe))) continue;
    let start = probe;
    while (start > copied && isDigit(text.charCodeAt(start - 1))) start -= 1;
    let end = probe + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    // A leading zero isn't JSON, and parsing must reject it.
    if (end - start >= LONG && text.charCodeAt(start) !== ZERO) {
      if (text.charCodeAt(start - 1) === MINUS) start -= 1;
      if (beginsNumber(text.charCodeAt(start - 1)) && endsNumber(text.charCodeAt(end))) {
        out += `${text.slice(copied, start)}"${mark()}${text.slice(start, end)}"`;
        copied = end;
      }
    }
    // The next probe may lie inside the run that has just been looked at.
    while (probe + LONG < end) probe += LONG;
  }
  return copied === 0 ? undefined : out + text.slice(copied);
}

const MINUS = 0x2d;
const ZERO = 0x30;

function isDigit(code: number): boolean {
  return code >= ZERO && code <= 0x39;
}

/** Space, tab, line ends, `:`, `,`, `[`, or the beginning (NaN). */
function beginsNumber(code: number): boolean {
  return code === 0x3a || code === 0x2c || code === 0x5b || isBlank(code) || Number.isNaN(code);
}

/** Space, tab, line ends, `,`, `]`, `}`, or the end (NaN). */
function endsNumber(code: number): boolean {
  return code === 0x2c || code === 0x7d || code === 0x5d || isBlank(code) || Number.isNaN(code);
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

const INTEGER = /^-?\d{16,}$/;

function markBySource(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source;
  return typeof value === 'number' && source !== undefined && INTEGER.test(source) ? mark() + source : value;
}

/** The digits of a marked number; undefined for every other string. */
export function exactDigits(text: string): string | undefined {
  if (made === undefined || text.charCodeAt(0) !== MARK_START) return undefined;
  return text.startsWith(made) ? text.slice(made.length) : undefined;
}

/** JSON text of a parsed value, with the digits of marked numbers. */
export function stringifyExact(value: unknown, marked: boolean): string {
  const text = JSON.stringify(value);
  if (!marked || made === undefined) return text;
  // Each mark follows an opening quote, and the closing one follows its digits.
  const [before = '', ...numbers] = text.split(`"${made}`);
  return before + numbers.map((rest) => rest.replace('"', '')).join('');
}
