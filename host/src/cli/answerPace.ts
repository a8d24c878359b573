const LINE_END = 0x0a;
/** Events that may arrive before they are taken, so that the host works while the command writes. */
const MOST_AHEAD = 8;

/**
 * Lets the events of a streamed answer arrive no faster than they are taken. The client of the API reads an answer as fast as it comes and
 * queues its events, so without this a slow reader of a command's output would fill the memory of the command.
 *
 * An event is a line of the answer. Bytes flow while fewer than {@link MOST_AHEAD} lines are ahead of the events taken, and whenever the
 * taker has nothing left to take: lines other than events can't block the answer.
 */
export class AnswerPace {
  #ahead = 0;
  #isWaiting = false;
  #isGivenUp = false;
  #resume: (() => void) | undefined;

  /** The answer, with its body read at this pace. Aborting ends it at once, and gives up the original. */
  response(answer: Response, signal: AbortSignal): Response {
    if (answer.body === null) return answer;
    const chunks = (answer.body as ReadableStream<Uint8Array>).getReader();
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          signal.addEventListener('abort', () => {
            controller.error(signal.reason);
            this.#giveUp();
            // A body that failed already has nothing left to cancel.
            chunks.cancel(signal.reason).catch(() => undefined);
          });
        },
        pull: async (controller) => {
          await this.#room();
          const next = await chunks.read();
          if (signal.aborted) return;
          if (next.done) return controller.close();
          this.#ahead += lineEnds(next.value);
          controller.enqueue(next.value);
        },
        cancel: (reason) => chunks.cancel(reason),
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { status: answer.status, headers: answer.headers });
  }

  /** The events of the answer. Each one taken makes room for another. */
  async *events(events: AsyncIterable<unknown>): AsyncGenerator<unknown, unknown> {
    const iterator = events[Symbol.asyncIterator]();
    try {
      for (;;) {
        const pending = iterator.next();
        this.#isWaiting = true;
        // Queued events answer before this: only a taker that really waits lets more through.
        setImmediate(() => this.#openToWaiting());
        const next: IteratorResult<unknown, unknown> = await pending;
        this.#isWaiting = false;
        if (next.done === true) return next.value;
        this.#ahead = Math.max(0, this.#ahead - 1);
        this.#letThrough();
        yield next.value;
      }
    } finally {
      this.#giveUp();
      await iterator.return?.();
    }
  }

  #openToWaiting(): void {
    if (!this.#isWaiting) return;
    this.#ahead = 0;
    this.#letThrough();
  }

  #letThrough(): void {
    if (this.#isClosed()) return;
    this.#resume?.();
    this.#resume = undefined;
  }

  #giveUp(): void {
    this.#isGivenUp = true;
    this.#letThrough();
  }

  #isClosed(): boolean {
    return this.#ahead >= MOST_AHEAD && !this.#isGivenUp;
  }

  async #room(): Promise<void> {
    while (this.#isClosed()) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve;
        if (this.#isWaiting) setImmediate(() => this.#openToWaiting());
      });
    }
  }
}

function lineEnds(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(LINE_END); at !== -1; at = bytes.indexOf(LINE_END, at + 1)) count += 1;
  return count;
}
