import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';

export interface SpareProcessOptions {
  /** Starts a process that waits on its fourth descriptor. */
  readonly start: () => ChildProcess;
  /** Milliseconds after which an unused one is ended; 0: none is ever started. */
  readonly idleMilliseconds: number;
  /** Called for each one that was started. @returns called when it is taken or has ended */
  readonly watch?: (child: ChildProcess) => () => void;
}

/**
 * Keeps one process ready that waits for its task, so that the next driver does not wait for its start. It has no data of any driver, is given away once, and ends with the host because its pipe does.
 */
export class SpareProcess {
  readonly #options: SpareProcessOptions;
  #waiting: { readonly child: ChildProcess; readonly unwatch: () => void } | undefined;
  #timer: NodeJS.Timeout | undefined;
  #later: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: SpareProcessOptions) {
    this.#options = options;
  }

  /** Starts one where none waits. @param delay - milliseconds until then, so that it takes no processor time from what starts now */
  warm(delay = 0): void {
    if (this.#closed || this.#options.idleMilliseconds === 0) return;
    clearTimeout(this.#later);
    if (delay > 0) this.#later = setTimeout(() => this.warm(), delay).unref();
    else this.#start();
  }

  /** Whether one can be taken. */
  get isReady(): boolean {
    return this.#waiting !== undefined;
  }

  /** The process that waits; undefined when there is none, or it has ended. */
  take(): ChildProcess | undefined {
    const child = this.#waiting?.child;
    this.#forget();
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return undefined;
    child.ref();
    for (const stream of [child.stderr, child.stdio[3]]) if (stream instanceof Socket) stream.ref();
    return child;
  }

  /** Ends the one that waits, and starts none any more. Resolves when it is gone. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#later);
    const child = this.#waiting?.child;
    const gone = new Promise<void>((resolve) => {
      if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) resolve();
      // Without it a host with nothing else to do would end here.
      else child.once('exit', () => resolve()).ref();
    });
    this.#drop();
    await gone;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#drop(), this.#options.idleMilliseconds).unref();
    if (this.#waiting !== undefined) return;
    const child = this.#options.start();
    this.#waiting = { child, unwatch: this.#options.watch?.(child) ?? (() => undefined) };
    const forget = (): void => {
      if (this.#waiting?.child === child) this.#forget();
    };
    child.once('error', forget).once('exit', forget);
    // It may end at any time, and nothing was written yet that could be lost.
    child.stdio[3]?.on('error', () => undefined);
    // A host without anything else to do may end.
    child.unref();
    for (const stream of [child.stderr, child.stdio[3]]) if (stream instanceof Socket) stream.unref();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#waiting?.unwatch();
    this.#waiting = undefined;
  }

  #drop(): void {
    this.#waiting?.child.kill('SIGKILL');
    this.#forget();
  }
}
