import { largeAnswer } from './largeAnswer.ts';

/** Bytes of memory for the rows of one answer that is kept as a whole. */
const LARGEST = 96 * 1024 * 1024;
/** For those of all connections of the process together: one process serves all connections of this driver, and its memory is bounded. */
const ALL = 160 * 1024 * 1024;

// Bytes of V8: a row is an array, and a value of one character or none is shared.
const ROW = 72;
const PLACE = 8;
const STRING = 24;
const FIELD = 136;
/** Of a row's message: its length and the number of its values; and the length of each value. */
const ROW_HEAD = 6;
const VALUE_HEAD = 4;

/**
 * The memory that the rows of an answer take while they come. Rows of one byte each take many times of what they have on the wire, so bytes on the wire bound
 * nothing.
 */
export class RetainedRows {
  static readonly #all = new Set<RetainedRows>();
  static #total = 0;

  readonly #server: string;
  readonly #refuse: (error: Error) => void;
  #size = 0;

  /** @param refuse - ends the connection with the error */
  constructor(server: string, refuse: (error: Error) => void) {
    this.#server = server;
    this.#refuse = refuse;
  }

  /** @param length - of its message, as the message says */
  addRow(row: readonly (string | null)[], length: number): void {
    let characters = 0;
    let size = ROW;
    for (const value of row) {
      size += PLACE;
      if (value === null || value.length === 0) continue;
      characters += value.length;
      if (value.length > 1) size += STRING;
    }
    // Where characters have several bytes on the wire, every character of the text may have two in memory.
    const isWide = length > ROW_HEAD + row.length * VALUE_HEAD + characters;
    for (const value of row) if (value !== null && value.length > 1) size += isWide ? value.length * 2 : value.length;
    this.#add(size);
  }

  addFields(fields: readonly { readonly name: string }[]): void {
    let size = 0;
    for (const { name } of fields) size += FIELD + name.length * 2;
    this.#add(size);
  }

  /** The answer has come to its end, or is dropped. */
  close(): void {
    RetainedRows.#total -= this.#size;
    this.#size = 0;
    RetainedRows.#all.delete(this);
  }

  #add(size: number): void {
    RetainedRows.#all.add(this);
    this.#size += size;
    RetainedRows.#total += size;
    if (this.#size > LARGEST) this.#end(LARGEST);
    else if (RetainedRows.#total > ALL) {
      // A server that fills the memory slowly takes nothing from the answers of others: the largest one is ended.
      const [largest = this] = [...RetainedRows.#all].toSorted((one, other) => other.#size - one.#size);
      largest.#end(largest.#size);
    }
  }

  #end(bytes: number): void {
    this.close();
    this.#refuse(largeAnswer(this.#server, bytes));
  }
}
