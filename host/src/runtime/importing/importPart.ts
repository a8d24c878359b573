import type { DriverTexts } from '@tabularium/sdk';
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
  /** The driver's message in other languages. */
  readonly texts?: DriverTexts;
  /** As JSON. */
  readonly row: string;
}

const NOTHING = new Uint8Array();

/** The memory of one part. */
interface PartBuffers {
  readonly bytes: Uint8Array;
  /** Where each row ends, and its line. */
  readonly ends: Float64Array;
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
        bytes: new Uint8Array(PART_BYTES + 64 * 1024),
        ends: new Float64Array(PART_ROWS),
        lines: new Float64Array(PART_ROWS),
      }
    );
  }

  give(buffers: PartBuffers): void {
    this.#free.push(buffers);
  }
}

/** Some rows that are sent together. */
export class ImportPart {
  readonly #mapping: RowMapping;
  #bytes: Uint8Array;
  readonly #memory: PartMemory;
  readonly #buffers: PartBuffers;
  #length = 0;
  #unfitBytes = 0;
  #sourceBytes = 0;
  #ends: Float64Array;
  #lines: Float64Array;
  #rows = 0;
  /** Of rows that were changed on the way; the others are their own source. */
  readonly #sources: Uint8Array[] = [];
  /** Rows that are not sent, because they don't fit the mapping. */
  readonly unfit: RejectedRow[] = [];
  #start: ReadingPlace;
  /** Where the next part begins. */
  next: ReadingPlace;

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
    this.#bytes = this.#buffers.bytes;
    this.#ends = this.#buffers.ends;
    this.#lines = this.#buffers.lines;
  }

  /** Called when every row has its outcome: the next part uses the memory again. */
  release(): void {
    // Memory that a long row has grown is not kept.
    this.#memory.give(this.#buffers);
    this.#bytes = NOTHING;
    this.#length = 0;
    this.#rows = 0;
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
    const fit = Math.max(this.#length, this.#sourceBytes);
    return fit + this.#unfitBytes >= PART_BYTES || this.#rows + this.unfit.length >= PART_ROWS;
  }

  get isEmpty(): boolean {
    return this.#rows + this.unfit.length === 0;
  }

  /** Rows to send. */
  get rows(): number {
    return this.#rows;
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
  rejected(index: number, message: string, texts?: DriverTexts): RejectedRow {
    const start = index === 0 ? 0 : (this.#ends[index - 1] ?? 0);
    const bytes = this.#sources[index] ?? this.#bytes.subarray(start, (this.#ends[index] ?? 1) - 1);
    const row = this.#mapping.source(bytes);
    return { line: this.#lines[index] ?? 0, message, ...(texts === undefined ? {} : { texts }), row };
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
    if (!this.#mapping.isIdentity && row.bytes !== undefined) {
      this.#sources.push(row.bytes.slice());
      this.#sourceBytes += row.bytes.length;
    }
    this.#length = end;
    if (this.#rows === this.#ends.length) {
      this.#ends = twice(this.#ends);
      this.#lines = twice(this.#lines);
    }
    this.#ends[this.#rows] = end;
    this.#lines[this.#rows] = row.line;
    this.#rows += 1;
  }
}

/** Of a short text all rows are one part, however many. */
function twice(numbers: Float64Array): Float64Array {
  const grown = new Float64Array(2 * numbers.length);
  grown.set(numbers);
  return grown;
}
