import type { DriverTexts } from '@tabularium/sdk';
import { RowBytes, twice } from './rowBytes.ts';
import type { MappedRow, RowMapping } from './rowMapping.ts';
import type { ReadingPlace } from './sourceRows.ts';
import type { SourceRow } from './rowSplitter.ts';

/** Bytes and rows of one request: small enough to be held in memory twice, and large enough that the time between two requests doesn't count. */
const PART_BYTES = 2 * 1024 * 1024;
const PART_ROWS = 20_000;

/** A row that is rejected. */
export interface RejectedRow {
  readonly line: number;
  readonly message: string;
  /** The driver's message in other languages. */
  readonly texts?: DriverTexts;
  /** As JSON. */
  readonly row: string;
}

const NOTHING = new Uint8Array();
const decoder = new TextDecoder();

/** The memory of one part. */
interface PartBuffers {
  readonly documents: RowBytes;
  /** Of rows that are changed on the way, as they came. */
  readonly sources: RowBytes;
  /** The line of each row. */
  readonly lines: Float64Array;
}

/**
 * The memory of parts, used again. A part lives longer than what is young, and V8 frees what is old only when much of it has come together: of one part after
 * the other, some 60 MB.
 */
export class PartMemory {
  readonly #free: PartBuffers[] = [];

  take(): PartBuffers {
    return (
      this.#free.pop() ?? {
        documents: new RowBytes(PART_BYTES, PART_ROWS),
        sources: new RowBytes(PART_BYTES, PART_ROWS),
        lines: new Float64Array(PART_ROWS),
      }
    );
  }

  give(buffers: PartBuffers): void {
    buffers.documents.clear();
    buffers.sources.clear();
    this.#free.push(buffers);
  }
}

/** Some rows that are sent together. */
export class ImportPart {
  readonly #mapping: RowMapping;
  readonly #memory: PartMemory;
  readonly #buffers: PartBuffers;
  #documents: RowBytes;
  /** Of rows that were changed on the way; the others are their own source. */
  #sources: RowBytes;
  #lines: Float64Array;
  #unfitBytes = 0;
  /** Rows that are not sent, because they don't fit the mapping. */
  readonly unfit: RejectedRow[] = [];
  #start: ReadingPlace;
  /** Where the next part begins. */
  next: ReadingPlace;
  /** Bytes of the file that were read when the part was whole. */
  bytesRead = 0;

  /**
   * @param start - where the part begins
   * @param memory - of the parts before, once they are released
   */
  constructor(mapping: RowMapping, start: ReadingPlace, memory = new PartMemory()) {
    this.#mapping = mapping;
    this.#start = start;
    this.next = start;
    this.#memory = memory;
    this.#buffers = memory.take();
    this.#documents = this.#buffers.documents;
    this.#sources = this.#buffers.sources;
    this.#lines = this.#buffers.lines;
  }

  /** Called when every row has its outcome: the next part uses the memory again. */
  release(): void {
    this.#memory.give(this.#buffers);
    this.#documents = new RowBytes(0, 0);
    this.#sources = this.#documents;
  }

  /** Where its first row begins. */
  get start(): ReadingPlace {
    return this.#start;
  }

  /** Begins behind a row that is passed over. */
  skipTo(place: ReadingPlace): void {
    this.#start = place;
    this.next = place;
  }

  get isFull(): boolean {
    // A mapping may leave out nearly all of a row: the memory holds the row as it came as well.
    const fit = Math.max(this.#documents.length, this.#sources.length);
    return fit + this.#unfitBytes >= PART_BYTES || this.rows + this.unfit.length >= PART_ROWS;
  }

  get isEmpty(): boolean {
    return this.rows + this.unfit.length === 0;
  }

  /** Rows to send. */
  get rows(): number {
    return this.#documents.rows;
  }

  /** One document a line. */
  get content(): Uint8Array {
    return this.#documents.content;
  }

  add(row: SourceRow, isInList: boolean): void {
    const mapped = this.#mapping.map(row);
    this.next = { ...row.next, isInList };
    if ('problem' in mapped) this.#addUnfit(row, mapped);
    else this.#addDocument(row, 'bytes' in mapped ? mapped.bytes : mapped.text);
  }

  /** The line of a row that is sent. */
  lineOf(index: number): number {
    return this.#lines[index] ?? 0;
  }

  /** The text of a row that is sent. */
  document(index: number): string {
    return decoder.decode(this.#documents.row(index));
  }

  /** The texts of rows that are sent, from one on: as many as there are, within a number of rows and of bytes, but one at least. */
  documents(from: number, mostRows: number, mostBytes: number): readonly string[] {
    return this.#documents.texts(from, mostRows, mostBytes);
  }

  /** The row as it came, after it was rejected. */
  rejected(index: number, message: string, texts?: DriverTexts): RejectedRow {
    const row = this.#mapping.source((this.#mapping.isIdentity ? this.#documents : this.#sources).row(index));
    return { line: this.lineOf(index), message, ...(texts === undefined ? {} : { texts }), row };
  }

  #addUnfit(row: SourceRow, { problem }: Extract<MappedRow, { problem: string }>): void {
    this.unfit.push({ line: row.line, message: problem, row: this.#mapping.source(row.bytes) });
    this.#unfitBytes += row.bytes?.length ?? 0;
  }

  #addDocument(row: SourceRow, document: Uint8Array | string): void {
    const index = this.rows;
    if (index === this.#lines.length) this.#lines = twice(this.#lines);
    this.#lines[index] = row.line;
    this.#documents.add(document);
    if (!this.#mapping.isIdentity) this.#sources.add(row.bytes ?? NOTHING);
  }
}
