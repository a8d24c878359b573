export interface LoopWatchOptions {
  /** Milliseconds without anything from the process until it is ended. */
  readonly silence: number;
  /** Whether a call is open. Only then does the process owe an answer. */
  readonly busy: () => boolean;
  /** Sends a request that the process answers as soon as its event loop runs. False where it could not be sent: silence then proves nothing. */
  readonly ask: () => boolean;
  readonly onSilent: () => void;
}

/** The watch counts looks instead of reading the clock: a computer that slept, or a host that was busy itself, has then missed one look only. */
const LOOKS = 20;
/** At this look the process is asked; a process that sends something on its own is never asked. */
const ASKED_AT = 5;

/**
 * Finds a process whose event loop does not run while a call is open. A call with one answer has a time limit of its own; a stream has none,
 * and a driver that blocks in the middle of one would hold up every connection that its process serves.
 */
export class LoopWatch {
  readonly #options: LoopWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #silentLooks = 0;

  constructor(options: LoopWatchOptions) {
    this.#options = options;
  }

  /** Watches from now on until no call is open. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#silentLooks = 0;
    this.#timer = setInterval(() => this.#look(), this.#options.silence / LOOKS).unref();
  }

  /** Something came from the process. */
  heard(): void {
    this.#silentLooks = 0;
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #look(): void {
    if (!this.#options.busy()) return this.stop();
    this.#silentLooks += 1;
    if (this.#silentLooks === ASKED_AT && !this.#options.ask()) this.#silentLooks = 0;
    if (this.#silentLooks < LOOKS) return;
    this.stop();
    this.#options.onSilent();
  }
}
