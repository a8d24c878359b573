import { isFloat, isInteger, toNumber } from '../json/value.ts';
import type { JsonValue } from '../json/value.ts';

const FIRST_CAPACITY = 1024;

const capacityFor = (index: number, current: number): number => {
  let capacity = Math.max(current, FIRST_CAPACITY);
  while (capacity <= index) capacity *= 2;
  return capacity;
};

/** One number a document, with the exact integers kept beside the doubles once one of them needs more than 53 bits. */
export class NumberColumn {
  #values = new Float64Array(FIRST_CAPACITY);
  #present = new Uint8Array(FIRST_CAPACITY);
  #exact: BigInt64Array | undefined;

  set(sequence: number, value: JsonValue | undefined): void {
    if (sequence >= this.#values.length) this.#grow(sequence);
    const number = typeof value === 'boolean' ? Number(value) : isInteger(value) || isFloat(value) ? toNumber(value) : undefined;
    this.#present[sequence] = number === undefined ? 0 : 1;
    if (number === undefined) return;
    this.#values[sequence] = number;
    if (typeof value === 'bigint' && this.#exact === undefined) {
      this.#exact = new BigInt64Array(this.#values.length);
      for (let at = 0; at < this.#values.length; at += 1) this.#exact[at] = BigInt(Math.trunc(this.#values[at] ?? 0));
    }
    if (this.#exact !== undefined) {
      this.#exact[sequence] = typeof value === 'bigint' ? BigInt.asIntN(64, value) : BigInt(Math.trunc(number));
    }
  }

  has(sequence: number): boolean {
    return this.#present[sequence] === 1;
  }

  at(sequence: number): number {
    return this.#values[sequence] ?? 0;
  }

  exactAt(sequence: number): bigint {
    return this.#exact?.[sequence] ?? BigInt(Math.trunc(this.at(sequence)));
  }

  get isExact(): boolean {
    return this.#exact !== undefined;
  }

  compare(left: number, right: number): number {
    const difference = this.at(left) - this.at(right);
    if (difference !== 0 || this.#exact === undefined) return difference;
    const leftExact = this.exactAt(left);
    const rightExact = this.exactAt(right);
    return leftExact < rightExact ? -1 : leftExact > rightExact ? 1 : 0;
  }

  #grow(sequence: number): void {
    const capacity = capacityFor(sequence, this.#values.length);
    const values = new Float64Array(capacity);
    values.set(this.#values);
    this.#values = values;
    const present = new Uint8Array(capacity);
    present.set(this.#present);
    this.#present = present;
    if (this.#exact === undefined) return;
    const exact = new BigInt64Array(capacity);
    exact.set(this.#exact);
    this.#exact = exact;
  }
}

/** At most one value a document. */
export class ValueColumn<T> {
  readonly #values: (T | undefined)[] = [];

  set(sequence: number, value: T | undefined): void {
    this.#values[sequence] = value;
  }

  at(sequence: number): T | undefined {
    return this.#values[sequence];
  }
}

/** Any number of plain values a document; kept only for documents that have some. */
export class ListColumn<T> {
  readonly #values: (readonly T[] | undefined)[] = [];

  set(sequence: number, values: readonly T[]): void {
    this.#values[sequence] = values.length === 0 ? undefined : values;
  }

  at(sequence: number): readonly T[] | undefined {
    return this.#values[sequence];
  }
}

/** Token lists of a text field (one list for each value) and the documents each token is met in. */
export class TokenColumn {
  readonly #tokens: (readonly (readonly string[])[] | undefined)[] = [];
  /** A superset, perhaps with repetitions: a changed document stays listed under its old tokens, so whoever asks checks `at`. */
  readonly #documents = new Map<string, number[]>();

  set(sequence: number, values: readonly (readonly string[])[]): void {
    const before = this.#tokens[sequence];
    this.#tokens[sequence] = values.length === 0 ? undefined : values;
    for (const tokens of values) {
      for (const token of tokens) {
        if (before?.some((old) => old.includes(token)) === true) continue;
        const documents = this.#documents.get(token);
        if (documents === undefined) this.#documents.set(token, [sequence]);
        else if (documents.at(-1) !== sequence) documents.push(sequence);
      }
    }
  }

  at(sequence: number): readonly (readonly string[])[] | undefined {
    return this.#tokens[sequence];
  }

  documents(token: string): readonly number[] {
    return this.#documents.get(token) ?? [];
  }

  get vocabulary(): IterableIterator<string> {
    return this.#documents.keys();
  }
}
