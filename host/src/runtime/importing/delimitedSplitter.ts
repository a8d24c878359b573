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
  /** The data ended with the first half of a line break, or with all of it. */
  #endsWithReturn = false;

  /** @param separator - one ASCII character */
  constructor(place: RowPlace, separator: string) {
    super(place);
    this.#separator = separator.charCodeAt(0);
  }

  protected override scan(data: Uint8Array, from: number): number {
    const separator = this.#separator;
    if (this.#endsWithReturn && from < data.length) {
      this.#endsWithReturn = false;
      return data[from] === LINE_FEED ? from + 1 : from;
    }
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
      // Both halves of a line break together, so that a run that begins behind it counts lines as one that began before it.
      if (byte === LINE_FEED) return at + 1;
      if (at + 1 < data.length) return data[at + 1] === LINE_FEED ? at + 2 : at + 1;
      this.#endsWithReturn = true;
    }
    return -1;
  }

  protected override contentOf(bytes: Uint8Array): Uint8Array | undefined {
    const isPair = bytes.at(-1) === LINE_FEED && bytes.at(-2) === CARRIAGE_RETURN;
    const isEnded = bytes.at(-1) === LINE_FEED || bytes.at(-1) === CARRIAGE_RETURN;
    const content = bytes.subarray(0, bytes.length - (isPair ? 2 : isEnded ? 1 : 0));
    return content.length === 0 ? undefined : content;
  }

  protected override get tooLongHint(): string {
    return ' It may begin with a quotation mark that has no end, which makes one row of all lines after it.';
  }

  protected override linesIn(bytes: Uint8Array): number {
    let lines = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines += 1;
    return lines + (bytes.at(-1) === CARRIAGE_RETURN ? 1 : 0);
  }
}
