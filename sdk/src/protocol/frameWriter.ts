import { DriverError } from '../errors.ts';
import type { ByteStream } from './byteStream.ts';
import type { FrameKind } from './frame.ts';
import { frameStart } from './frame.ts';
import { encodeHead, NO_BYTES } from './heads.ts';
import { WIRE_LIMITS } from './limits.ts';
import type { SendGate } from './sendGate.ts';

/** Writes frames, and holds bodies back while too much is waiting. */
export class FrameWriter {
  readonly #stream: ByteStream;
  #waiting: (() => void)[] = [];
  #closed = false;

  constructor(stream: ByteStream) {
    this.#stream = stream;
    stream.on('drain', () => this.#release());
  }

  /** A frame that does not wait: small, and needed to get on. */
  control(kind: FrameKind, id: number, head?: unknown): void {
    const bytes = head === undefined ? NO_BYTES : encodeHead(head);
    if (bytes.length > WIRE_LIMITS.head) throw headTooLarge(bytes.length);
    this.#write(frameStart(kind, id, bytes, 0), NO_BYTES);
  }

  /** A frame with a head and a body of at most one frame's size. */
  withBody(kind: 'request' | 'answer', id: number, head: unknown, body: Uint8Array): void {
    const bytes = encodeHead(head);
    if (bytes.length > WIRE_LIMITS.head) throw headTooLarge(bytes.length);
    this.#write(frameStart(kind, id, bytes, body.length), body);
  }

  /** Sends a body as `data` frames and `end`, as fast as the other side takes it. False when the exchange ended before. */
  async stream(id: number, body: AsyncIterable<Uint8Array> | Uint8Array, gate: SendGate): Promise<boolean> {
    if (body instanceof Uint8Array) {
      if (!(await this.#sendChunk(id, body, gate))) return false;
    } else {
      for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array)) throw new DriverError('DRIVER_FAULT', 'A body is made of Uint8Array chunks.');
        if (!(await this.#sendChunk(id, chunk, gate))) return false;
      }
    }
    if (gate.closed) return false;
    this.control('end', id);
    return true;
  }

  close(): void {
    this.#closed = true;
    this.#release();
  }

  async #sendChunk(id: number, chunk: Uint8Array, gate: SendGate): Promise<boolean> {
    let offset = 0;
    while (offset < chunk.length) {
      const length = await gate.take(Math.min(chunk.length - offset, WIRE_LIMITS.body));
      // Looked at last, with nothing awaited before the writing: else all who wait find room at the same moment.
      while (this.#stream.writableLength > WIRE_LIMITS.sendQueue && !this.#closed) {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
      if (length === 0 || this.#closed || gate.closed) return false;
      this.#write(frameStart('data', id, NO_BYTES, length), chunk.subarray(offset, offset + length));
      offset += length;
    }
    return !gate.closed;
  }

  #write(start: Uint8Array, body: Uint8Array): void {
    if (this.#closed || this.#stream.destroyed) return;
    if (body.length === 0) {
      this.#stream.write(start);
      return;
    }
    this.#stream.cork();
    this.#stream.write(start);
    this.#stream.write(body);
    this.#stream.uncork();
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}

function headTooLarge(bytes: number): DriverError {
  return new DriverError('DRIVER_FAULT', `A message of ${bytes} bytes is too large for the head of a frame.`);
}
