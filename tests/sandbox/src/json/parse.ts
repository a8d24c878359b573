import { Double, emptyObject, integer } from './value.ts';
import type { JsonObject, JsonValue } from './value.ts';

const INT64_MIN = -(2n ** 63n);
const UINT64_MAX = 2n ** 64n - 1n;
const MAX_SAFE_DIGITS = 15;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN_STRING = /"([^"\\\x00-\x1f]*)"/y;
const CONTROL_NAMES =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US';
const ESCAPES: Record<string, string> = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The message is the server's own, as it appears in the answers to bad documents. */
export class JsonParseError extends Error {
  override name = 'JsonParseError';
}

type Context = 'value' | 'object key' | 'object separator' | 'object' | 'array';

/** Recursive descent over the text. Positions and words of its errors are those a real server answers with. */
class Parser {
  readonly #text: string;
  #at = 0;
  /** Where the server's lexer last cleared its buffer: "last read" quotes from here. */
  #tokenStart = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): JsonValue {
    if (this.#text.length === 0) {
      throw this.#error(
        'attempting to parse an empty input; check that your input string or stream contains the expected JSON',
        1,
      );
    }
    const value = this.#value('value');
    this.#space();
    if (this.#at < this.#text.length) this.#unexpected('value', 'end of input');
    return value;
  }

  #space(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.#at += 1;
    }
  }

  #value(context: Context): JsonValue {
    this.#space();
    const char = this.#text[this.#at];
    switch (char) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        if (char !== undefined && (char === '-' || (char >= '0' && char <= '9'))) return this.#number();
        return this.#unexpected(context, char === undefined || '}],:'.includes(char) ? "'[', '{', or a literal" : undefined);
    }
  }

  #object(): JsonObject {
    this.#at += 1;
    const result = emptyObject();
    this.#space();
    if (this.#text[this.#at] === '}') {
      this.#at += 1;
      return result;
    }
    for (;;) {
      this.#space();
      if (this.#text[this.#at] !== '"') this.#unexpected('object key', 'string literal');
      const key = this.#string();
      this.#space();
      if (this.#text[this.#at] !== ':') this.#unexpected('object separator', "':'");
      this.#at += 1;
      result[key] = this.#value('value');
      this.#space();
      const next = this.#text[this.#at];
      if (next === '}') {
        this.#at += 1;
        return result;
      }
      if (next !== ',') this.#unexpected('object', "'}'");
      this.#at += 1;
    }
  }

  #array(): JsonValue[] {
    this.#at += 1;
    const result: JsonValue[] = [];
    this.#space();
    if (this.#text[this.#at] === ']') {
      this.#at += 1;
      return result;
    }
    for (;;) {
      result.push(this.#value('value'));
      this.#space();
      const next = this.#text[this.#at];
      if (next === ']') {
        this.#at += 1;
        return result;
      }
      if (next !== ',') this.#unexpected('array', "']'");
      this.#at += 1;
    }
  }

  #literal<T extends JsonValue>(word: string, value: T): T {
    for (let index = 0; index < word.length; index += 1) {
      if (this.#text[this.#at + index] !== word[index]) {
        this.#at += index;
        this.#lexerError('value', 'invalid literal');
      }
    }
    this.#at += word.length;
    return value;
  }

  #number(): JsonValue {
    this.#tokenStart = this.#at;
    NUMBER.lastIndex = this.#at;
    const match = NUMBER.exec(this.#text);
    if (match === null) {
      this.#at += 1;
      return this.#lexerError('value', "invalid number; expected digit after '-'");
    }
    const text = match[0];
    this.#at += text.length;
    const following = this.#text[this.#at];
    if (match[2] === undefined && following !== undefined && /[.eE]/.test(following)) {
      this.#at += 1;
      const sign = this.#text[this.#at];
      if (following === '.') return this.#lexerError('value', "invalid number; expected digit after '.'");
      if (sign === '+' || sign === '-') {
        this.#at += 1;
        return this.#lexerError('value', 'invalid number; expected digit after exponent sign');
      }
      return this.#lexerError('value', "invalid number; expected '+', '-', or digit after exponent");
    }
    if (match[1] === undefined && match[2] === undefined) {
      if (text.length <= MAX_SAFE_DIGITS) return text === '-0' ? 0 : Number(text);
      const exact = BigInt(text);
      if (exact >= INT64_MIN && exact <= UINT64_MAX) return integer(exact);
    }
    const value = Number(text);
    if (!Number.isFinite(value)) {
      throw new JsonParseError(`[json.exception.out_of_range.406] number overflow parsing '${text}'`);
    }
    return Number.isInteger(value) ? new Double(value) : value;
  }

  #string(): string {
    this.#tokenStart = this.#at;
    PLAIN_STRING.lastIndex = this.#at;
    const plain = PLAIN_STRING.exec(this.#text);
    if (plain !== null) {
      this.#at += plain[0].length;
      return plain[1] ?? '';
    }
    this.#at += 1;
    let result = '';
    for (;;) {
      const char = this.#text[this.#at];
      if (char === undefined) return this.#lexerError('value', 'invalid string: missing closing quote');
      const code = char.charCodeAt(0);
      if (code < 0x20) {
        const hex = code.toString(16).toUpperCase().padStart(4, '0');
        const short = Object.entries(ESCAPES).find(([, value]) => value === char)?.[0];
        const escape = short === undefined ? `\\u${hex}` : `\\u${hex} or \\${short}`;
        const name = CONTROL_NAMES.split(' ')[code] ?? '';
        return this.#lexerError('value', `invalid string: control character U+${hex} (${name}) must be escaped to ${escape}`);
      }
      this.#at += 1;
      if (char === '"') return result;
      if (char !== '\\') {
        result += char;
        continue;
      }
      const escaped = this.#text[this.#at] ?? '';
      if (escaped === 'u') {
        const digits = this.#text.slice(this.#at + 1, this.#at + 5);
        if (!/^[0-9a-fA-F]{4}$/.test(digits)) {
          return this.#lexerError('value', "invalid string: '\\u' must be followed by 4 hex digits");
        }
        result += String.fromCharCode(parseInt(digits, 16));
        this.#at += 5;
        continue;
      }
      const plainEscape = ESCAPES[escaped];
      if (plainEscape === undefined) return this.#lexerError('value', 'invalid string: forbidden character after backslash');
      result += plainEscape;
      this.#at += 1;
    }
  }

  #unexpected(context: Context, expected: string | undefined): never {
    const char = this.#text[this.#at];
    const names: Record<string, string> = { '{': "'{'", '[': "'['", '}': "'}'", ']': "']'", ':': "':'", ',': "','" };
    if (char === undefined) this.#fail(context, 'unexpected end of input', expected, this.#at + 1);
    const token = names[char] ?? this.#tokenName(char);
    if (token === undefined) this.#lexerError(context, 'invalid literal', expected);
    this.#fail(context, `unexpected ${token}`, expected, this.#at);
  }

  #tokenName(char: string): string | undefined {
    if (char === '"') {
      this.#string();
      return 'string literal';
    }
    if (char === '-' || (char >= '0' && char <= '9')) {
      this.#number();
      return 'number literal';
    }
    const words: Record<string, string> = { t: 'true', f: 'false', n: 'null' };
    const word = words[char];
    if (word === undefined || !this.#text.startsWith(word, this.#at)) return undefined;
    this.#at += word.length;
    return `${word} literal`;
  }

  #lexerError(context: Context, detail: string, expected?: string): never {
    const read = this.#text.slice(this.#tokenStart, this.#at + 1);
    this.#fail(context, `${detail}; last read: '${read}'`, expected, this.#at + 1);
  }

  #fail(context: Context, detail: string, expected: string | undefined, read: number): never {
    const suffix = expected === undefined ? '' : `; expected ${expected}`;
    throw this.#error(`syntax error while parsing ${context} - ${detail}${suffix}`, read);
  }

  #error(detail: string, read: number): JsonParseError {
    const before = this.#text.slice(0, Math.max(0, read - 1));
    const line = before.split('\n').length;
    const column = read - (before.lastIndexOf('\n') + 1);
    return new JsonParseError(`[json.exception.parse_error.101] parse error at line ${line}, column ${column}: ${detail}`);
  }
}

export const parse = (text: string): JsonValue => new Parser(text).document();

/** Undefined where the server would only say "Bad JSON.". */
export const tryParse = (text: string): JsonValue | undefined => {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof JsonParseError) return undefined;
    throw error;
  }
};
