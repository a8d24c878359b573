/**
 * Lets a number of messages through at once, the others in their order when one is done.
 *
 * The agent of node:http cannot do this here: it does not count connections that are still being opened.
 */
export class Slots {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /** @returns to be called once, when the message is done; undefined when the signal was aborted before its turn */
  async take(signal: AbortSignal): Promise<(() => void) | undefined> {
    if (this.#free > 0) this.#free -= 1;
    else if (!(await this.#turn(signal))) return undefined;
    return () => this.#release();
  }

  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waiting.delete(end);
        signal.removeEventListener('abort', onAbort);
        resolve(true);
      };
      const onAbort = (): void => {
        this.#waiting.delete(end);
        resolve(false);
      };
      if (signal.aborted) return resolve(false);
      this.#waiting.add(end);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else next();
  }
}
