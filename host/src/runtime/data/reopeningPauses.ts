import { HostError } from '../../common/errors.ts';

/**
 * How long a connection waits before it is opened again, after its driver's first crash, its second, and so on; the last counts for all that
 * follow. Milliseconds. The first crash costs no time. The crash budget of a driver's process (five in five minutes) limits this: beyond it the process is not started at all.
 */
export const REOPENING_PAUSES: readonly number[] = [0, 500, 1_000, 2_000, 4_000];

/** A connection whose driver did not crash for so long starts from the beginning. */
const FORGOTTEN_AFTER_MILLISECONDS = 5 * 60_000;

/** The pauses after crashes, for each connection. */
export class ReopeningPauses {
  readonly #pauses: readonly number[];
  readonly #crashes = new Map<string, { readonly count: number; readonly last: number }>();

  constructor(pauses: readonly number[] = REOPENING_PAUSES) {
    this.#pauses = pauses;
  }

  crashed(connectionId: string): void {
    this.#crashes.set(connectionId, { count: this.#count(connectionId) + 1, last: performance.now() });
  }

  /** The next opening does not wait. */
  forget(connectionId: string): void {
    this.#crashes.delete(connectionId);
  }

  /** @throws HostError `CANCELLED` */
  async wait(connectionId: string, signal: AbortSignal): Promise<void> {
    const milliseconds = this.#pauses[Math.min(this.#count(connectionId), this.#pauses.length) - 1] ?? 0;
    if (milliseconds === 0) return;
    const over = Promise.withResolvers<void>();
    const timer = setTimeout(over.resolve, milliseconds);
    const cancel = (): void => over.reject(new HostError('CANCELLED'));
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await over.promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
    }
  }

  #count(connectionId: string): number {
    const crashes = this.#crashes.get(connectionId);
    return crashes === undefined || performance.now() - crashes.last > FORGOTTEN_AFTER_MILLISECONDS ? 0 : crashes.count;
  }
}
