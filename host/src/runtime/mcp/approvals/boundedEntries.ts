/** The bounds of {@link BoundedEntries}. */
export interface EntryBounds {
  readonly all: number;
  /** Of one principal, so that one can't take the places of the others. */
  readonly ofOne: number;
  /** How long an entry is kept. */
  readonly milliseconds: number;
}

interface Entry<T> {
  readonly principalId: string;
  readonly until: number;
  readonly value: T;
}

/** Values that clients cause and that are kept for a while. A further one takes the place of the oldest one of its principal, or of all. */
export class BoundedEntries<T> {
  readonly #bounds: EntryBounds;
  readonly #now: () => number;
  /** Oldest first. */
  readonly #entries = new Map<string, Entry<T>>();

  constructor(bounds: EntryBounds, now: () => number) {
    this.#bounds = bounds;
    this.#now = now;
  }

  set(key: string, principalId: string, value: T): void {
    const now = this.#now();
    this.#entries.delete(key);
    let oldestOwn: string | undefined;
    let own = 0;
    for (const [other, entry] of this.#entries) {
      if (entry.until <= now) this.#entries.delete(other);
      else if (entry.principalId === principalId) {
        oldestOwn ??= other;
        own += 1;
      }
    }
    if (oldestOwn !== undefined && own >= this.#bounds.ofOne) this.#entries.delete(oldestOwn);
    const [oldest] = this.#entries.keys();
    if (oldest !== undefined && this.#entries.size >= this.#bounds.all) this.#entries.delete(oldest);
    this.#entries.set(key, { principalId, until: now + this.#bounds.milliseconds, value });
  }

  /** The value, while it is kept. */
  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && this.#now() < entry.until ? entry.value : undefined;
  }

  /** The value, while it is kept; it is removed in every case. */
  take(key: string): T | undefined {
    const value = this.get(key);
    this.#entries.delete(key);
    return value;
  }

  removeWhere(fits: (value: T) => boolean): void {
    for (const [key, { value }] of this.#entries) if (fits(value)) this.#entries.delete(key);
  }
}
