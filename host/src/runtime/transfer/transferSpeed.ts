/** Milliseconds over which a speed is taken. */
const WINDOW = 3_000;

/** How fast bytes come, over the last seconds. */
export class TransferSpeed {
  readonly #samples: { readonly at: number; readonly bytes: number }[];

  /** @param now - milliseconds of any clock that only goes forward */
  constructor(now: number) {
    this.#samples = [{ at: now, bytes: 0 }];
  }

  /** @returns bytes per second */
  add(now: number, bytes: number): number {
    this.#samples.push({ at: now, bytes });
    while (this.#samples.length > 2 && now - (this.#samples[1]?.at ?? now) >= WINDOW) this.#samples.shift();
    const first = this.#samples[0];
    return first === undefined || now <= first.at ? 0 : Math.round(((bytes - first.bytes) * 1_000) / (now - first.at));
  }
}
