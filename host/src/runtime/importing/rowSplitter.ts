/** Bytes of one row. A longer one is passed over, whatever its length: it is reported and nothing of it is kept. */
export const LARGEST_ROW = 8 * 1024 * 1024;

const LINE_FEED = 0x0a;

/** A row of a file, as its bytes. They are valid until the next chunk is pushed. */
export interface SourceRow {
  /** Undefined for a row that is longer than {@link LARGEST_ROW}, or that isn't a row. */
  readonly bytes: Uint8Array | undefined;
  /** Why there are no bytes. */
  readonly problem?: string;
  /** Of its first byte; the first line is 1. */
  readonly line: number;
  /** The place behind it: a run that begins there continues with the next row. */
  readonly next: RowPlace;
}

/** A place between two rows. */
export interface RowPlace {
  /** Bytes of the text before it, after decompression. */
  readonly offset: number;
  /** The line that begins there. */
  readonly line: number;
}

export const FILE_START: RowPlace = { offset: 0, line: 1 };

const NOTHING = new Uint8Array();

/** Cuts a stream of bytes into rows, in time that grows with its length and memory of one row. Where the stream is cut into chunks changes nothing. */
export abstract class RowSplitter {
  #data: Uint8Array = NOTHING;
  /** Where the open row begins. */
  #start = 0;
  /** Up to where it was scanned. */
  #scanned = 0;
  /** Of the first byte of the data. */
  #offset: number;
  #line: number;
  #isTooLong = false;

  constructor({ offset, line }: RowPlace) {
    this.#offset = offset;
    this.#line = line;
  }

  /** @returns the place behind the end of the open row, what ends it included; -1: it isn't here yet */
  protected abstract scan(data: Uint8Array, from: number): number;

  /** @param bytes - the row with what ends it @returns the row; undefined where there is none, such as a blank line */
  protected abstract contentOf(bytes: Uint8Array, isEnded: boolean): Uint8Array | string | undefined;

  /** A likely reason why a row is too long; empty where none is likely. */
  protected get tooLongHint(): string {
    return '';
  }

  /** Lines that end in a row. */
  protected linesIn(bytes: Uint8Array): number {
    let lines = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
    return lines;
  }

  /** Adds the rows that end in a chunk. */
  push(chunk: Uint8Array, rows: SourceRow[]): void {
    this.#data = this.#data.length === 0 ? chunk : joined(this.#data, chunk);
    for (;;) {
      const end = this.scan(this.#data, this.#scanned);
      if (end < 0) break;
      this.#close(end, true, rows);
    }
    this.#scanned = this.#data.length;
    this.#keepOpenRow();
  }

  /** Adds the last row, where nothing ended it. */
  end(rows: SourceRow[]): void {
    if (this.#data.length > this.#start || this.#isTooLong) this.#close(this.#data.length, false, rows);
  }

  #close(end: number, isEnded: boolean, rows: SourceRow[]): void {
    const bytes = this.#data.subarray(this.#start, end);
    const line = this.#line + blankLines(bytes);
    this.#line += this.linesIn(bytes);
    this.#start = end;
    this.#scanned = end;
    const next = { offset: this.#offset + end, line: this.#line };
    if (this.#isTooLong || bytes.length > LARGEST_ROW) {
      this.#isTooLong = false;
      rows.push({
        bytes: undefined,
        problem: `The row has more than ${LARGEST_ROW / 1_048_576} MB.${this.tooLongHint}`,
        line,
        next,
      });
      return;
    }
    const content = this.contentOf(bytes, isEnded);
    if (typeof content === 'string') rows.push({ bytes: undefined, problem: content, line, next });
    else if (content !== undefined) rows.push({ bytes: content, line, next });
  }

  /** The chunk's memory is used again. */
  #keepOpenRow(): void {
    const open = this.#data.subarray(this.#start);
    this.#offset += this.#start;
    this.#start = 0;
    if (this.#isTooLong || open.length > LARGEST_ROW) {
      this.#isTooLong = true;
      this.#line += this.linesIn(open);
      this.#offset += open.length;
      this.#data = NOTHING;
      this.#scanned = 0;
      return;
    }
    this.#data = open.slice();
    this.#scanned = open.length;
  }
}

/** Line breaks before what a row begins with. */
function blankLines(bytes: Uint8Array): number {
  let lines = 0;
  for (let at = 0; at < bytes.length && isBlank(bytes[at]); at += 1) if (bytes[at] === LINE_FEED) lines += 1;
  return lines;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** Without the blanks of JSON at both ends. */
export function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  while (start < end && isBlank(bytes[start])) start += 1;
  while (end > start && isBlank(bytes[end - 1])) end -= 1;
  return bytes.subarray(start, end);
}

export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
