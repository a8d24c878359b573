import { eventLine } from './eventLine.ts';

/** UTF-16 units, or written rows, after which what was gathered is sent, and more is not waited for. */
const MOST_GATHERED = 64 * 1024;
const MOST_WRITTEN = 10_000;
const encoder = new TextEncoder();

/**
 * The outcomes of an import as lines of JSON. Those that are ready one right after the other come in one piece, for each piece costs a frame, a write and a wake-up of
 * the host; and those of written rows that follow one another are one event. What comes later is not waited for. An error comes behind the outcomes before it.
 */
export async function* gatheredOutcomes(events: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void, undefined> {
  const gathering = new Gathering(events);
  try {
    while (await gathering.hasMore()) {
      // All that needs no event of its own, such as an answer of a server, is there after this.
      if (!gathering.isFull) await new Promise((resolve) => setImmediate(resolve));
      const text = gathering.take();
      if (text !== '') yield encoder.encode(text);
    }
  } finally {
    await gathering.leave();
  }
}

/** Reads outcomes as they come, until it is full. */
class Gathering {
  readonly #iterator: AsyncIterator<unknown>;
  #text = '';
  /** Rows behind the text that were written. */
  #written = 0;
  #isOver = false;
  /** Whether the iteration needs no end from here. */
  #isEnded = false;
  #isLeft = false;
  #failure: { readonly error: unknown } | undefined;
  #onMore: (() => void) | undefined;
  #onRoom: (() => void) | undefined;

  constructor(events: AsyncIterable<unknown>) {
    this.#iterator = events[Symbol.asyncIterator]();
    void this.#read();
  }

  get isFull(): boolean {
    return this.#text.length >= MOST_GATHERED || this.#written >= MOST_WRITTEN;
  }

  /** Waits for outcomes. @returns whether there are more @throws what the reading threw, behind the last of them */
  async hasMore(): Promise<boolean> {
    if (this.#text === '' && this.#written === 0 && !this.#isOver) await new Promise<void>((resolve) => (this.#onMore = resolve));
    if (this.#text !== '' || this.#written > 0) return true;
    if (this.#failure !== undefined) throw this.#failure.error;
    return false;
  }

  take(): string {
    this.#endRun();
    const text = this.#text;
    this.#text = '';
    this.#onRoom?.();
    return text;
  }

  async leave(): Promise<void> {
    this.#isLeft = true;
    this.#onRoom?.();
    if (!this.#isEnded) await this.#iterator.return?.();
  }

  async #read(): Promise<void> {
    try {
      while (!this.#isLeft) {
        const next = await this.#next();
        if (next.done === true) break;
        this.#add(next.value);
        this.#onMore?.();
        if (this.isFull && !this.#isLeft) await new Promise<void>((resolve) => (this.#onRoom = resolve));
      }
    } catch (error) {
      this.#failure = { error };
    }
    this.#isOver = true;
    this.#onMore?.();
  }

  async #next(): Promise<IteratorResult<unknown>> {
    try {
      const next = await this.#iterator.next();
      this.#isEnded = next.done === true;
      return next;
    } catch (error) {
      this.#isEnded = true;
      throw error;
    }
  }

  #add(event: unknown): void {
    const rows = writtenRows(event);
    this.#written += rows;
    if (rows > 0) return;
    this.#endRun();
    this.#text += eventLine(event);
  }

  #endRun(): void {
    if (this.#written > 0)
      this.#text += eventLine({ outcome: 'written', ...(this.#written === 1 ? {} : { rows: this.#written }) });
    this.#written = 0;
  }
}

/** The rows that an outcome says were written; 0 for any other, and for one that the host is to see as it is. */
function writtenRows(event: unknown): number {
  if (typeof event !== 'object' || event === null || !('outcome' in event) || event.outcome !== 'written') return 0;
  if (!('rows' in event)) return 1;
  return Number.isSafeInteger(event.rows) ? Math.max(0, Number(event.rows)) : 0;
}
