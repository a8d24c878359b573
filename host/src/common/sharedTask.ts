import { HostError } from './errors.ts';

/**
 * A piece of work that several callers wait for. It runs while anybody waits and is cancelled when the last one has given up;
 * everybody gets its progress, with the last step repeated to those who join late.
 */
export class SharedTask<Result, Step> {
  readonly #controller = new AbortController();
  readonly #listeners = new Set<(step: Step) => void>();
  readonly #result: Promise<Result>;
  #lastStep: Step | undefined;
  #waiting = 0;
  #settled = false;

  constructor(work: (signal: AbortSignal, notify: (step: Step) => void) => Promise<Result>) {
    // Started in a microtask, so that its creator can store it where the work will look for it.
    const { signal } = this.#controller;
    const cancelled = new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new HostError('CANCELLED'))),
    );
    // Cancelling takes effect at once, also on work that does not listen.
    this.#result = Promise.race([Promise.resolve().then(() => work(signal, (step) => this.#notify(step))), cancelled]);
    this.#result.then(
      () => (this.#settled = true),
      () => (this.#settled = true),
    );
  }

  /**
   * Waits for the result.
   *
   * @throws HostError `CANCELLED` when `signal` is aborted, and what the work throws
   */
  async join(signal: AbortSignal, onStep?: (step: Step) => void): Promise<Result> {
    if (this.#settled) return this.#result;
    signal.throwIfAborted();
    this.#waiting += 1;
    if (onStep !== undefined) {
      this.#listeners.add(onStep);
      if (this.#lastStep !== undefined) onStep(this.#lastStep);
    }
    const gaveUp = Promise.withResolvers<never>();
    const giveUp = (): void => gaveUp.reject(new HostError('CANCELLED'));
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      return await Promise.race([this.#result, gaveUp.promise]);
    } finally {
      signal.removeEventListener('abort', giveUp);
      if (onStep !== undefined) this.#listeners.delete(onStep);
      this.#waiting -= 1;
      if (this.#waiting === 0 && !this.#settled) this.cancel();
    }
  }

  /** Calls back when the work has failed or was cancelled. */
  onFailure(listener: () => void): void {
    this.#result.catch(listener);
  }

  /** Asks the work to stop. Nothing happens when it is over. */
  cancel(): void {
    this.#controller.abort(new HostError('CANCELLED'));
  }

  #notify(step: Step): void {
    this.#lastStep = step;
    for (const listener of this.#listeners) listener(step);
  }
}
