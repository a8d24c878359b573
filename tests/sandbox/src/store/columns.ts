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

/** The tokens of a text field: one list for each of its values. */
export type TokenLists = readonly (readonly string[])[];

/**
 * Token lists by document. Values repeat, so documents share lists, and a question about every document is asked once of every list: that is quicker
 * than keeping postings, and costs nothing while documents stream in.
 */
export class TokenColumn {
  readonly #tokens: (TokenLists | undefined)[] = [];
  readonly #vocabulary = new Set<string>();

  set(sequence: number, values: TokenLists): void {
    this.#tokens[sequence] = values.length === 0 ? undefined : values;
  }

  /** For every token of a list that was not met before. */
  learn(token: string): void {
    this.#vocabulary.add(token);
  }

  at(sequence: number): TokenLists | undefined {
    return this.#tokens[sequence];
  }

  /** Every token there is or was. */
  get vocabulary(): Iterable<string> {
    return this.#vocabulary;
  }
}

/** Remembers what was worked out for a list, as long as it is asked by the same question. */
export const onceForEachList = <T>(work: (lists: TokenLists) => T): ((lists: TokenLists) => T) => {
  const known = new Map<TokenLists, T>();
  return (lists) => {
    const existing = known.get(lists);
    if (existing !== undefined) return existing;
    const made = work(lists);
    known.set(lists, made);
    return made;
  };
};
