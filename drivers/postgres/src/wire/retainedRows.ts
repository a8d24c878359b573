import type { LinkMemory } from './linkMemory.ts';

/** Bytes of memory for the rows of one answer that is kept as a whole. */
const LARGEST = 96 * 1024 * 1024;

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
  readonly #memory: LinkMemory;
  #size = 0;

  constructor(memory: LinkMemory) {
    this.#memory = memory;
  }

  /** @param length - of its message, as the message says */
  addRow(row: readonly (string | null)[], length: number): void {
    this.#add(sizeOfRow(row, length));
  }

  addFields(fields: readonly { readonly name: string }[]): void {
    this.#add(sizeOfFields(fields));
  }

  /** The answer has come to its end, or is dropped. */
  close(): void {
    this.#memory.change(-this.#size);
    this.#size = 0;
  }

  #add(size: number): void {
    this.#size += size;
    this.#memory.change(size);
    if (this.#size > LARGEST) this.#memory.refuse(LARGEST);
  }
}

/** Bytes of memory. @param length - of its message, as the message says */
export function sizeOfRow(row: readonly (string | null)[], length: number): number {
  let characters = 0;
  let size = ROW;
  for (const value of row) {
    size += PLACE;
    if (value === null || value.length === 0) continue;
    characters += value.length;
    if (value.length > 1) size += STRING;
  }
  // Where characters have several bytes on the wire, every character of the text may have two in memory. A byte that isn't valid text has one on the wire, too, and two in memory.
  const isWide =
    length !== ROW_HEAD + row.length * VALUE_HEAD + characters || row.some((value) => value?.includes('\u{FFFD}') === true);
  for (const value of row) if (value !== null && value.length > 1) size += isWide ? value.length * 2 : value.length;
  return size;
}

/** Bytes of memory of the description of columns. */
export function sizeOfFields(fields: readonly { readonly name: string }[]): number {
  let size = 0;
  for (const { name } of fields) size += FIELD + name.length * 2;
  return size;
}
