import type { Socket } from 'node:net';
import type { Client } from 'ssh2';
import type { SshLimits } from './sshLimits.ts';
import { SurplusMeter } from './surplusMeter.ts';

/** The TCP connection under an SSH client, with bounds for what comes and for what waits: the library has none. */
export class SshTransport {
  readonly #socket: Socket;
  readonly #client: Client;
  readonly #limits: SshLimits;
  readonly #meter: SurplusMeter;
  readonly #waiting = new Set<() => void>();

  /** @param onFlood - the server sends what was not asked for, or leaves the answers to it unread */
  constructor(socket: Socket, client: Client, limits: SshLimits, onFlood: () => void) {
    this.#socket = socket;
    this.#client = client;
    this.#limits = limits;
    this.#meter = new SurplusMeter(limits);
    socket.on('data', (chunk: Buffer) => {
      this.#meter.received(chunk.length);
      if (this.#meter.isExceeded || socket.writableLength > limits.mostUnsent) onFlood();
    });
    const proceed = (): void => {
      for (const waiting of this.#waiting) waiting();
      this.#waiting.clear();
    };
    socket.on('drain', proceed);
    socket.on('close', proceed);
    // Data that was written while keys are exchanged waits in the library.
    client.on('handshake', proceed);
  }

  /** Bytes of a channel, in either direction. */
  carried(bytes: number): void {
    this.#meter.carried(bytes);
  }

  keysExchanged(): void {
    this.#meter.keysExchanged();
  }

  /** Bytes that were given to the socket. */
  get given(): number {
    return this.#socket.bytesWritten;
  }

  /**
   * Calls back once more may be written: a channel's window says nothing about what this side holds.
   *
   * @param given - {@link given} before data of this size was written
   */
  afterWriting(given: number, size: number, proceed: () => void): void {
    const isQueuedInLibrary = this.given < given + size;
    const isFull = this.#socket.writableNeedDrain && this.#socket.writableLength > this.#limits.unsent;
    if (this.#socket.destroyed || !(isQueuedInLibrary || isFull)) proceed();
    else this.#waiting.add(proceed);
  }

  /** Takes leave, and closes the socket when the server does not. */
  end(): void {
    this.#client.end();
    this.#socket.end();
    const timer = setTimeout(() => this.#socket.destroy(), this.#limits.close);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  destroy(): void {
    this.#client.destroy();
    // The client leaves a socket alone that is ended already.
    this.#socket.destroy();
  }
}
