const STEP = 0x6d2b79f5;
const RANGE = 4294967296;

/** Mulberry32: the same numbers for the same seed, everywhere and for ever. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + STEP) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / RANGE;
  }

  /** From `from` to `to`, both included. */
  integer(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[Math.floor(this.next() * items.length)] ?? items[0];
  }

  /** `count` different items, in the order of the list, starting anywhere. */
  some<T>(items: readonly [T, ...T[]], count: number): T[] {
    const start = this.integer(0, items.length - 1);
    return Array.from({ length: Math.min(count, items.length) }, (_, at) => items[(start + at) % items.length] ?? items[0]);
  }
}
