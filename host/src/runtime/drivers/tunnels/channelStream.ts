import { Duplex } from 'node:stream';
import type { ClientChannel } from 'ssh2';
import type { SshTransport } from './sshTransport.ts';

/** Bytes of a channel that wait here: the window of the library, twice. A server that sends more ignores the window. */
const MOST_WAITING = 4 * 1024 * 1024;
/** Bytes that are written at once: the library takes as much as the window of the server, which may be 4 GB. */
const PIECE = 64 * 1024;

/**
 * One connection through an SSH server, as a stream of Node's own kind. The channel of the library says neither that it was destroyed nor, to what waits for a
 * write, that it is gone.
 */
export class ChannelStream extends Duplex {
  readonly #channel: ClientChannel;
  readonly #transport: SshTransport;

  /**
   * @param lost - the error of a channel that ends without saying so
   * @param onFlood - the server sends what it was not asked for
   */
  constructor(channel: ClientChannel, transport: SshTransport, lost: () => Error, onFlood: () => void) {
    super({ allowHalfOpen: true });
    this.#channel = channel;
    this.#transport = transport;
    const push = channel.push.bind(channel);
    channel.push = (chunk: unknown, encoding?: BufferEncoding): boolean => {
      if (channel.readableLength > MOST_WAITING) {
        onFlood();
        return false;
      }
      if (chunk instanceof Uint8Array) transport.carried(chunk.length);
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

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    const piece = chunk.subarray(0, PIECE);
    const { given } = this.#transport;
    this.#channel.write(piece, (error) => {
      if (error) return done(error);
      this.#transport.carried(piece.length);
      const rest = chunk.subarray(PIECE);
      this.#transport.afterWriting(given, piece.length, () => {
        if (rest.length === 0) done();
        else this._write(rest, encoding, done);
      });
    });
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
