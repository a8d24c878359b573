/** The first messages of a statement are given as they come. */
const FIRST = 500;
/** Of the others the last ones: there a procedure says how it ended. */
const LAST = 499;
/** Bytes of memory for either: a message may have several texts of thousands of characters. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Messages that a statement has beside its answers, in bounded memory: the first and the last of them, and how many came between. */
export class NoticeBuffer<T> {
  readonly #sizeOf: (notice: T) => number;
  readonly #count: (bytes: number) => void;
  #waiting: T[] = [];
  #waitingBytes = 0;
  #given = 0;
  /** Whether the first ones have come: one that comes later is behind all others, also when there is room again. */
  #isBehind = false;
  #last: T[] = [];
  #lastBytes = 0;
  #leftOut = 0;

  /**
   * @param sizeOf - bytes of memory
   * @param count - called with the bytes that are kept from now on; negative for those that no longer are
   */
  constructor(sizeOf: (notice: T) => number, count: (bytes: number) => void = () => undefined) {
    this.#sizeOf = sizeOf;
    this.#count = count;
  }

  /** Begins the messages of another statement. */
  begin(): void {
    this.take();
    this.takeLast();
    this.#given = 0;
    this.#isBehind = false;
  }

  add(notice: T): void {
    const bytes = this.#sizeOf(notice);
    this.#count(bytes);
    this.#isBehind ||= this.#given + this.#waiting.length >= FIRST || this.#waitingBytes + bytes > MOST_BYTES;
    if (!this.#isBehind) {
      this.#waiting.push(notice);
      this.#waitingBytes += bytes;
      return;
    }
    this.#last.push(notice);
    this.#lastBytes += bytes;
    while (this.#last.length > LAST || (this.#lastBytes > MOST_BYTES && this.#last.length > 1)) {
      const [oldest] = this.#last.splice(0, 1) as [T];
      const freed = this.#sizeOf(oldest);
      this.#lastBytes -= freed;
      this.#count(-freed);
      this.#leftOut += 1;
    }
  }

  /** Those of the first that came since the last call, in order. */
  take(): readonly T[] {
    const taken = this.#waiting;
    this.#given += taken.length;
    this.#waiting = [];
    this.#count(-this.#waitingBytes);
    this.#waitingBytes = 0;
    return taken;
  }

  /** Those that are left at the end of a statement, in order, behind `leftOut` others. The buffer has none of them then. */
  takeLast(): { readonly leftOut: number; readonly last: readonly T[] } {
    const [leftOut, last] = [this.#leftOut, this.#last];
    this.#last = [];
    this.#count(-this.#lastBytes);
    this.#lastBytes = 0;
    this.#leftOut = 0;
    return { leftOut, last };
  }
}

/** The sentence in the place of messages that are left out. */
export function leftOutMessage(count: number): string {
  return count === 1 ? '1 message is left out here.' : `${count.toLocaleString('en')} messages are left out here.`;
}
