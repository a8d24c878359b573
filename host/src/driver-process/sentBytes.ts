import { DriverError } from '@tabularium/sdk';

/** Bytes on their way to a socket, one piece at a time: each waits until it is taken. Can be read once. */
export class SentBytes implements AsyncIterable<Uint8Array> {
  readonly #waiting: { readonly bytes: Uint8Array; readonly taken: PromiseWithResolvers<void> }[] = [];
  readonly #address: string;
  #state: 'open' | 'ended' | 'closed' = 'open';
  #wake: (() => void) | undefined;

  /** @param address - of the server, for errors */
  constructor(address: string) {
    this.#address = address;
  }

  /** @returns when the piece was taken @throws DriverError `CONNECTION_LOST` after the end, or when nothing is taken any more */
  add(bytes: Uint8Array): Promise<void> {
    if (this.#state !== 'open') return Promise.reject(this.#closed());
    if (bytes.length === 0) return Promise.resolve();
    const taken = Promise.withResolvers<void>();
    this.#waiting.push({ bytes, taken });
    this.#wake?.();
    return taken.promise;
  }

  /** Nothing more comes. */
  end(): void {
    if (this.#state === 'open') this.#state = 'ended';
    this.#wake?.();
  }

  /** Nothing is taken any more. */
  close(): void {
    this.#state = 'closed';
    for (const { taken } of this.#waiting.splice(0)) taken.reject(this.#closed());
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const next = this.#waiting.shift();
        if (next !== undefined) {
          // Taken once the reader comes for more: what was given is on its way then. One who leaves with it has not sent it.
          let isTaken = false;
          try {
            yield next.bytes;
            isTaken = true;
          } finally {
            if (isTaken) next.taken.resolve();
            else next.taken.reject(this.#closed());
          }
          continue;
        }
        if (this.#state !== 'open') return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      this.close();
    }
  }

  #closed(): DriverError {
    return new DriverError('CONNECTION_LOST', `The connection to ${this.#address} was lost.`);
  }
}
