/** Two notifications are at least so far apart. */
const PROGRESS_INTERVAL_MILLISECONDS = 200;
/** A call without progress reports that it still runs: clients give up after 60 seconds of silence. */
const PROGRESS_HEARTBEAT_MILLISECONDS = 15_000;

/** Progress notifications of a running call, on request: ever growing numbers, never too many. */
export class Progress {
  readonly #notify: ((progress: number, total?: number, message?: string) => void) | undefined;
  readonly #heartbeat: NodeJS.Timeout | undefined;
  #last = 0;
  #lastTime = 0;

  constructor(notify: ((progress: number, total?: number, message?: string) => void) | undefined) {
    this.#notify = notify;
    if (notify === undefined) return;
    // The protocol requires numbers that grow, and the total is unknown: ever smaller steps, which never reach the next whole one.
    this.#heartbeat = setInterval(
      () => this.#send(this.#last + (Math.floor(this.#last) + 1 - this.#last) / 1_000),
      PROGRESS_HEARTBEAT_MILLISECONDS,
    ).unref();
  }

  notify(done: number, total?: number, message?: string): void {
    if (this.#notify === undefined || done <= this.#last) return;
    const now = performance.now();
    if (now - this.#lastTime < PROGRESS_INTERVAL_MILLISECONDS) return;
    this.#lastTime = now;
    this.#send(done, total, message);
  }

  end(): void {
    clearInterval(this.#heartbeat);
  }

  #send(done: number, total?: number, message?: string): void {
    this.#last = done;
    this.#notify?.(done, total, message);
  }
}
