const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Cuts a stream of bytes into lines, whatever the chunks are. A line beyond the limit is dropped to its end, and reported once. */
export class LineReader {
  readonly #limit: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onTooLong: () => void;
  readonly #onEmpty: () => void;
  #parts: Buffer[] = [];
  #length = 0;
  #dropping = false;

  constructor(limit: number, onLine: (line: Buffer) => void, onTooLong: () => void, onEmpty: () => void = () => undefined) {
    this.#limit = limit;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
    this.#onEmpty = onEmpty;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** The last line need not have an end. */
  end(): void {
    if (this.#length > 0) this.#finish();
  }

  #add(part: Buffer): void {
    if (this.#dropping) return;
    this.#length += part.length;
    if (this.#length <= this.#limit) {
      this.#parts.push(part);
      return;
    }
    this.#dropping = true;
    this.#parts = [];
    this.#onTooLong();
  }

  #finish(): void {
    const [first] = this.#parts;
    let line = this.#parts.length === 1 && first !== undefined ? first : Buffer.concat(this.#parts);
    const dropped = this.#dropping;
    this.#parts = [];
    this.#length = 0;
    this.#dropping = false;
    if (line.at(-1) === RETURN) line = line.subarray(0, -1);
    if (dropped) return;
    if (line.length > 0) this.#onLine(line);
    else this.#onEmpty();
  }
}
