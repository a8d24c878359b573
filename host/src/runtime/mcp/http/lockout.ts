/** Wrong tokens within {@link LOCKOUT_WINDOW_MILLISECONDS} that lead to a lockout. */
const LOCKOUT_ATTEMPTS = 5;
const LOCKOUT_WINDOW_MILLISECONDS = 60_000;
const LOCKOUT_MILLISECONDS = 300_000;

/**
 * Slows guessing down. All clients share one address, so it counts for the whole server, and only texts that never were a token: a client
 * whose token has expired, was rotated or revoked, or that sends none, does not lock the others out. What a lockout refuses is the next
 * wrong text; a token that is good passes at all times. Kept in memory: a restart clears it.
 */
export class Lockout {
  readonly #now: () => number;
  #attempts: number[] = [];
  #lockedUntil = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** @returns the seconds to wait, when wrong texts are refused now; 0 when this one is answered like all others */
  countWrong(): number {
    const now = this.#now();
    if (now < this.#lockedUntil) return Math.ceil((this.#lockedUntil - now) / 1_000);
    this.#attempts = [...this.#attempts.filter((time) => now - time < LOCKOUT_WINDOW_MILLISECONDS), now];
    if (this.#attempts.length >= LOCKOUT_ATTEMPTS) {
      this.#attempts = [];
      this.#lockedUntil = now + LOCKOUT_MILLISECONDS;
    }
    return 0;
  }
}
