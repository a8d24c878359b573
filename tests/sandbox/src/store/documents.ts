import { parse } from '../json/parse.ts';
import { isObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';

const UNSAFE_INTEGER = /[0-9]{16}/;

/** Documents as the text they are answered with, by sequence number. Nothing is parsed until somebody filters or sorts. */
export class Documents {
  readonly #texts: (string | undefined)[] = [];
  /** Whole documents, where fields are indexed without being stored. */
  readonly #whole = new Map<number, string>();
  readonly #sequences = new Map<string, number>();
  #next = 0;
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** One more than the highest sequence number ever stored. */
  get end(): number {
    return this.#texts.length;
  }

  /** A number once given out is not given again, even when its document is then refused. */
  takeSequence(): number {
    const sequence = this.#next;
    this.#next += 1;
    return sequence;
  }

  sequenceOf(id: string): number | undefined {
    return this.#sequences.get(id);
  }

  /** Two documents may end up with one id, when the server makes an id that a user has chosen: the later one answers to it. */
  put(sequence: number, id: string, text: string, whole?: string): void {
    if (whole !== undefined) this.#whole.set(sequence, whole);
    if (this.#texts[sequence] === undefined) this.#count += 1;
    this.#texts[sequence] = text;
    this.#sequences.set(id, sequence);
    if (sequence >= this.#next) this.#next = sequence + 1;
  }

  text(sequence: number): string | undefined {
    return this.#texts[sequence];
  }

  remove(sequence: number, id: string): void {
    if (this.#texts[sequence] === undefined) return;
    this.#texts[sequence] = undefined;
    this.#whole.delete(sequence);
    this.#count -= 1;
    if (this.#sequences.get(id) === sequence) this.#sequences.delete(id);
  }

  /** Sequence numbers continue from where they were. */
  clear(): void {
    this.#texts.fill(undefined);
    this.#whole.clear();
    this.#sequences.clear();
    this.#count = 0;
  }

  parsed(sequence: number): JsonObject | undefined {
    const text = this.#texts[sequence];
    if (text === undefined) return undefined;
    const value = parse(text);
    return isObject(value) ? value : undefined;
  }

  /**
   * For reading field values: the quick parser, unless integers beyond 53 bits matter and there are some. Floats lose their
   * Double marker, which no index needs.
   */
  scanned(sequence: number, exact: boolean): JsonObject | undefined {
    const text = this.#texts[sequence];
    if (text === undefined) return undefined;
    const value: JsonValue = exact && UNSAFE_INTEGER.test(text) ? parse(text) : (JSON.parse(text) as JsonValue);
    return isObject(value) ? value : undefined;
  }

  /** As `parsed`, with the values that are indexed without being stored. */
  whole(sequence: number): JsonObject | undefined {
    const text = this.#whole.get(sequence);
    if (text === undefined) return this.parsed(sequence);
    const value = parse(text);
    return isObject(value) ? value : undefined;
  }

  /** As `scanned`, with the values that are indexed without being stored. */
  indexed(sequence: number, exact: boolean): JsonObject | undefined {
    return this.#whole.has(sequence) ? this.whole(sequence) : this.scanned(sequence, exact);
  }

  *sequences(): IterableIterator<number> {
    for (let sequence = 0; sequence < this.#texts.length; sequence += 1) {
      if (this.#texts[sequence] !== undefined) yield sequence;
    }
  }
}
