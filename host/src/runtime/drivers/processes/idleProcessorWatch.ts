export interface IdleProcessorOptions {
  /** Milliseconds that the process has worked since it was started; undefined where the system does not say. */
  readonly used: () => number | undefined;
  /** Milliseconds without a call in which an idle process may use {@link share} of one processor. */
  readonly window: number;
  /** 0 to 1. */
  readonly share: number;
  /** Whether a call is open. */
  readonly busy: () => boolean;
  /** How many calls there have been: one that began and ended between two looks counts too. */
  readonly calls: () => number;
  /** @param share - 0 to 1, and more for a process with several threads at work */
  readonly onExceeded: (share: number) => void;
}

interface Look {
  readonly at: number;
  readonly used: number;
}

/** Looks in one window. The last must be as busy as the whole: a process that has become idle is left alone. */
const LOOKS = 6;

/**
 * Finds a driver process that computes although nothing was asked of it. The time that the kernel counted decides, over a whole window without a
 * call: work that follows a call (garbage collection, compiling) ends long before.
 *
 * Only where the system says without a program of its own how long a process has worked: Linux. Elsewhere nothing is watched.
 */
export class IdleProcessorWatch {
  readonly #options: IdleProcessorOptions;
  readonly #timer: NodeJS.Timeout;
  #looks: Look[] = [];
  #calls = -1;

  constructor(options: IdleProcessorOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), options.window / LOOKS).unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const { busy, calls, share, window, onExceeded } = this.#options;
    const used = this.#options.used();
    const at = performance.now();
    if (used === undefined || busy() || calls() !== this.#calls) {
      this.#calls = calls();
      this.#looks = used === undefined || busy() ? [] : [{ at, used }];
      return;
    }
    this.#looks.push({ at, used });
    const first = this.#looks.at(-1 - LOOKS);
    const before = this.#looks.at(-2);
    if (first === undefined || before === undefined) return;
    this.#looks = this.#looks.slice(-1 - LOOKS);
    // A computer that slept, or a host that was held up, makes the window longer and the share smaller, never the other way round.
    const whole = (used - first.used) / (at - first.at);
    const last = (used - before.used) / (at - before.at);
    if (at - first.at < window * 0.9 || whole < share || last < share) return;
    this.stop();
    onExceeded(whole);
  }
}
