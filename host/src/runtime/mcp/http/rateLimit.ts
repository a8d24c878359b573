/** How much one principal may ask for. */
export interface RateLimits {
  /** Requests a minute, evenly; a minute's worth may come at once. */
  readonly requestsPerMinute: number;
  /** Requests that run at the same time; streams without an end do not count. */
  readonly requestsAtOnce: number;
}

interface Bucket {
  tokens: number;
  time: number;
}

/** Principals that are remembered; one that is forgotten has not asked for a minute, or there are more than tokens. */
const MOST_BUCKETS = 2_000;

/** One bucket for each principal, which fills evenly and holds a minute's worth. In memory: a restart clears it. */
export class RateLimit {
  readonly #limits: () => RateLimits;
  readonly #now: () => number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(limits: () => RateLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  /** @returns the seconds to wait, when this request is one too many; 0 when it may continue */
  take(principalId: string): number {
    const perMinute = this.#limits().requestsPerMinute;
    const now = this.#now();
    const bucket = this.#buckets.get(principalId) ?? { tokens: perMinute, time: now };
    // A clock that was set back takes nothing away.
    const elapsed = Math.max(0, now - bucket.time);
    const tokens = Math.min(perMinute, bucket.tokens + (elapsed * perMinute) / 60_000);
    this.#buckets.delete(principalId);
    this.#buckets.set(principalId, { tokens: tokens >= 1 ? tokens - 1 : tokens, time: now });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > MOST_BUCKETS && oldest !== undefined) this.#buckets.delete(oldest);
    return tokens >= 1 ? 0 : Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute));
  }
}
