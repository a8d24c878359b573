import { DriverError } from '@tabularium/sdk';
import type { ConsoleSession } from '@tabularium/sdk';

/** A call of a session that has not come to its end. */
interface Running {
  readonly signal: AbortSignal;
  readonly over: Promise<void>;
}

/**
 * The calls of one console session, one after the other. A call that was stopped or left holds the session until the database has let go of it:
 * the next one waits for that. A second call beside one that runs is refused.
 */
export class ConsoleTurn {
  readonly session: ConsoleSession;
  #running: Running | undefined;

  constructor(session: ConsoleSession) {
    this.session = session;
  }

  /** @throws DriverError `CONFLICT` while another call runs, `CANCELLED`, and what the work throws */
  async call<T>(signal: AbortSignal, work: (session: ConsoleSession) => T | Promise<T>): Promise<T> {
    const end = await this.#take(signal);
    try {
      return await work(this.session);
    } finally {
      end();
    }
  }

  /**
   * The events of a call. Where it is stopped or left, the driver's events are still read to their end, and dropped: only then has the database
   * ended the statement, and is the session's context what it is from then on.
   */
  async *events<E>(
    signal: AbortSignal,
    work: (session: ConsoleSession, signal: AbortSignal) => AsyncIterable<E>,
  ): AsyncGenerator<E, void, undefined> {
    const end = await this.#take(signal);
    const leaving = new AbortController();
    try {
      const events = work(this.session, AbortSignal.any([signal, leaving.signal]))[Symbol.asyncIterator]();
      let isRead = false;
      try {
        for (;;) {
          const next = await events.next();
          isRead = next.done === true;
          if (next.done === true) return;
          if (!signal.aborted) yield next.value;
        }
      } catch (error) {
        isRead = true;
        throw error;
      } finally {
        leaving.abort(new DriverError('CANCELLED'));
        if (!isRead) await readToEnd(events);
      }
    } finally {
      end();
    }
  }

  async #take(signal: AbortSignal): Promise<() => void> {
    while (this.#running !== undefined) {
      if (!this.#running.signal.aborted) throw new DriverError('CONFLICT', 'The session is running another statement.');
      await either(this.#running.over, signal);
      if (signal.aborted) throw new DriverError('CANCELLED');
    }
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#running = { signal, over };
    return () => {
      this.#running = undefined;
      resolve();
    };
  }
}

async function readToEnd(events: AsyncIterator<unknown>): Promise<void> {
  try {
    while ((await events.next()).done !== true);
  } catch {
    // The statement was stopped, which is what was asked for.
  }
}

/** Until the work is over or the signal is aborted. */
async function either(work: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const stopped = Promise.withResolvers<void>();
  const stop = (): void => stopped.resolve();
  signal.addEventListener('abort', stop, { once: true });
  await Promise.race([work, stopped.promise]);
  signal.removeEventListener('abort', stop);
}
