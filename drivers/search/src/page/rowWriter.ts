import type { ColumnKind, UnreadCell } from '@tabularium/sdk';
import type { PageColumn } from '../pageColumns.ts';
import { placeholderFor } from '../placeholder.ts';
import { bytesOf, OPEN_LIST, OPEN_OBJECT, QUOTE } from './jsonScanner.ts';

const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const CLOSE_LIST = 0x5d;
const MINUS = 0x2d;
const DOT = 0x2e;
const NINE = 0x39;

/** How the plain values of a column are read, as far as it matters here. */
const TEXT = 0;
const NUMBER = 1;
const BOOLEAN = 2;
const JSON_TEXT = 3;
const OTHER = 4;

/** Up to here, and down to its negative, a double holds every integer. */
const LARGEST = bytesOf(String(Number.MAX_SAFE_INTEGER));

const ABSENT = bytesOf('["absent"]');
const NULL = bytesOf('null');
const TAGS = {
  text: bytesOf('["text",'),
  number: bytesOf('["number",'),
  boolean: bytesOf('["boolean",'),
  json: bytesOf('["json",'),
};
const decoder = new TextDecoder();

/** A cell's tag, its quotes and brackets, and one comma. */
const AROUND_A_CELL = 20;

function kindCode(kind: ColumnKind): number {
  switch (kind) {
    case 'text':
      return TEXT;
    case 'integer':
    case 'decimal':
      return NUMBER;
    case 'boolean':
      return BOOLEAN;
    case 'json':
    case 'geo':
      return JSON_TEXT;
    default:
      return OTHER;
  }
}

/** Writes the rows of a batch from pieces of the server's answer: a cell is the bytes that the server sent, wherever that is possible. */
export class RowWriter {
  readonly #kinds: readonly number[];
  readonly #over: readonly number[];
  /** The encoded cell that replaces every value of a column, for each column. */
  readonly #instead: readonly (Uint8Array | undefined)[];
  #out: Uint8Array<ArrayBuffer>;
  #used = 0;
  #source: Uint8Array = new Uint8Array(0);
  readonly #insteadBytes: number;
  /** The largest size of a row, without the entries of lists that are empty. */
  #rowBytes = 0;

  constructor(columns: readonly PageColumn[], capacity: number) {
    this.#kinds = columns.map(({ kind }) => kindCode(kind));
    this.#over = columns.map(({ over }) => over ?? Infinity);
    this.#instead = columns.map(({ instead }) => (instead === undefined ? undefined : bytesOf(JSON.stringify(instead))));
    this.#insteadBytes = this.#instead.reduce((sum, cell) => sum + (cell?.length ?? 0), 0);
    this.#out = new Uint8Array(capacity);
  }

  /** The bytes written so far. */
  get content(): Uint8Array<ArrayBuffer> {
    return this.#out.subarray(0, this.#used);
  }

  text(text: string): void {
    const bytes = bytesOf(text);
    this.#reserve(bytes.length);
    this.#copy(bytes, 0, bytes.length);
  }

  /**
   * Makes room for a row, and begins it.
   *
   * @param documentBytes - of the whole document
   * @param comma - whether another row comes before it
   */
  beginRow(source: Uint8Array, documentBytes: number, comma: boolean): void {
    this.#source = source;
    // Escapes make two bytes of one at most.
    this.#rowBytes = documentBytes * 2 + this.#kinds.length * AROUND_A_CELL + this.#insteadBytes;
    this.#reserve(this.#rowBytes);
    if (comma) this.byte(COMMA);
    this.byte(OPEN_LIST);
  }

  byte(byte: number): void {
    this.#out[this.#used] = byte;
    this.#used += 1;
  }

  /** The cell that replaces every value of a column. @returns whether there is one */
  instead(column: number): boolean {
    const cell = this.#instead[column];
    if (cell === undefined) return false;
    this.#copy(cell, 0, cell.length);
    return true;
  }

  absent(): void {
    this.#copy(ABSENT, 0, ABSENT.length);
  }

  /** The cell for the value from `start` to `end`. */
  value(column: number, start: number, end: number): void {
    const kind = this.#kinds[column] ?? OTHER;
    const first = this.#source[start] ?? 0;
    if (end - start > (this.#over[column] ?? Infinity) && this.#cut(column, first, start, end)) return;
    switch (first) {
      case QUOTE:
        if (kind === TEXT) this.#copy(this.#source, start, end);
        else this.#tagged(TAGS.text, start, end, false);
        return;
      case OPEN_OBJECT:
      case OPEN_LIST:
        if (kind === JSON_TEXT) this.#quoted(start, end);
        else this.#tagged(TAGS.json, start, end, true);
        return;
      case 0x74:
      case 0x66:
        if (kind === BOOLEAN) this.#copy(this.#source, start, end);
        else this.#tagged(TAGS.boolean, start, end, true);
        return;
      case 0x6e:
        this.#copy(NULL, 0, NULL.length);
        return;
      default:
        if (kind !== NUMBER) this.#tagged(TAGS.number, start, end, true);
        else if (end - start >= LARGEST.length && !this.#isExact(start, end)) this.#quoted(start, end);
        else this.#copy(this.#source, start, end);
    }
  }

  /**
   * The cell of a field below a list of objects: a list with one entry per element.
   *
   * @param places - start and end of each element's value; both 0 where it has none
   */
  list(column: number, places: readonly number[]): void {
    // Two places stand for an element, and for it there may be "null,".
    this.#reserve(places.length * 3 + this.#rowBytes);
    if (this.#cutList(column, places)) return;
    const json = this.#kinds[column] === JSON_TEXT;
    if (!json) this.#copy(TAGS.json, 0, TAGS.json.length);
    this.byte(QUOTE);
    this.byte(OPEN_LIST);
    for (let index = 0; index < places.length; index += 2) {
      if (index > 0) this.byte(COMMA);
      const start = places[index] ?? 0;
      const end = places[index + 1] ?? 0;
      if (end === 0) this.#copy(NULL, 0, NULL.length);
      else this.#escaped(start, end);
    }
    this.byte(CLOSE_LIST);
    this.byte(QUOTE);
    if (!json) this.byte(CLOSE_LIST);
  }

  /** Writes a placeholder for a value that is too long. @returns whether it is */
  #cut(column: number, first: number, start: number, end: number): boolean {
    if (first !== QUOTE && first !== OPEN_OBJECT && first !== OPEN_LIST) return false;
    const written = decoder.decode(this.#source.subarray(start, end));
    return this.#placeholder(placeholderFor(first === QUOTE ? String(JSON.parse(written)) : written, this.#over[column] ?? 0));
  }

  #cutList(column: number, places: readonly number[]): boolean {
    const over = this.#over[column] ?? Infinity;
    // The brackets; then each element's value, or null, and the comma or bracket behind it.
    let bytes = places.length === 0 ? 2 : 1;
    for (let index = 0; index < places.length; index += 2) bytes += this.#entryBytes(places, index) + 1;
    if (bytes <= over) return false;
    const entries: string[] = [];
    for (let index = 0; index < places.length; index += 2) {
      const end = places[index + 1] ?? 0;
      entries.push(end === 0 ? 'null' : decoder.decode(this.#source.subarray(places[index] ?? 0, end)));
    }
    return this.#placeholder(placeholderFor(`[${entries.join(',')}]`, over));
  }

  #entryBytes(places: readonly number[], index: number): number {
    const end = places[index + 1] ?? 0;
    return end === 0 ? NULL.length : end - (places[index] ?? 0);
  }

  #placeholder(cell: UnreadCell | undefined): boolean {
    if (cell === undefined) return false;
    const bytes = bytesOf(JSON.stringify(cell));
    this.#reserve(bytes.length + this.#rowBytes);
    this.#copy(bytes, 0, bytes.length);
    return true;
  }

  #tagged(tag: Uint8Array, start: number, end: number, quoted: boolean): void {
    this.#copy(tag, 0, tag.length);
    if (quoted) this.#quoted(start, end);
    else this.#copy(this.#source, start, end);
    this.byte(CLOSE_LIST);
  }

  #quoted(start: number, end: number): void {
    this.byte(QUOTE);
    this.#escaped(start, end);
    this.byte(QUOTE);
  }

  /** Whether a double holds exactly the integer in this place. Any other number is a double to the server, too. */
  #isExact(start: number, end: number): boolean {
    const source = this.#source;
    for (let index = start; index < end; index += 1) {
      const byte = source[index] ?? 0;
      if (byte === DOT || byte > NINE) return true;
    }
    const first = source[start] === MINUS ? start + 1 : start;
    if (end - first !== LARGEST.length) return end - first < LARGEST.length;
    for (let index = 0; index < LARGEST.length; index += 1) {
      const difference = (source[first + index] ?? 0) - (LARGEST[index] ?? 0);
      if (difference !== 0) return difference < 0;
    }
    return true;
  }

  #copy(from: Uint8Array, start: number, end: number): void {
    const out = this.#out;
    let used = this.#used;
    for (let index = start; index < end; index += 1) out[used++] = from[index] ?? 0;
    this.#used = used;
  }

  #escaped(start: number, end: number): void {
    const from = this.#source;
    const out = this.#out;
    let used = this.#used;
    for (let index = start; index < end; index += 1) {
      const byte = from[index] ?? 0;
      if (byte === QUOTE || byte === BACKSLASH) out[used++] = BACKSLASH;
      out[used++] = byte;
    }
    this.#used = used;
  }

  #reserve(bytes: number): void {
    if (this.#used + bytes <= this.#out.length) return;
    const grown = new Uint8Array(Math.max(this.#used + bytes, this.#out.length * 2));
    grown.set(this.content);
    this.#out = grown;
  }
}
