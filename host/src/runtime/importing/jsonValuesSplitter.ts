import { RowSplitter, isBlank, trimmed } from './rowSplitter.ts';
import type { RowPlace } from './rowSplitter.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** Where the scanner is. `after`: behind the list. */
type Region = 'before' | 'list' | 'values' | 'after';

/**
 * The values of a JSON list, of any size, or JSON objects one after the other, each over as many lines as it likes. It finds where a value ends and
 * doesn't judge it: that is for those who read the row.
 */
export class JsonValuesSplitter extends RowSplitter {
  #region: Region;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;

  /** @param isInList - whether the place is in a list; absent at the start of a file */
  constructor(place: RowPlace, isInList?: boolean) {
    super(place);
    this.#region = isInList === undefined ? 'before' : isInList ? 'list' : 'values';
  }

  /** Whether the rows are the values of a list. */
  get isList(): boolean {
    return this.#region === 'list' || this.#region === 'after';
  }

  protected override scan(data: Uint8Array, from: number): number {
    for (let at = from; at < data.length; at += 1) {
      const byte = data[at] ?? 0;
      if (this.#region === 'before') {
        if (isBlank(byte)) continue;
        this.#region = byte === OPEN_LIST ? 'list' : 'values';
        if (byte === OPEN_LIST) return at + 1;
      }
      if (this.#isInText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === BACKSLASH) this.#isEscaped = true;
        else if (byte === QUOTE) this.#isInText = false;
      } else if (byte === QUOTE) this.#isInText = true;
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#depth += 1;
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
        if (this.#depth === 0) {
          if (this.#region === 'list' && byte === CLOSE_LIST) {
            this.#region = 'after';
            return at + 1;
          }
          continue;
        }
        this.#depth -= 1;
        if (this.#depth === 0 && this.#region === 'values') return at + 1;
      } else if (byte === COMMA && this.#depth === 0 && this.#region === 'list') return at + 1;
    }
    return -1;
  }

  protected override contentOf(bytes: Uint8Array, isEnded: boolean): Uint8Array | string | undefined {
    let content = trimmed(bytes);
    if (this.#region === 'list' || this.#region === 'after') {
      if (!isEnded) {
        if (this.#region === 'after') return content.length === 0 ? undefined : 'There is text behind the end of the list.';
        return 'The file ends before its list does. It may be cut off.';
      }
      const last = content.at(-1);
      if (content.length === 1 && (last === OPEN_LIST || last === CLOSE_LIST)) return undefined;
      if (last === COMMA || last === CLOSE_LIST) content = trimmed(content.subarray(0, -1));
      return content.length === 0 ? 'A value is missing between two commas.' : inOneLine(content);
    }
    if (content.length === 0) return undefined;
    return isEnded ? inOneLine(content) : 'The file ends in the middle of a value.';
  }
}

/** Line breaks of JSON are blanks between its parts: a text has none. */
function inOneLine(bytes: Uint8Array): Uint8Array {
  const line = bytes.slice();
  for (let at = 0; at < line.length; at += 1) if (line[at] === 0x0a || line[at] === 0x0d) line[at] = SPACE;
  return line;
}
