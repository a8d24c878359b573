import { randomUUID } from 'node:crypto';
import type { NewSecret } from '../../../common/integrations.ts';
import type { Inject } from '../../container/inject.ts';

/** Answers that wait in memory to be read; no further secret is created until one is dismissed. */
export const MOST_NEW_SECRETS = 20;

/**
 * Answers that hold a secret which an external client had created, such as a new API key. They are shown in the window and nowhere else, and
 * are kept in memory until a person dismisses them there. They end with the host.
 */
export class NewSecrets {
  static readonly inject: Inject<typeof NewSecrets> = [];

  readonly #secrets = new Map<string, NewSecret>();
  readonly #watchers = new Set<() => void>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Yields every answer that was not dismissed, oldest first: at once and after each change, until the signal aborts. */
  async *watch(signal: AbortSignal): AsyncGenerator<readonly NewSecret[], void> {
    let change = Promise.withResolvers<void>();
    const onChange = (): void => change.resolve();
    this.#watchers.add(onChange);
    signal.addEventListener('abort', onChange, { once: true });
    try {
      while (!signal.aborted) {
        change = Promise.withResolvers<void>();
        yield [...this.#secrets.values()];
        await change.promise;
      }
    } finally {
      signal.removeEventListener('abort', onChange);
      this.#watchers.delete(onChange);
    }
  }

  /** Whether a window is open and has room for one more. */
  canShow(): boolean {
    return this.#watchers.size > 0 && this.#secrets.size < MOST_NEW_SECRETS;
  }

  /** Keeps an answer for the window. */
  show(secret: Omit<NewSecret, 'id' | 'createdAt'>): void {
    const id = randomUUID();
    this.#secrets.set(id, { ...secret, id, createdAt: new Date(this.#now()).toISOString() });
    this.#notify();
  }

  /** Forgets an answer that a person has read. Does nothing for one that is already gone. */
  dismiss(id: string): void {
    if (this.#secrets.delete(id)) this.#notify();
  }

  #notify(): void {
    for (const watcher of this.#watchers) watcher();
  }
}
