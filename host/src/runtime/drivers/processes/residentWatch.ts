import { residentBytes } from './processTable.ts';

interface Watched {
  readonly busy: () => boolean;
  readonly onExceeded: (bytes: number) => void;
}

/** Where a look costs a process of its own, an idle driver is looked at this many times less often. */
const IDLE_FACTOR = 20;

/**
 * Ends processes that outgrow their memory. V8's own limit does not count buffers and WebAssembly: a driver with a heap of 256 MB reached
 * 6 GB without this.
 */
export class ResidentWatch {
  readonly #limit: number;
  readonly #poll: number;
  readonly #watched = new Map<number, Watched>();
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #round = 0;

  constructor(limitBytes: number, pollMilliseconds: number) {
    this.#limit = limitBytes;
    this.#poll = pollMilliseconds;
  }

  /** @returns ends the watch */
  add(pid: number, watched: Watched): () => void {
    this.#watched.set(pid, watched);
    this.#timer ??= setInterval(() => void this.#look(), this.#poll).unref();
    return () => {
      this.#watched.delete(pid);
      if (this.#watched.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    try {
      this.#round += 1;
      const all = process.platform === 'linux' || this.#round % IDLE_FACTOR === 0;
      const pids = [...this.#watched].filter(([, { busy }]) => all || busy()).map(([pid]) => pid);
      for (const [pid, bytes] of await residentBytes(pids)) {
        if (bytes > this.#limit) this.#watched.get(pid)?.onExceeded(bytes);
      }
    } catch {
      // The table of processes could not be read; the next round tries again.
    } finally {
      this.#looking = false;
    }
  }
}
