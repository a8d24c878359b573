/**
 * JSON with exact integers. The server answers with `9007199254740993`, digit for digit, and `JSON.parse` would make …992 of it.
 *
 * Runs of 16 and more digits that stand where a number stands are replaced by marked strings before parsing. A hit inside a string
 * breaks the syntax, always: the inserted quote ends the string, and the mark that follows is no JSON. Then the slow way is taken, a
 * reviver that sees the source. (Measured on a page of 494 kB: 2.0 ms against 8.5 by the reviver and 3.9 by a parser of its own.)
 */

/** Nobody else can know it, so that no text in a document passes for a marked number. */
const MARK = `\uE000${crypto.randomUUID()}:`;
const MARK_START = 0xe000;

const LONG_INTEGER = /-?\d{16,}/g;
const MARKED_TEXT = new RegExp(`"${MARK}(-?\\d+)"`, 'g');

export interface ExactJson {
  readonly value: unknown;
  /** Whether the value holds marked numbers; without any, nobody needs to look for them. */
  readonly marked: boolean;
}

/** @throws SyntaxError when the text is no JSON */
export function parseExact(text: string): ExactJson {
  let marked = false;
  const replaced = text.replace(LONG_INTEGER, (digits, offset: number) => {
    if (!beginsNumber(text.charCodeAt(offset - 1)) || !endsNumber(text.charCodeAt(offset + digits.length))) return digits;
    marked = true;
    return `"${MARK}${digits}"`;
  });
  if (!marked) return { value: JSON.parse(text) as unknown, marked };
  try {
    return { value: JSON.parse(replaced) as unknown, marked };
  } catch {
    return { value: JSON.parse(text, markBySource) as unknown, marked };
  }
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
  return typeof value === 'number' && source !== undefined && INTEGER.test(source) ? MARK + source : value;
}

/** The digits of a marked number; undefined for every other string. */
export function exactDigits(text: string): string | undefined {
  return text.charCodeAt(0) === MARK_START && text.startsWith(MARK) ? text.slice(MARK.length) : undefined;
}

/** JSON text of a parsed value, with the digits of marked numbers. */
export function stringifyExact(value: unknown, marked: boolean): string {
  const text = JSON.stringify(value);
  return marked ? text.replace(MARKED_TEXT, '$1') : text;
}
