import { setTimeout as delay } from 'node:timers/promises';
import { DriverError } from '@tabularium/sdk';
import type { DriverMethod, EventMethod } from '@tabularium/sdk/protocol';
import type { EventOf } from './eventsOf.ts';
import type { SessionCalls } from './remoteSession.ts';
import type { Calls, Result } from './remoteCalls.ts';

/** One process of a connection whose driver blocks, with one session in it. */
export interface PooledProcess {
  readonly calls: SessionCalls;
  readonly open: boolean;
  /** Whether a call is running in it, or was cancelled and has not confirmed it yet. */
  readonly busy: boolean;
  /** Whether the files that its process may use are still the same ones. */
  isCurrent(): Promise<boolean>;
  /** Ends the session and its process. */
  end(): Promise<void>;
}

export interface DriverProcessPoolOptions {
  readonly first: PooledProcess;
  /** Another process with another session of the same connection. */
  readonly openProcess: (signal: AbortSignal) => Promise<PooledProcess>;
  readonly most: number;
  readonly idle: number;
}

/** Milliseconds that a call waits for a process that works before another one is started. */
const PATIENCE = 100;
/** Milliseconds between two looks whether a cancelled call has been confirmed. */
const CONFIRMATION_POLL = 10;
const NEVER = new AbortController().signal;

/**
 * The calls of one connection whose driver blocks its process: each call has a process to itself while it runs. So a page is read while a
 * long statement runs, and a call that is cancelled takes nothing with it but its own process, which the next call replaces.
 */
export class DriverProcessPool implements Calls {
  readonly sameProcess = false;
  readonly #options: DriverProcessPoolOptions;
  readonly #workers = new Set<PooledProcess>();
  readonly #idle: PooledProcess[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #timers = new Map<PooledProcess, NodeJS.Timeout>();
  readonly #closing = new AbortController();
  #opening = 0;
  #closed = false;

  constructor(options: DriverProcessPoolOptions) {
    this.#options = options;
    this.#workers.add(options.first);
    this.#idle.push(options.first);
  }

  async json<M extends DriverMethod>(method: M, params: unknown, signal: AbortSignal, timeout?: number): Promise<Result<M>> {
    return this.#within(signal, (worker) => worker.calls.json(method, params, signal, timeout));
  }

  async bytes<M extends DriverMethod>(
    method: M,
    params: unknown,
    signal: AbortSignal,
  ): Promise<{ head: Result<M>; bytes: Uint8Array }> {
    return this.#within(signal, (worker) => worker.calls.bytes(method, params, signal));
  }

  async *events<M extends EventMethod>(
    method: M,
    params: unknown,
    signal: AbortSignal,
  ): AsyncGenerator<EventOf<M>, void, undefined> {
    const worker = await this.#take(signal);
    let ended = false;
    try {
      yield* worker.calls.events(method, params, signal);
      ended = true;
    } finally {
      void this.#giveBack(worker, ended);
    }
  }

  /** A process is gone: another takes its place when it is needed. */
  forget(worker: PooledProcess): void {
    clearTimeout(this.#timers.get(worker));
    this.#timers.delete(worker);
    if (!this.#workers.delete(worker)) return;
    const place = this.#idle.indexOf(worker);
    if (place >= 0) this.#idle.splice(place, 1);
    this.#wakeNext();
  }

  async end(): Promise<void> {
    this.#closed = true;
    this.#closing.abort();
    const ending = [...this.#workers].map((worker) => {
      this.forget(worker);
      return worker.end();
    });
    for (const wake of [...this.#waiting]) wake();
    await Promise.all(ending);
  }

  async #within<T>(signal: AbortSignal, work: (worker: PooledProcess) => Promise<T>): Promise<T> {
    const worker = await this.#take(signal);
    let ended = false;
    try {
      const result = await work(worker);
      ended = true;
      return result;
    } finally {
      void this.#giveBack(worker, ended);
    }
  }

  async #take(signal: AbortSignal): Promise<PooledProcess> {
    for (;;) {
      if (signal.aborted || this.#closed) {
        // A waiter that was woken and doesn't need it any more passes it to the next one.
        this.#wakeNext();
        throw new DriverError('CANCELLED');
      }
      const worker = this.#idle.shift();
      if (worker?.open === true) {
        clearTimeout(this.#timers.get(worker));
        if (await worker.isCurrent()) return worker;
        // Another program removed and created one of its files: the kernel would deny it the new one.
        if (worker.open) void worker.end();
      }
      if (worker !== undefined) this.forget(worker);
      else if (this.#workers.size + this.#opening === 0) this.#add(await this.#opened(signal));
      else if (!(await this.#turn(signal))) this.#openAnother();
    }
  }

  /** Most calls are over in a moment: only what has waited for one in vain is worth another process. */
  #openAnother(): void {
    if (this.#closed || this.#workers.size + this.#opening >= this.#options.most) return;
    // One for this call and for each other one that waits is on its way: a slow start must not start more.
    if (this.#opening > this.#waiting.length) return;
    this.#opened(this.#closing.signal).then(
      (worker) => this.#add(worker),
      // A waiter keeps waiting for the existing processes, and reports the error itself when there are none.
      () => this.#wakeNext(),
    );
  }

  async #opened(signal: AbortSignal): Promise<PooledProcess> {
    this.#opening += 1;
    try {
      return await this.#options.openProcess(signal);
    } finally {
      this.#opening -= 1;
    }
  }

  #add(worker: PooledProcess): void {
    if (this.#closed) {
      void worker.end();
      return;
    }
    this.#workers.add(worker);
    this.#rest(worker);
  }

  #wakeNext(): void {
    if (this.#idle.length > 0 || this.#workers.size + this.#opening === 0 || this.#closed) this.#waiting.shift()?.();
  }

  /** @returns whether something has changed meanwhile; false when it has taken too long */
  #turn(signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (changed: boolean): void => {
        const place = this.#waiting.indexOf(wake);
        if (place >= 0) this.#waiting.splice(place, 1);
        signal.removeEventListener('abort', wake);
        clearTimeout(timer);
        resolve(changed);
      };
      const wake = (): void => end(true);
      const timer = setTimeout(() => end(false), PATIENCE);
      this.#waiting.push(wake);
      signal.addEventListener('abort', wake, { once: true });
    });
  }

  /**
   * A call that did not run to its end may still block the process, or be about to: the next call goes to another process until this one
   * has confirmed the cancel and answers again.
   *
   * @param ended - whether the call has its whole answer
   */
  async #giveBack(worker: PooledProcess, ended: boolean): Promise<void> {
    if (ended) return this.#rest(worker);
    while (worker.open && this.#workers.has(worker)) {
      await worker.calls.json('ping', {}, NEVER).catch(() => undefined);
      if (!worker.busy) break;
      await delay(CONFIRMATION_POLL);
    }
    if (worker.open) this.#rest(worker);
    else this.forget(worker);
  }

  #rest(worker: PooledProcess): void {
    if (!this.#workers.has(worker)) return;
    this.#idle.push(worker);
    if (worker !== this.#options.first) {
      const timer = setTimeout(() => {
        if (!this.#idle.includes(worker)) return;
        this.forget(worker);
        void worker.end();
      }, this.#options.idle);
      this.#timers.set(worker, timer.unref());
    }
    this.#wakeNext();
  }
}
