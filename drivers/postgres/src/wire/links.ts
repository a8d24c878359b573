import { connectionClosed, stopIfCancelled } from '../fault.ts';
import type { Link } from './link.ts';

/** Connections that are kept for the next call. */
const MOST_IDLE = 2;
const IDLE_MILLISECONDS = 60_000;

/** The connections of a session: each call has one to itself, and waits where all are in use. */
export class Links {
  readonly #open: (signal: AbortSignal) => Promise<Link>;
  readonly #most: number;
  readonly #idle: { readonly link: Link; readonly timer: ReturnType<typeof setTimeout> }[] = [];
  readonly #busy = new Set<Link>();
  /** Those that console sessions have for themselves. */
  readonly #own = new Set<Link>();
  readonly #waiting: (() => void)[] = [];
  #opening = 0;
  readonly #closing = new AbortController();

  constructor(open: (signal: AbortSignal) => Promise<Link>, most: number) {
    this.#open = open;
    this.#most = most;
  }

  /** Runs something with a connection that nothing else uses meanwhile. */
  async use<T>(signal: AbortSignal, work: (link: Link) => Promise<T>): Promise<T> {
    const link = await this.take(signal);
    try {
      return await work(link);
    } finally {
      this.give(link);
    }
  }

  /** As {@link use}, for work that writes: what triggers have set, and the locks that they took, stay with no connection. */
  async useToWrite<T>(signal: AbortSignal, work: (link: Link) => Promise<T>): Promise<T> {
    return await this.use(signal, async (link) => {
      try {
        return await work(link);
      } finally {
        await link.reset();
      }
    });
  }

  /** As {@link use}, but where all are in use it opens a further one and closes it again: for what must not wait for statements of this session. */
  async useAtOnce<T>(signal: AbortSignal, work: (link: Link) => Promise<T>): Promise<T> {
    stopIfCancelled(signal);
    if (this.#closing.signal.aborted || this.#idle.length > 0 || this.#busy.size + this.#opening < this.#most)
      return await this.use(signal, work);
    const link = await this.#open(AbortSignal.any([signal, this.#closing.signal]));
    this.#busy.add(link);
    try {
      return await work(link);
    } finally {
      this.#busy.delete(link);
      await link.close();
      this.#waiting.shift()?.();
    }
  }

  /** Opens one that nothing else uses, and that isn't counted among the others. Give it back with {@link closeOwn}. */
  async openOwn(signal: AbortSignal): Promise<Link> {
    stopIfCancelled(signal);
    if (this.#closing.signal.aborted) throw connectionClosed();
    const link = await this.#open(AbortSignal.any([signal, this.#closing.signal]));
    if (this.#closing.signal.aborted) {
      link.destroy();
      throw connectionClosed();
    }
    this.#own.add(link);
    return link;
  }

  /** The server rolls back what it has not committed. */
  async closeOwn(link: Link): Promise<void> {
    this.#own.delete(link);
    await endAtOnce(link);
  }

  /** The processes at the server that belong to this session. */
  processes(): ReadonlySet<number> {
    return new Set([...this.#busy, ...this.#own, ...this.#idle.map(({ link }) => link)].flatMap(({ process }) => process ?? []));
  }

  /** @throws DriverError `CONNECTION_LOST` after {@link close} */
  async take(signal: AbortSignal): Promise<Link> {
    for (;;) {
      stopIfCancelled(signal);
      if (this.#closing.signal.aborted) throw connectionClosed();
      const idle = this.#idle.pop();
      if (idle !== undefined) {
        clearTimeout(idle.timer);
        if (!idle.link.isOpen) continue;
        this.#busy.add(idle.link);
        return idle.link;
      }
      if (this.#busy.size + this.#opening < this.#most) return await this.#openNew(signal);
      await this.#turn(signal);
    }
  }

  /** Takes a connection back. */
  give(link: Link): void {
    this.#busy.delete(link);
    if (link.isOpen && !this.#closing.signal.aborted && (this.#idle.length < MOST_IDLE || this.#waiting.length > 0)) {
      const entry = {
        link,
        timer: setTimeout(() => {
          const at = this.#idle.indexOf(entry);
          if (at < 0) return;
          this.#idle.splice(at, 1);
          void link.close();
        }, IDLE_MILLISECONDS),
      };
      this.#idle.push(entry);
    } else void link.close();
    this.#waiting.shift()?.();
  }

  /** Ends every connection, also those in use. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const wake of this.#waiting.splice(0)) wake();
    const idle = this.#idle.splice(0);
    for (const { timer } of idle) clearTimeout(timer);
    await Promise.all([...idle.map(({ link }) => link.close()), ...[...this.#busy, ...this.#own].map(endAtOnce)]);
    this.#own.clear();
  }

  async #openNew(signal: AbortSignal): Promise<Link> {
    this.#opening += 1;
    try {
      const link = await this.#open(AbortSignal.any([signal, this.#closing.signal]));
      if (this.#closing.signal.aborted) {
        link.destroy();
        throw connectionClosed();
      }
      this.#busy.add(link);
      return link;
    } catch (error) {
      this.#waiting.shift()?.();
      throw this.#closing.signal.aborted && !signal.aborted ? connectionClosed() : error;
    } finally {
      this.#opening -= 1;
    }
  }

  async #turn(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        const at = this.#waiting.indexOf(wake);
        if (at >= 0) this.#waiting.splice(at, 1);
        resolve();
      };
      this.#waiting.push(wake);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}

/** The server is asked to stop what runs: nothing would take its answers. */
async function endAtOnce(link: Link): Promise<void> {
  if (link.isIdle) {
    await link.close();
    return;
  }
  await link.cancel().catch(() => undefined);
  link.destroy();
}
