import type { CallOptions, DriverSocket, SocketCapability } from '@tabularium/sdk';
import { stopIfCancelled } from '../fault.ts';

const WINDOW_MILLISECONDS = 60_000;

/**
 * Sockets that a session opens in a minute for all but requests to cancel. The host opens 600: those have the rest, because a statement that can't be
 * cancelled runs on at the server.
 */
const MOST_OPENED = 560;

/** The sockets of a session, opened no more often than the host lets it: what is beyond waits, and doesn't fail. */
export class SocketAllowance {
  readonly #sockets: SocketCapability;
  readonly #work: Openings;

  constructor(sockets: SocketCapability, most = MOST_OPENED, milliseconds = WINDOW_MILLISECONDS) {
    this.#sockets = sockets;
    this.#work = new Openings(most, milliseconds);
  }

  get endpoint(): string {
    return this.#sockets.endpoint;
  }

  get tls(): SocketCapability['tls'] {
    return this.#sockets.tls;
  }

  async open(options: CallOptions): Promise<DriverSocket> {
    await this.#work.turn(options.signal);
    return await this.#sockets.open(options);
  }

  /** Waits for nothing. */
  async openToCancel(options: CallOptions): Promise<DriverSocket> {
    return await this.#sockets.open(options);
  }
}

class Openings {
  readonly #most: number;
  readonly #milliseconds: number;
  readonly #times: number[] = [];

  constructor(most: number, milliseconds: number) {
    this.#most = most;
    this.#milliseconds = milliseconds;
  }

  async turn(signal: AbortSignal): Promise<void> {
    for (;;) {
      stopIfCancelled(signal);
      const now = performance.now();
      while (this.#times[0] !== undefined && now - this.#times[0] > this.#milliseconds) this.#times.shift();
      const [oldest] = this.#times;
      if (oldest === undefined || this.#times.length < this.#most) {
        this.#times.push(now);
        return;
      }
      await passed(oldest + this.#milliseconds - now + 1, signal);
    }
  }
}

async function passed(milliseconds: number, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', stop, { once: true });
  });
}
