const LINE_FEED = 0x0a;
/** Of the last line; what an export's judge gets to see. */
const LONGEST_LAST_LINE = 64 * 1024;

/** Counts the lines of a stream and keeps the last one, reading each byte once. Empty lines do not count. */
export class LineCounter {
  #lines = 0;
  #last: Uint8Array = new Uint8Array();
  /** The beginning of the line that has no line feed yet: its first bytes, and how many there are. */
  #open: Uint8Array = new Uint8Array();
  #openLength = 0;

  feed(chunk: Uint8Array): void {
    let start = 0;
    let lastStart = -1;
    let lastEnd = -1;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      if (start === 0 && this.#openLength > 0) {
        this.#append(chunk.subarray(0, end));
        this.#close();
      } else if (end > start) {
        this.#lines += 1;
        lastStart = start;
        lastEnd = end;
      }
      start = end + 1;
    }
    if (lastEnd >= 0) this.#last = chunk.slice(lastStart, Math.min(lastEnd, lastStart + LONGEST_LAST_LINE));
    if (start < chunk.length) this.#append(chunk.subarray(start));
  }

  /** With the last line, also when nothing ended it. */
  end(): { readonly lines: number; readonly lastLine: string } {
    if (this.#openLength > 0) this.#close();
    return { lines: this.#lines, lastLine: new TextDecoder().decode(this.#last) };
  }

  /** Whether something came after the last line feed. */
  get isOpen(): boolean {
    return this.#openLength > 0;
  }

  get lines(): number {
    return this.#lines;
  }

  #append(bytes: Uint8Array): void {
    const room = LONGEST_LAST_LINE - this.#open.length;
    if (room > 0) this.#open = Buffer.concat([this.#open, bytes.subarray(0, room)]);
    this.#openLength += bytes.length;
  }

  #close(): void {
    this.#lines += 1;
    this.#last = this.#open;
    this.#open = new Uint8Array();
    this.#openLength = 0;
  }
}
