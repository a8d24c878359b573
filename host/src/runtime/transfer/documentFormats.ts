import { LineCounter } from './lineCounter.ts';

/** Turns a stream of JSON documents, one a line, into a file's bytes. */
export interface DocumentFormat {
  readonly lines: LineCounter;
  feed(chunk: Uint8Array): Uint8Array;
  /** The end of the file. */
  end(): Uint8Array;
}

const LINE_FEED = 0x0a;
const COMMA = 0x2c;
const encoder = new TextEncoder();

/** As it comes, and the last line is ended like every other: servers leave that out. */
export class LineDocuments implements DocumentFormat {
  readonly lines = new LineCounter();

  feed(chunk: Uint8Array): Uint8Array {
    this.lines.feed(chunk);
    return chunk;
  }

  end(): Uint8Array {
    return encoder.encode(this.lines.isOpen ? '\n' : '');
  }
}

/** One array, every document in it byte for byte. */
export class ArrayDocuments implements DocumentFormat {
  readonly lines = new LineCounter();
  #begun = false;
  /** A document has ended, and what separates it from the next one is not written: there may be no next one. */
  #between = false;

  feed(chunk: Uint8Array): Uint8Array {
    this.lines.feed(chunk);
    const out = Buffer.allocUnsafe(2 * chunk.length + 4);
    let length = this.#begun ? 0 : out.write('[\n');
    this.#begun = true;
    for (let start = 0; start < chunk.length;) {
      const found = chunk.indexOf(LINE_FEED, start);
      const end = found < 0 ? chunk.length : found;
      if (end > start) {
        if (this.#between) {
          out[length] = COMMA;
          out[length + 1] = LINE_FEED;
          length += 2;
        }
        out.set(chunk.subarray(start, end), length);
        length += end - start;
        this.#between = false;
        this.#open = true;
      }
      if (found >= 0 && this.#open) {
        this.#between = true;
        this.#open = false;
      }
      start = end + 1;
    }
    return out.subarray(0, length);
  }

  /** Inside a document. */
  #open = false;

  end(): Uint8Array {
    return encoder.encode(!this.#begun ? '[]\n' : this.#open || this.#between ? '\n]\n' : ']\n');
  }
}
