const SIZE = 624;
const MIDDLE = 397;
const UPPER = 0x80000000;
const LOWER = 0x7fffffff;
const MATRIX = 0x9908b0df;
const MULTIPLIER = 1812433253;

/** MT19937, which is what a real server deals the scores of `_rand(seed)` with. */
export class MersenneTwister {
  readonly #state = new Uint32Array(SIZE);
  #at = SIZE;

  constructor(seed: number) {
    this.#state[0] = seed >>> 0;
    for (let at = 1; at < SIZE; at += 1) {
      const previous = this.#state[at - 1] ?? 0;
      this.#state[at] = Math.imul(MULTIPLIER, previous ^ (previous >>> 30)) + at;
    }
  }

  /** The next unsigned 32 bits. */
  next(): number {
    if (this.#at >= SIZE) this.#refill();
    let mixed = this.#state[this.#at] ?? 0;
    this.#at += 1;
    mixed ^= mixed >>> 11;
    mixed ^= (mixed << 7) & 0x9d2c5680;
    mixed ^= (mixed << 15) & 0xefc60000;
    return (mixed ^ (mixed >>> 18)) >>> 0;
  }

  #refill(): void {
    const word = (at: number): number => this.#state[at % SIZE] ?? 0;
    for (let at = 0; at < SIZE; at += 1) {
      const joined = (word(at) & UPPER) | (word(at + 1) & LOWER);
      this.#state[at] = word(at + MIDDLE) ^ (joined >>> 1) ^ ((joined & 1) === 1 ? MATRIX : 0);
    }
    this.#at = 0;
  }
}
