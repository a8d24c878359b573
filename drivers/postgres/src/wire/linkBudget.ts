/** A pool that can close a connection which nothing uses. */
interface IdlePool {
  /** Since when it has kept its oldest idle connection, in milliseconds; undefined where it has none. */
  readonly idleSince: number | undefined;
  /** Closes that one, without {@link LinkBudget.free}. */
  closeIdle(): Promise<void>;
}

/** How many connections the pools of a session have together: those in use, those kept for the next call and those that are being opened. */
export class LinkBudget {
  readonly long: LinkBudget | undefined;
  readonly #most: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #pools: IdlePool[] = [];

  /** @param long - the share of them that may be in use for long; undefined where that may be all */
  constructor(most: number, long?: LinkBudget) {
    this.#most = most;
    this.long = long;
  }

  /** From now on its idle connections make room for those of other pools. */
  join(pool: IdlePool): void {
    this.#pools.push(pool);
  }

  leave(pool: IdlePool): void {
    const at = this.#pools.indexOf(pool);
    if (at >= 0) this.#pools.splice(at, 1);
  }

  /** Room for one more connection, which {@link free} gives back. @returns whether there was some */
  async take(): Promise<boolean> {
    if (this.#taken >= this.#most) {
      const [oldest] = this.#pools
        .filter(({ idleSince }) => idleSince !== undefined)
        .toSorted((one, other) => (one.idleSince ?? 0) - (other.idleSince ?? 0));
      if (oldest === undefined) return false;
      // Its room is taken until the server has let it go.
      await oldest.closeIdle();
      return true;
    }
    this.#taken += 1;
    return true;
  }

  /** Whether a call that asks now has to wait for others. */
  get isFull(): boolean {
    return this.#taken >= this.#most && this.#pools.every(({ idleSince }) => idleSince === undefined);
  }

  free(): void {
    this.#taken -= 1;
    this.wakeNext();
  }

  /** The next one that waits looks again. */
  wakeNext(): void {
    this.#waiting.shift()?.();
  }

  wakeAll(): void {
    for (const wake of this.#waiting.splice(0)) wake();
    this.long?.wakeAll();
  }

  get hasWaiting(): boolean {
    return this.#waiting.length > 0;
  }

  /**
   * Waits until a connection was given back, or the signal is aborted.
   *
   * @returns whether this one was woken: where it gives up all the same, it has to wake the next one
   */
  async turn(signal: AbortSignal): Promise<boolean> {
    // An abort that came before would never be heard.
    if (signal.aborted) return false;
    return await new Promise<boolean>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = (): void => {
        const at = this.#waiting.indexOf(wake);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve(false);
      };
      this.#waiting.push(wake);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
