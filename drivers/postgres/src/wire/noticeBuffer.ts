/** The first messages of a statement are given as they come. */
const FIRST = 500;
/** Of the others the last ones: there a procedure says how it ended. */
const LAST = 499;

/** Messages that a statement has beside its answers, in bounded memory: the first and the last of them, and how many came between. */
export class NoticeBuffer<T> {
  #waiting: T[] = [];
  #given = 0;
  #last: T[] = [];
  #next = 0;

  /** Begins the messages of another statement. */
  begin(): void {
    this.#waiting = [];
    this.#given = 0;
    this.#last = [];
    this.#next = 0;
  }

  add(notice: T): void {
    if (this.#given + this.#waiting.length < FIRST) this.#waiting.push(notice);
    else {
      this.#last[this.#next % LAST] = notice;
      this.#next += 1;
    }
  }

  /** Those of the first that came since the last call, in order. */
  take(): readonly T[] {
    const taken = this.#waiting;
    this.#given += taken.length;
    this.#waiting = [];
    return taken;
  }

  /** Those that are left at the end of a statement, in order, behind `leftOut` others. The buffer has none of them then. */
  takeLast(): { readonly leftOut: number; readonly last: readonly T[] } {
    const from = this.#next % LAST;
    const last = this.#next > LAST ? [...this.#last.slice(from), ...this.#last.slice(0, from)] : this.#last;
    const leftOut = this.#next - last.length;
    this.#last = [];
    this.#next = 0;
    return { leftOut, last };
  }
}

/** The sentence in the place of messages that are left out. */
export function leftOutMessage(count: number): string {
  return count === 1 ? '1 message is left out here.' : `${count.toLocaleString('en')} messages are left out here.`;
}
