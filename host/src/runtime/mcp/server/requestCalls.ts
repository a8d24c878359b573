/** The running calls of one request. In a session they continue when their client hangs up, and some drivers take a while to stop. */
export class RequestCalls {
  #running = 0;
  #onEnded: (() => void) | undefined;

  /** @returns to be called when the call has ended */
  enter(): () => void {
    this.#running += 1;
    return () => {
      this.#running -= 1;
      if (this.#running === 0) this.#onEnded?.();
    };
  }

  /** Waits until none runs. */
  async ended(): Promise<void> {
    if (this.#running === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#onEnded = resolve;
    await promise;
  }
}
