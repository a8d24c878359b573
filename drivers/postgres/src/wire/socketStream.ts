import { Duplex } from 'node:stream';
import { DriverError } from '@tabularium/sdk';
import type { DriverSocket } from '@tabularium/sdk';
import { LinkMemory } from './linkMemory.ts';
import { MessageFrames } from './messageFrames.ts';
import { MessageMeter } from './messageMeter.ts';

/** Bytes of a message that has come in part, above which no more of it is asked for while nothing reads. */
const PART = 64 * 1024;

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
  readonly meter: MessageMeter;
  readonly memory: LinkMemory;
  readonly #frames: MessageFrames;
  /** Host and port, for errors. */
  readonly server: string;
  #isReading = false;
  /** Whether more was asked for meanwhile. */
  #isAsked = false;

  /**
   * @param received - the iterator of the socket, of which the answer to the request for TLS may be read already
   * @param server - host and port, for errors
   */
  constructor(socket: DriverSocket, received: AsyncIterator<Uint8Array>, server: string) {
    // Half a connection is none: the end of the server's side ends both.
    super({ allowHalfOpen: false, readableHighWaterMark: 256 * 1024, writableHighWaterMark: 256 * 1024 });
    this.#socket = socket;
    this.#received = received;
    this.server = server;
    this.meter = new MessageMeter(server);
    this.memory = new LinkMemory(server, (error) => void this.destroy(error));
    this.#frames = new MessageFrames(this.meter, server);
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
    this.#isAsked = this.#isReading;
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#fill();
  }

  async #fill(): Promise<void> {
    try {
      // The stream asks again when it was given something.
      for (let isGiven = false; !isGiven;) {
        if (this.#frames.retainedBytes > PART) await this.#flowing();
        const next = await this.#received.next();
        if (next.done === true) {
          this.push(null);
          return;
        }
        const value = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.length);
        for (let at = 0; at < value.length;) {
          const before = this.#frames.retainedBytes;
          const { end, pieces } = this.#frames.read(value, at);
          at = end;
          this.memory.change(this.#frames.retainedBytes - before + pieces.reduce((sum, { length }) => sum + length, 0));
          for (const piece of pieces) if (!this.destroyed) this.push(piece);
          isGiven ||= pieces.length > 0;
          // While a server floods, there is always something to read: without a turn for others nothing else would be heard, such as a request to cancel.
          await othersTurn();
          if (this.destroyed) return;
        }
      }
      this.#isReading = false;
      if (this.#isAsked) this._read();
    } catch (error) {
      this.destroy(error instanceof Error ? error : new DriverError('CONNECTION_LOST'));
    }
  }

  /** Waits while the reader of this stream has paused it. */
  async #flowing(): Promise<void> {
    if (this.readableFlowing !== false) return;
    await new Promise<void>((resolve) => {
      const go = (): void => {
        this.off('resume', go);
        this.off('close', go);
        resolve();
      };
      this.on('resume', go);
      this.on('close', go);
    });
  }

  /** A listener throws at a message that it can't read. Where the stream was paused, such an error would have no owner, and would end the process. */
  override emit(event: string | symbol, ...values: unknown[]): boolean {
    if (event !== 'data') return super.emit(event, ...values);
    try {
      return super.emit(event, ...values);
    } catch (error) {
      this.destroy(error instanceof Error ? error : new DriverError('BAD_ANSWER'));
      return true;
    } finally {
      // The library has read it.
      const [bytes] = values;
      if (bytes instanceof Uint8Array) this.memory.change(-bytes.length);
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
    this.memory.close();
    this.#socket.close();
    done(error);
  }
}

async function othersTurn(): Promise<void> {
  await new Promise<void>((resolve) => void setImmediate(resolve));
}
