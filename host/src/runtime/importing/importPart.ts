import type { MappedRow, RowMapping } from './rowMapping.ts';
import type { ReadingPlace } from './sourceRows.ts';
import { LARGEST_ROW } from './rowSplitter.ts';
import type { SourceRow } from './rowSplitter.ts';

/** Bytes and rows of one request: small enough to be held in memory twice, and large enough that the time between two requests doesn't count. */
const PART_BYTES = 2 * 1024 * 1024;
const PART_ROWS = 20_000;

const LINE_FEED = 0x0a;
const decoder = new TextDecoder();

/** A row that is rejected. */
export interface RejectedRow {
  readonly line: number;
  readonly message: string;
  /** As JSON. */
  readonly row: string;
}

/** Some rows that are sent together. */
export class ImportPart {
  readonly #mapping: RowMapping;
  #bytes = new Uint8Array(PART_BYTES + 64 * 1024);
  #length = 0;
  #unfitBytes = 0;
  readonly #ends: number[] = [];
  readonly #lines: number[] = [];
  /** Of rows that were changed on the way; the others are their own source. */
  readonly #sources: Uint8Array[] = [];
  /** Rows that are not sent, because they don't fit the mapping. */
  readonly unfit: RejectedRow[] = [];
  /** Where the next part begins. */
  next: ReadingPlace;

  /** @param start - where the part begins */
  constructor(mapping: RowMapping, start: ReadingPlace) {
    this.#mapping = mapping;
    this.next = start;
  }

  get isFull(): boolean {
    return this.#length + this.#unfitBytes >= PART_BYTES || this.#ends.length + this.unfit.length >= PART_ROWS;
  }

  get isEmpty(): boolean {
    return this.#ends.length + this.unfit.length === 0;
  }

  /** Rows to send. */
  get rows(): number {
    return this.#ends.length;
  }

  /** One document a line. */
  get content(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  add(row: SourceRow, isInList: boolean): void {
    const mapped = this.#mapping.map(row);
    this.next = { ...row.next, isInList };
    if ('problem' in mapped) this.#addUnfit(row, mapped);
    else this.#addDocument(row, mapped.bytes);
  }

  /** The line of a row that is sent. */
  lineOf(index: number): number {
    return this.#lines[index] ?? 0;
  }

  /** The text of a row that is sent. */
  document(index: number): string {
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    return decoder.decode(this.#bytes.subarray(start, (this.#ends[index] ?? 1) - 1));
  }

  /** The row as it came, after it was rejected. */
  rejected(index: number, message: string): RejectedRow {
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    const bytes = this.#sources[index] ?? this.#bytes.subarray(start, (this.#ends[index] ?? 1) - 1);
    return { line: this.#lines[index] ?? 0, message, row: this.#mapping.source(bytes) };
  }

  #addUnfit(row: SourceRow, { problem }: Extract<MappedRow, { problem: string }>): void {
    this.unfit.push({ line: row.line, message: problem, row: this.#mapping.source(row.bytes) });
    this.#unfitBytes += row.bytes?.length ?? 0;
  }

  #addDocument(row: SourceRow, document: Uint8Array): void {
    const end = this.#length + document.length + 1;
    if (end > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(end, Math.min(2 * this.#bytes.length, PART_BYTES + LARGEST_ROW)));
      grown.set(this.content);
      this.#bytes = grown;
    }
    this.#bytes.set(document, this.#length);
    this.#bytes[end - 1] = LINE_FEED;
    if (!this.#mapping.isIdentity && row.bytes !== undefined) this.#sources.push(row.bytes.slice());
    this.#length = end;
    this.#ends.push(end);
    this.#lines.push(row.line);
  }
}
