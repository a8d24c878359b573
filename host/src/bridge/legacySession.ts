import type { ClientMessage } from './message.ts';

/** The state of one session of the versions before 2026-07-28. */
interface Open {
  readonly id: string | undefined;
  readonly version: string;
}

/**
 * The session of a client that began with `initialize`. Its client cannot begin again when the application has been restarted, so that the
 * bridge does it: it keeps the messages with which the session was opened.
 */
export class LegacySession {
  #open: Open | undefined;
  #generation = 0;
  /** Settles when the client's own opening is over, whatever came of it. */
  #ready: Promise<unknown> = Promise.resolve();
  #reopening: Promise<void> | undefined;
  initialize: ClientMessage | undefined;
  initialized: ClientMessage | undefined;

  /** Counts how often the session was opened. */
  get generation(): number {
    return this.#generation;
  }

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** Makes later messages wait for this one. */
  holdFor(message: Promise<unknown>): void {
    this.#ready = Promise.allSettled([this.#ready, message]);
  }

  ready(): Promise<unknown> {
    return this.#ready;
  }

  opened(id: string | undefined, version: string): void {
    this.#open = { id, version };
    this.#generation += 1;
  }

  headers(): Record<string, string> {
    return {
      ...(this.#open === undefined ? {} : { 'mcp-protocol-version': this.#open.version }),
      ...(this.#open?.id === undefined ? {} : { 'mcp-session-id': this.#open.id }),
    };
  }

  /**
   * Opens the session again, once for all that find it gone.
   *
   * @param seen - the generation that was found to be gone
   */
  reopen(seen: number, open: () => Promise<void>): Promise<void> {
    if (seen !== this.#generation) return Promise.resolve();
    this.#reopening ??= open().finally(() => {
      this.#reopening = undefined;
    });
    return this.#reopening;
  }
}
