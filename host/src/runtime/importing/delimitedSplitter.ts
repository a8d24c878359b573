import { RowSplitter } from './rowSplitter.ts';
import type { RowPlace } from './rowSplitter.ts';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Lines of fields, cut as `readDelimited` reads them: a quoted field may have line breaks. Blank lines are passed over. */
export class DelimitedSplitter extends RowSplitter {
  readonly #separator: number;
  #isInQuotes = false;
  #isFieldStart = true;
  /** A quote in a quoted field: it ends the field, unless another one follows. */
  #isAfterQuote = false;
  #isAfterReturn = false;

  /** @param separator - one ASCII character */
  constructor(place: RowPlace, separator: string) {
    super(place);
    this.#separator = separator.charCodeAt(0);
  }

  protected override scan(data: Uint8Array, from: number): number {
    const separator = this.#separator;
    for (let at = from; at < data.length; at += 1) {
      if (this.#isInQuotes) {
        const quote = data.indexOf(QUOTE, at);
        if (quote < 0) return -1;
        this.#isInQuotes = false;
        this.#isAfterQuote = true;
        at = quote;
        continue;
      }
      const byte = data[at];
      if (byte === QUOTE && (this.#isFieldStart || this.#isAfterQuote)) {
        this.#isInQuotes = true;
        this.#isFieldStart = false;
        this.#isAfterQuote = false;
        continue;
      }
      this.#isAfterQuote = false;
      this.#isFieldStart = byte === separator;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) continue;
      this.#isFieldStart = true;
      return at + 1;
    }
    return -1;
  }

  protected override contentOf(bytes: Uint8Array): Uint8Array | undefined {
    const last = bytes.at(-1);
    const isEnded = last === LINE_FEED || last === CARRIAGE_RETURN;
    const content = isEnded ? bytes.subarray(0, -1) : bytes;
    return content.length === 0 ? undefined : content;
  }

  protected override linesIn(bytes: Uint8Array): number {
    let lines = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
    // The second half of a line break has been counted with the first.
    if (bytes.length === 1 && bytes[0] === LINE_FEED && this.#isAfterReturn) lines = 0;
    this.#isAfterReturn = bytes.at(-1) === CARRIAGE_RETURN;
    return lines + (this.#isAfterReturn ? 1 : 0);
  }
}
