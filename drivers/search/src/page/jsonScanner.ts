/** Thrown where the bytes end in the middle of something; the caller goes back to its last mark and waits for more. */
export const NEED_MORE = new Error('The response continues.');
/** Thrown for JSON that a server is not expected to send, and for text that isn't JSON. The caller takes the ordinary way, which handles everything. */
export const UNUSUAL = new Error('The answer is unusual.');

export const QUOTE = 0x22;
export const COMMA = 0x2c;
export const COLON = 0x3a;
export const OPEN_LIST = 0x5b;
export const CLOSE_LIST = 0x5d;
export const OPEN_OBJECT = 0x7b;
export const CLOSE_OBJECT = 0x7d;
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
const PLUS = 0x2b;
const DOT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;

/** Never a Buffer: code that meets both kinds of array takes twice as long for each byte. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Characters that may follow a backslash, apart from the four digits of `\u`. */
const ESCAPES = new Set(bytesOf('"\\/bfnrt'));
const U = 0x75;

const TRUE = bytesOf('true');
const FALSE = bytesOf('false');
const NULL = bytesOf('null');

/**
 * Walks over JSON as the server writes it (no blanks between its parts) and checks it on the way, without making values of it. The bytes
 * may be still to come: those that follow `length` are zeros, and no JSON holds a zero.
 */
export class JsonScanner {
  bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  /** @param capacity - bytes that are likely to come */
  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
  }

  append(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(length, this.bytes.length * 2));
      grown.set(this.bytes.subarray(0, this.length));
      this.bytes = grown;
    }
    this.bytes.set(chunk, this.length);
    this.length = length;
  }

  /** The bytes so far. */
  get content(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  stop(at: number): Error {
    return at >= this.length ? NEED_MORE : UNUSUAL;
  }

  /** @returns the place behind `byte` */
  expect(byte: number, at: number): number {
    if (this.bytes[at] !== byte) throw this.stop(at);
    return at + 1;
  }

  /** Whether the whole text is here. */
  has(text: Uint8Array, at: number): boolean {
    const { bytes } = this;
    for (let index = 0; index < text.length; index += 1) {
      if (bytes[at + index] !== text[index]) return false;
    }
    return true;
  }

  /** @returns the place behind a value, whose first byte is at `at` */
  value(at: number): number {
    const first = this.bytes[at] ?? 0;
    if (first === QUOTE) return this.string(at);
    if (first === MINUS || (first >= ZERO && first <= NINE)) return this.number(at);
    switch (first) {
      case OPEN_OBJECT:
        return this.#object(at);
      case OPEN_LIST:
        return this.#list(at);
      case 0x74:
        return this.#word(TRUE, at);
      case 0x66:
        return this.#word(FALSE, at);
      case 0x6e:
        return this.#word(NULL, at);
      default:
        throw this.stop(at);
    }
  }

  /** @returns the place behind the closing quote */
  string(at: number): number {
    const { bytes } = this;
    for (let index = at + 1; ; index += 1) {
      const byte = bytes[index] ?? 0;
      if (byte === QUOTE) return index + 1;
      if (byte < 0x20) throw this.stop(index);
      if (byte === BACKSLASH) index = this.#escape(index);
    }
  }

  /** @returns the place of the last byte of an escape */
  #escape(at: number): number {
    const byte = this.bytes[at + 1] ?? 0;
    if (ESCAPES.has(byte)) return at + 1;
    if (byte !== U) throw this.stop(at + 1);
    for (let index = at + 2; index < at + 6; index += 1) {
      if (!isHexDigit(this.bytes[index] ?? 0)) throw this.stop(index);
    }
    return at + 5;
  }

  /** @returns the place behind the last digit; a number at the very end may continue, which the caller finds out when it expects something after it */
  number(at: number): number {
    const { bytes } = this;
    let index = bytes[at] === MINUS ? at + 1 : at;
    if (bytes[index] === ZERO) index += 1;
    else index = this.#digits(index);
    if (bytes[index] === DOT) index = this.#digits(index + 1);
    const letter = bytes[index];
    if (letter === 0x65 || letter === 0x45) {
      const sign = bytes[index + 1];
      index = this.#digits(sign === PLUS || sign === MINUS ? index + 2 : index + 1);
    }
    return index;
  }

  /** At least one. */
  #digits(at: number): number {
    const { bytes } = this;
    let index = at;
    for (let byte = bytes[index] ?? 0; byte >= ZERO && byte <= NINE; byte = bytes[index] ?? 0) index += 1;
    if (index === at) throw this.stop(index);
    return index;
  }

  #word(word: Uint8Array, at: number): number {
    if (this.has(word, at)) return at + word.length;
    throw at + word.length > this.length ? NEED_MORE : UNUSUAL;
  }

  #object(at: number): number {
    const { bytes } = this;
    let index = at + 1;
    if (bytes[index] === CLOSE_OBJECT) return index + 1;
    for (;;) {
      if (bytes[index] !== QUOTE) throw this.stop(index);
      index = this.value(this.expect(COLON, this.string(index)));
      const next = bytes[index];
      if (next === CLOSE_OBJECT) return index + 1;
      index = this.expect(COMMA, index);
    }
  }

  #list(at: number): number {
    const { bytes } = this;
    let index = at + 1;
    if (bytes[index] === CLOSE_LIST) return index + 1;
    for (;;) {
      index = this.value(index);
      const next = bytes[index];
      if (next === CLOSE_LIST) return index + 1;
      index = this.expect(COMMA, index);
    }
  }
}

function isHexDigit(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
