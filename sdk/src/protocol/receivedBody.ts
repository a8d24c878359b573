import { DriverError } from '../errors.ts';
import { WireViolation } from './frame.ts';
import { WIRE_LIMITS } from './limits.ts';

/** Credit is given back in portions of this size, so that small chunks do not cost a frame each. */
const CREDIT_PORTION = WIRE_LIMITS.window / 8;
/** A shorter chunk is copied: as a part of what the socket read it would keep 64 KiB alive. */
const COPY_BELOW = 16 * 1024;
const BLOCK = 16 * 1024;

interface ReceivedBodyEvents {
  /** The consumer has taken this much. */
  giveCredit(bytes: number): void;
  /** The consumer needs no more. */
  abandon(): void;
}

/** A body that arrives over the wire. Can be read once. Never holds more than the window. */
export class ReceivedBody implements AsyncIterable<Uint8Array> {
  readonly #events: ReceivedBodyEvents;
  readonly #chunks: Uint8Array[] = [];
  /** The last chunk, while it is a block of ours with room at its end. */
  #open: { block: Uint8Array; used: number } | undefined;
  #mayReceive: number = WIRE_LIMITS.window;
  #owed = 0;
  #state: 'flowing' | 'ended' | 'failed' | 'abandoned' = 'flowing';
  #error: DriverError | undefined;
  #claimed = false;
  #wake: (() => void) | undefined;

  constructor(events: ReceivedBodyEvents) {
    this.#events = events;
  }

  /** A body that is here already. */
  static of(bytes: Uint8Array): ReceivedBody {
    const body = new ReceivedBody({ giveCredit: () => undefined, abandon: () => undefined });
    if (bytes.length > 0) body.#chunks.push(bytes);
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
    if (chunk.length >= COPY_BELOW) {
      this.#seal();
      this.#chunks.push(chunk);
    } else {
      if (this.#open !== undefined && this.#open.used + chunk.length > BLOCK) this.#seal();
      this.#open ??= { block: new Uint8Array(BLOCK), used: 0 };
      this.#open.block.set(chunk, this.#open.used);
      this.#open.used += chunk.length;
    }
    this.#wake?.();
  }

  end(): void {
    this.#finish('ended');
  }

  fail(error: DriverError): void {
    this.#error ??= error;
    this.#finish('failed');
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
        if (this.#state === 'failed') throw this.#error ?? new DriverError('CONNECTION_LOST');
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
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of this) {
      length += chunk.length;
      if (length > maxBytes) throw new DriverError('TOO_LARGE', `The answer is larger than ${maxBytes} bytes.`);
      chunks.push(chunk);
    }
    const [first] = chunks;
    if (chunks.length === 1 && first !== undefined) return first;
    const whole = new Uint8Array(length);
    let offset = 0;
    for (const chunk of chunks) {
      whole.set(chunk, offset);
      offset += chunk.length;
    }
    return whole;
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
    let chunk = this.#chunks.shift();
    if (chunk === undefined && this.#open !== undefined) {
      this.#seal();
      chunk = this.#chunks.shift();
    }
    if (chunk === undefined) return undefined;
    this.#owed += chunk.length;
    if (this.#owed >= CREDIT_PORTION && this.#state === 'flowing') {
      this.#mayReceive += this.#owed;
      this.#events.giveCredit(this.#owed);
      this.#owed = 0;
    }
    return chunk;
  }

  #seal(): void {
    if (this.#open === undefined) return;
    this.#chunks.push(this.#open.block.subarray(0, this.#open.used));
    this.#open = undefined;
  }

  #finish(state: 'ended' | 'failed' | 'abandoned'): void {
    if (this.#state !== 'flowing') return;
    this.#state = state;
    if (state !== 'ended') {
      this.#chunks.length = 0;
      this.#open = undefined;
    }
    this.#wake?.();
  }
}
