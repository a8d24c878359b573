import type { Revisions } from '../../common/revisions.ts';
import type { Inject } from '../container/inject.ts';

/** Counts the changes of what is saved, so that every window reads again what another window, a command or a client has changed. */
export class SavedChanges {
  static readonly inject: Inject<typeof SavedChanges> = [];

  #revisions: Revisions = { application: 0, connections: 0, drivers: 0 };
  readonly #watchers = new Set<() => void>();

  note(what: keyof Revisions): void {
    this.#revisions = { ...this.#revisions, [what]: this.#revisions[what] + 1 };
    for (const watcher of this.#watchers) watcher();
  }

  /** The revisions, at once and after every change, until the signal. Changes between two values come as one. */
  async *watch(signal: AbortSignal): AsyncGenerator<Revisions> {
    let change = Promise.withResolvers<void>();
    const onChange = (): void => change.resolve();
    this.#watchers.add(onChange);
    signal.addEventListener('abort', onChange, { once: true });
    try {
      while (!signal.aborted) {
        change = Promise.withResolvers<void>();
        yield this.#revisions;
        await change.promise;
      }
    } finally {
      signal.removeEventListener('abort', onChange);
      this.#watchers.delete(onChange);
    }
  }
}
