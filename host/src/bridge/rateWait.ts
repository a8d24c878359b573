/** A longer wait is the client's to decide about. */
const LONGEST_HOLD_SECONDS = 5;

/** Holds every message back while the application takes none, so that one refusal is enough for all. */
export class RateWait {
  #until = 0;

  /**
   * @param retryAfter - what the application said: whole seconds
   * @returns whether messages are held; false where it said nothing, or more than {@link LONGEST_HOLD_SECONDS}
   */
  hold(retryAfter: string | undefined): boolean {
    const seconds = Number(retryAfter);
    if (!(seconds > 0 && seconds <= LONGEST_HOLD_SECONDS)) return false;
    this.#until = Math.max(this.#until, Date.now() + seconds * 1_000);
    return true;
  }

  get isHolding(): boolean {
    return this.#until > 0 && Date.now() < this.#until;
  }

  /** Resolves when messages may be sent, with false when the signal was aborted before. */
  async over(signal: AbortSignal): Promise<boolean> {
    for (let left = this.#until - Date.now(); left > 0 && !signal.aborted; left = this.#until - Date.now()) {
      await pause(left, signal);
    }
    return !signal.aborted;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end, { once: true });
  });
}
