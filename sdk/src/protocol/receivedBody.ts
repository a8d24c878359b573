import { DriverError } from '../errors.ts';
import { ByteQueue } from './byteQueue.ts';
import { WireViolation } from './frame.ts';
import { WIRE_LIMITS } from './limits.ts';

/** Credit is given back in portions of this size, so that small chunks do not cost a frame each. */
const CREDIT_PORTION = WIRE_LIMITS.window / 8;

interface ReceivedBodyEvents {
  /** The consumer has taken this much. */
  giveCredit(bytes: number): void;
  /** The consumer needs no more. */
  abandon(): void;
}

/** A body that arrives over the wire. Can be read once. Never holds more than the window. */
export class ReceivedBody implements AsyncIterable<Uint8Array> {
  readonly #events: ReceivedBodyEvents;
  readonly #received = new ByteQueue();
  #mayReceive: number = WIRE_LIMITS.window;
  #owed = 0;
  #state: 'flowing' | 'ended' | 'broken' | 'failed' | 'abandoned' = 'flowing';
  #error: DriverError | undefined;
  #claimed = false;
  #wake: (() => void) | undefined;

  constructor(events: ReceivedBodyEvents) {
    this.#events = events;
  }

  /** A body that is here already. */
  static of(bytes: Uint8Array): ReceivedBody {
    const body = new ReceivedBody({ giveCredit: () => undefined, abandon: () => undefined });
    if (bytes.length > 0) body.#received.push(bytes);
    body.#state = 'ended';
    return body;
  }

  get finished(): boolean {
    return this.#state !== 'flowing';
  }

  /** @throws WireViolation when more arrives than was allowed */
  push(chunk: Uint8Array): void {
    if (chunk.length > this.#mayReceive) throw new WireViolation('more data arrived than there was credit for');
    this.#mayReceive -= chunk.length;
    if (this.#state !== 'flowing') return;
    this.#received.push(chunk);
    this.#wake?.();
  }

  end(): void {
    this.#finish('ended');
  }

  /** Ends it at once: what hasn't been read is dropped. */
  fail(error: DriverError): void {
    this.#error ??= error;
    this.#finish('failed');
  }

  /** The sender broke it off: what arrived before is read first, as it is part of what happened. */
  breakOff(error: DriverError): void {
    this.#error ??= error;
    this.#finish('broken');
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    if (this.#claimed) throw new DriverError('DRIVER_FAULT', 'This body has been read already; it can be read once.');
    this.#claimed = true;
    try {
      for (;;) {
        const chunk = this.#take();
        if (chunk !== undefined) {
          yield chunk;
          continue;
        }
        if (this.#state === 'failed' || this.#state === 'broken') throw this.#error ?? new DriverError('CONNECTION_LOST');
        if (this.#state !== 'flowing') return;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        this.#wake = undefined;
      }
    } finally {
      this.discard();
    }
  }

  /**
   * The whole body in one piece.
   *
   * @throws DriverError `TOO_LARGE`; the rest is given up
   */
  async collect(maxBytes: number): Promise<Uint8Array> {
    const collected = new ByteQueue();
    for await (const chunk of this) {
      if (collected.length + chunk.length > maxBytes) {
        throw new DriverError('TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`);
      }
      collected.push(chunk);
    }
    return collected.takeAll();
  }

  /** Gives up what has not arrived yet. */
  discard(): void {
    this.#claimed = true;
    if (this.#state !== 'flowing') return;
    this.#finish('abandoned');
    this.#events.abandon();
  }

  #take(): Uint8Array | undefined {
    if (this.#state === 'failed') return undefined;
    const chunk = this.#received.take();
    if (chunk === undefined) return undefined;
    this.#owed += chunk.length;
    if (this.#owed >= CREDIT_PORTION && this.#state === 'flowing') {
      this.#mayReceive += this.#owed;
      this.#events.giveCredit(this.#owed);
      this.#owed = 0;
    }
    return chunk;
  }

  #finish(state: 'ended' | 'broken' | 'failed' | 'abandoned'): void {
    if (this.#state !== 'flowing') return;
    this.#state = state;
    if (state === 'failed' || state === 'abandoned') this.#received.clear();
    this.#wake?.();
  }
}
