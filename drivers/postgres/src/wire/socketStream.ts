import { Duplex } from 'node:stream';
import { DriverError } from '@tabularium/sdk';
import type { DriverSocket } from '@tabularium/sdk';
import { MessageMeter } from './messageMeter.ts';

/** Calls of a socket of Node's that the library makes, and that have no meaning here: the host has connected already. */
interface NodeSocketCalls {
  connect(): this;
  setNoDelay(): this;
  setKeepAlive(): this;
  ref(): this;
  unref(): this;
}

/**
 * A socket of the host's as the stream that the library for the protocol reads and writes. Bytes are counted by message on the way in, so that no
 * server fills the memory of this process.
 */
export class SocketStream extends Duplex implements NodeSocketCalls {
  readonly #socket: DriverSocket;
  readonly #received: AsyncIterator<Uint8Array>;
  readonly meter = new MessageMeter();
  #isReading = false;

  /** @param received - the iterator of the socket, of which the answer to the request for TLS may be read already */
  constructor(socket: DriverSocket, received: AsyncIterator<Uint8Array>) {
    // Half a connection is none: the end of the server's side ends both.
    super({ allowHalfOpen: false, readableHighWaterMark: 256 * 1024, writableHighWaterMark: 256 * 1024 });
    this.#socket = socket;
    this.#received = received;
  }

  connect(): this {
    process.nextTick(() => this.emit('connect'));
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }

  override _read(): void {
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#fill();
  }

  async #fill(): Promise<void> {
    try {
      const next = await this.#received.next();
      this.#isReading = false;
      if (next.done === true) {
        this.push(null);
        return;
      }
      this.meter.count(next.value);
      this.push(next.value);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new DriverError('CONNECTION_LOST'));
    }
  }

  override _write(chunk: Uint8Array, _encoding: string, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk).then(
      () => done(),
      (error: unknown) => done(error instanceof Error ? error : new DriverError('CONNECTION_LOST')),
    );
  }

  override _writev(chunks: { chunk: Uint8Array }[], done: (error?: Error | null) => void): void {
    this._write(
      chunks.length === 1 ? (chunks[0]?.chunk ?? new Uint8Array()) : Buffer.concat(chunks.map(({ chunk }) => chunk)),
      '',
      done,
    );
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.close();
    done(error);
  }
}
