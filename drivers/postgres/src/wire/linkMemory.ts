import { largeAnswer } from './largeAnswer.ts';

/** Bytes that all connections of the process may keep together: one process serves them all, and its memory is bounded. */
const ALL = 160 * 1024 * 1024;

/**
 * The memory that one connection takes for its server's messages: bytes that aren't read yet, and rows, names and notices that wait. All connections are counted
 * together; where they exceed the bound, the one that keeps the most is ended. A server that fills the memory slowly takes nothing from others.
 */
export class LinkMemory {
  static readonly #all = new Set<LinkMemory>();
  static #total = 0;

  readonly #server: string;
  readonly #refuse: (error: Error) => void;
  #size = 0;
  #isClosed = false;
  #isRefused = false;

  /**
   * @param server - host and port, for errors
   * @param refuse - ends the connection with the error
   */
  constructor(server: string, refuse: (error: Error) => void) {
    this.#server = server;
    this.#refuse = refuse;
  }

  /** Whether the connection was ended because of what it kept: nothing of that is to be passed on. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /** @param by - bytes that are kept from now on; negative for those that no longer are */
  change(by: number): void {
    if (this.#isClosed || by === 0) return;
    LinkMemory.#all.add(this);
    this.#size += by;
    LinkMemory.#total += by;
    if (by < 0 || LinkMemory.#total <= ALL) return;
    const [largest = this] = [...LinkMemory.#all].toSorted((one, other) => other.#size - one.#size);
    largest.refuse(largest.#size);
  }

  /** Ends the connection because of its answer. @param bytes - that the answer takes at least */
  refuse(bytes: number): void {
    this.#isRefused = true;
    this.close();
    this.#refuse(largeAnswer(this.#server, bytes));
  }

  /** The connection is over, and nothing of it is counted any more. */
  close(): void {
    this.#isClosed = true;
    LinkMemory.#all.delete(this);
    LinkMemory.#total -= this.#size;
    this.#size = 0;
  }
}
