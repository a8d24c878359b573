import { connectionClosed, stopIfCancelled } from '../fault.ts';
import type { Link } from './link.ts';
import type { LinkBudget } from './linkBudget.ts';

/** Connections that are kept for the next call. */
const MOST_IDLE = 2;
const IDLE_MILLISECONDS = 60_000;

/** The connections of a session to one database: each call has one to itself, and waits where as many are in use as there may be. */
export class Links {
  readonly #open: (signal: AbortSignal) => Promise<Link>;
  readonly #budget: LinkBudget;
  readonly #idleMilliseconds: number;
  readonly #idle: { readonly link: Link; readonly since: number; readonly timer: ReturnType<typeof setTimeout> }[] = [];
  readonly #busy = new Set<Link>();
  /** Beyond the budget, and closed when they are given back. */
  readonly #extra = new Set<Link>();
  /** Those that were taken for long. */
  readonly #long = new Set<Link>();
  /** Those that console sessions have for themselves. */
  readonly #own = new Set<Link>();
  readonly #closing = new AbortController();

  /** @param budget - may be that of several databases, which share it then */
  constructor(open: (signal: AbortSignal) => Promise<Link>, budget: LinkBudget, idleMilliseconds = IDLE_MILLISECONDS) {
    this.#open = open;
    this.#budget = budget;
    this.#idleMilliseconds = idleMilliseconds;
    budget.join(this);
  }

  get idleSince(): number | undefined {
    return this.#idle[0]?.since;
  }

  /** Whether a further connection can be had now: one that is idle, or a new one. */
  get hasAnother(): boolean {
    return this.#idle.length > 0 || !this.#budget.isFull;
  }

  /** Closes the connection that has been idle the longest; its room is no longer taken. */
  async closeIdle(): Promise<void> {
    const oldest = this.#idle.shift();
    if (oldest === undefined) return;
    clearTimeout(oldest.timer);
    await oldest.link.close();
  }

  /** Runs something with a connection that nothing else uses meanwhile. It has to come to its end soon. */
  async use<T>(signal: AbortSignal, work: (link: Link) => Promise<T>): Promise<T> {
    const link = await this.#takeAny(signal, isPrepared);
    try {
      return await work(link);
    } finally {
      this.give(link);
    }
  }

  /** As {@link use}, for what may take long or wait for others: only a share of the connections is for that. */
  async useLong<T>(signal: AbortSignal, work: (link: Link) => Promise<T>): Promise<T> {
    const link = await this.take(signal);
    try {
      return await work(link);
    } finally {
      this.give(link);
    }
  }

  /**
   * As {@link useLong}, for work that writes: what triggers have set, and the locks that they took, stay with no connection. Neither do prepared statements: it is one without them, where such a one is idle.
   */
  async useToWrite<T>(signal: AbortSignal, work: (link: Link) => Promise<T>): Promise<T> {
    const link = await this.#takeLong(signal, (idle) => !isPrepared(idle));
    try {
      return await work(link);
    } finally {
      await link.reset();
      this.give(link);
    }
  }

  /** As {@link use}, but where all are in use it opens a further one and closes it again: for what must not wait for statements of this session. */
  async useAtOnce<T>(signal: AbortSignal, work: (link: Link) => Promise<T>): Promise<T> {
    stopIfCancelled(signal);
    if (this.#closing.signal.aborted || this.#idle.length > 0 || !this.#budget.isFull) return await this.use(signal, work);
    const link = await this.#open(AbortSignal.any([signal, this.#closing.signal]));
    this.#extra.add(link);
    try {
      return await work(link);
    } finally {
      this.#extra.delete(link);
      await link.close();
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
  processes(): readonly number[] {
    const all = [...this.#busy, ...this.#extra, ...this.#own, ...this.#idle.map(({ link }) => link)];
    return all.flatMap(({ process }) => process ?? []);
  }

  /**
   * A connection for what may take long. Give it back with {@link give}.
   *
   * @throws DriverError `CONNECTION_LOST` after {@link close}
   */
  async take(signal: AbortSignal): Promise<Link> {
    return await this.#takeLong(signal, isPrepared);
  }

  async #takeLong(signal: AbortSignal, isBetter: (link: Link) => boolean): Promise<Link> {
    const { long } = this.#budget;
    if (long === undefined) return await this.#takeAny(signal, isBetter);
    for (let isWoken = false; !(await long.take()); isWoken = await long.turn(signal)) {
      if (isWoken && signal.aborted) long.wakeNext();
      stopIfCancelled(signal);
      if (this.#closing.signal.aborted) throw connectionClosed();
    }
    try {
      const link = await this.#takeAny(signal, isBetter);
      this.#long.add(link);
      return link;
    } catch (error) {
      long.free();
      throw error;
    }
  }

  /** @param isBetter - which idle connections come before others; of those that are alike, the one that was used last */
  async #takeAny(signal: AbortSignal, isBetter: (link: Link) => boolean): Promise<Link> {
    let isWoken = false;
    for (;;) {
      if (isWoken && signal.aborted) this.#budget.wakeNext();
      stopIfCancelled(signal);
      if (this.#closing.signal.aborted) throw connectionClosed();
      const better = this.#idle.findLastIndex(({ link }) => isBetter(link));
      const [idle] = this.#idle.splice(better, 1);
      if (idle !== undefined) {
        clearTimeout(idle.timer);
        if (!idle.link.isOpen) {
          this.#budget.free();
          continue;
        }
        this.#busy.add(idle.link);
        return idle.link;
      }
      if (await this.#budget.take()) return await this.#openNew(signal);
      isWoken = await this.#budget.turn(signal);
    }
  }

  /** Takes a connection back. */
  give(link: Link): void {
    // The next call has no use for notices beside the last answer.
    link.notices.begin();
    if (this.#long.delete(link)) this.#budget.long?.free();
    if (!link.isOpen || this.#closing.signal.aborted || (this.#idle.length >= MOST_IDLE && !this.#budget.hasWaiting)) {
      void this.#dispose(link);
      return;
    }
    this.#busy.delete(link);
    const entry = {
      link,
      since: performance.now(),
      timer: setTimeout(() => {
        const at = this.#idle.indexOf(entry);
        if (at < 0) return;
        this.#idle.splice(at, 1);
        void link.close().then(() => this.#budget.free());
      }, this.#idleMilliseconds),
    };
    this.#idle.push(entry);
    this.#budget.wakeNext();
  }

  /** Keeps no idle connection any more. */
  retire(): void {
    this.#budget.leave(this);
    for (const { link, timer } of this.#idle.splice(0)) {
      clearTimeout(timer);
      void link.close().then(() => this.#budget.free());
    }
  }

  /** Ends every connection, also those in use. */
  async close(): Promise<void> {
    this.#closing.abort();
    const idle = this.#idle.map(({ link }) => link);
    this.retire();
    this.#budget.wakeAll();
    await Promise.all([...idle.map((link) => link.close()), ...[...this.#busy, ...this.#extra, ...this.#own].map(endAtOnce)]);
    this.#own.clear();
  }

  async #dispose(link: Link): Promise<void> {
    this.#busy.delete(link);
    await link.close();
    this.#budget.free();
  }

  async #openNew(signal: AbortSignal): Promise<Link> {
    try {
      const link = await this.#open(AbortSignal.any([signal, this.#closing.signal]));
      if (this.#closing.signal.aborted) {
        link.destroy();
        throw connectionClosed();
      }
      this.#busy.add(link);
      return link;
    } catch (error) {
      this.#budget.free();
      throw this.#closing.signal.aborted && !signal.aborted ? connectionClosed() : error;
    }
  }
}

function isPrepared({ hasPrepared }: Link): boolean {
  return hasPrepared;
}

/** The server is asked to stop what runs: nothing would take its answers. */
async function endAtOnce(link: Link): Promise<void> {
  if (link.isIdle) {
    await link.close();
    return;
  }
  await link.stop().catch(() => undefined);
  link.destroy();
}
