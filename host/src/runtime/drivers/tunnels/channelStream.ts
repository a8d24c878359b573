import { Duplex } from 'node:stream';
import type { ClientChannel } from 'ssh2';

/** Bytes of a channel that wait here: the window of the library, twice. A server that sends more ignores the window. */
const MOST_WAITING = 4 * 1024 * 1024;

/**
 * One connection through an SSH server, as a stream of Node's own kind. The channel of the library says neither that it was destroyed nor, to what waits for a
 * write, that it is gone.
 */
export class ChannelStream extends Duplex {
  readonly #channel: ClientChannel;

  /**
   * @param lost - the error of a channel that ends without saying so
   * @param onFlood - the server sends what it was not asked for
   */
  constructor(channel: ClientChannel, lost: () => Error, onFlood: () => void) {
    super({ allowHalfOpen: true });
    this.#channel = channel;
    const push = channel.push.bind(channel);
    channel.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (channel.readableLength > MOST_WAITING) {
        onFlood();
        return false;
      }
      return push(chunk, encoding);
    };
    channel.pause();
    channel.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) channel.pause();
    });
    let isEnded = false;
    channel.on('end', () => {
      isEnded = true;
      if (!this.destroyed) this.push(null);
    });
    channel.on('error', (error: Error) => this.destroy(error));
    channel.on('close', () => {
      if (!isEnded) this.destroy(lost());
      else if (this.readableEnded) this.destroy();
      else this.once('end', () => this.destroy());
    });
    channel.stderr.resume();
  }

  override _read(): void {
    this.#channel.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#channel.write(chunk, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#channel.end();
    done();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#channel.resume();
    this.#channel.close();
    done(error);
  }

  // Undici asks these of a socket. The TCP connection is the tunnel's.
  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}
