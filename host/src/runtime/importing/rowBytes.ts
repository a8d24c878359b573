import { LARGEST_ROW } from './rowSplitter.ts';

const LINE_FEED = 0x0a;
/** Room behind the bytes that were asked for: the row that fills it is longer than what is left. */
const MARGIN = 64 * 1024;
/** Bytes that one UTF-16 unit needs at most. */
const BYTES_OF_UNIT = 3;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Rows, one behind the other and each with a line feed, in memory that is used again. An object for each row would be old when its part is done, and V8 frees what is
 * old only when much of it has come together.
 */
export class RowBytes {
  readonly #mostBytes: number;
  readonly #mostRows: number;
  #bytes: Uint8Array | undefined;
  /** Where each row ends, its line feed included. */
  #ends: Float64Array | undefined;
  #length = 0;
  #rows = 0;

  /**
   * @param mostBytes - how much memory it keeps for the next rows; it takes longer ones all the same
   * @param mostRows - the same for their number
   */
  constructor(mostBytes: number, mostRows: number) {
    this.#mostBytes = mostBytes;
    this.#mostRows = mostRows;
  }

  /** Bytes of all rows. */
  get length(): number {
    return this.#length;
  }

  get rows(): number {
    return this.#rows;
  }

  /** All rows, one a line. Valid until a row is added. */
  get content(): Uint8Array {
    return (this.#bytes ?? new Uint8Array()).subarray(0, this.#length);
  }

  /** The bytes of a row, without its line feed. Valid until a row is added. */
  row(index: number): Uint8Array {
    return (this.#bytes ?? new Uint8Array()).subarray(this.#startOf(index), Math.max(0, (this.#ends?.[index] ?? 1) - 1));
  }

  /** The texts of rows, from one on: as many as there are, within a number of rows and of bytes, but one at least. */
  texts(from: number, mostRows: number, mostBytes: number): readonly string[] {
    const ends = this.#ends;
    if (ends === undefined || from >= this.#rows) return [];
    const start = this.#startOf(from);
    const last = Math.min(this.#rows, from + mostRows);
    let to = from + 1;
    while (to < last && (ends[to] ?? 0) - start <= mostBytes) to += 1;
    // Decoding has its price for each call: all of them at once, where no row has a line break of its own.
    const texts = decoder.decode(this.content.subarray(start, (ends[to - 1] ?? 1) - 1)).split('\n');
    if (texts.length === to - from) return texts;
    return Array.from({ length: to - from }, (_, index) => decoder.decode(this.row(from + index)));
  }

  /** @param row - its bytes, or its text */
  add(row: Uint8Array | string): void {
    let end = this.#length;
    if (typeof row === 'string') {
      const most = row.length * BYTES_OF_UNIT;
      const free = (this.#bytes?.length ?? 0) - this.#length - 1;
      const bytes = this.#roomFor(most <= free ? most : Buffer.byteLength(row));
      end += encoder.encodeInto(row, bytes.subarray(this.#length)).written;
      bytes[end] = LINE_FEED;
    } else {
      const bytes = this.#roomFor(row.length);
      bytes.set(row, this.#length);
      end += row.length;
      bytes[end] = LINE_FEED;
    }
    this.#length = end + 1;
    this.#ends ??= new Float64Array(this.#mostRows);
    if (this.#rows === this.#ends.length) this.#ends = twice(this.#ends);
    this.#ends[this.#rows] = this.#length;
    this.#rows += 1;
  }

  /** Takes the rows out. Memory that long rows have grown is not kept. */
  clear(): void {
    if ((this.#bytes?.length ?? 0) > this.#mostBytes + MARGIN) this.#bytes = undefined;
    if ((this.#ends?.length ?? 0) > this.#mostRows) this.#ends = undefined;
    this.#length = 0;
    this.#rows = 0;
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : (this.#ends?.[index - 1] ?? 0);
  }

  /** Memory for a row of so many bytes and its line feed. */
  #roomFor(length: number): Uint8Array {
    this.#bytes ??= new Uint8Array(this.#mostBytes + MARGIN);
    const end = this.#length + length + 1;
    if (end <= this.#bytes.length) return this.#bytes;
    const grown = new Uint8Array(Math.max(end, Math.min(2 * this.#bytes.length, this.#mostBytes + LARGEST_ROW)));
    grown.set(this.content);
    this.#bytes = grown;
    return grown;
  }
}

/** Of a short text all rows are one part, however many. */
export function twice(numbers: Float64Array): Float64Array {
  const grown = new Float64Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}
