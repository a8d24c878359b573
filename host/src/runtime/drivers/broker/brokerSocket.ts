import { once } from 'node:events';
import { connect as connectTcp } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DriverError } from '@tabularium/sdk';
import { MOST_PLAIN_BYTES } from '@tabularium/sdk/manifest';
import { connectionError } from './connectionErrors.ts';
import type { RepeatedSecret } from './repeatedSecret.ts';
import type { SocketGrant } from './socketGrant.ts';
import { whenConnected } from './whenConnected.ts';
import { tlsOver } from './tlsOver.ts';

/** Milliseconds between two probes of an idle connection. */
const KEEP_ALIVE = 60_000;

interface Place {
  /** Credentials of the driver: none goes out before TLS where the connection is to be encrypted. */
  readonly secrets: readonly RepeatedSecret[];
  readonly address: string | undefined;
  readonly lookup: LookupFunction | undefined;
}

/** One socket of a session: connected by the host, encrypted by the host, with the driver at its other end. */
export class BrokerSocket {
  readonly #grant: SocketGrant;
  readonly #signal: AbortSignal;
  readonly #closed = new Set<() => void>();
  /** The TCP socket; from the start of TLS on the one that encrypts. */
  #stream: Duplex;
  #state: 'plain' | 'upgrading' | 'encrypted';
  /** Settles when TLS has begun; what the driver sends waits for it. */
  #upgrade: Promise<void> | undefined;
  /** Wakes the reader when the stream is another one. */
  #switched = Promise.withResolvers<void>();
  readonly #secrets: readonly RepeatedSecret[];
  #plainSent = '';
  #plainReceived = 0;
  #error: DriverError | undefined;

  /**
   * @param place - `address`: where an earlier socket of the session arrived; without one the name is looked up
   * @param signal - closes the socket, also when it is open
   */
  static async connect(grant: SocketGrant, place: Place, signal: AbortSignal): Promise<BrokerSocket> {
    const { address, lookup, secrets } = place;
    const limit = limitOf(grant, signal);
    try {
      const tcp =
        grant.tunnel === undefined
          ? connectTcp({
              host: address ?? grant.origin.host,
              port: grant.origin.port,
              noDelay: true,
              keepAlive: true,
              keepAliveInitialDelay: KEEP_ALIVE,
              ...(lookup === undefined ? {} : { lookup }),
            })
          : await grant.tunnel.open(grant.origin.host, grant.origin.port, limit.signal);
      if (grant.tunnel === undefined && tcp instanceof Socket) await whenConnected(tcp, 'connect', limit.signal);
      if (grant.tls === undefined || grant.tlsStart === 'upgrade')
        return new BrokerSocket(grant, tcp, 'plain', { secrets, signal });
      const secure = tlsOver(tcp, grant);
      await whenConnected(secure, 'secureConnect', limit.signal);
      return new BrokerSocket(grant, secure, 'encrypted', { secrets, signal });
    } catch (error) {
      throw limit.errorFor(error);
    } finally {
      limit.clear();
    }
  }

  private constructor(
    grant: SocketGrant,
    stream: Duplex,
    state: 'plain' | 'encrypted',
    { secrets, signal }: { readonly secrets: readonly RepeatedSecret[]; readonly signal: AbortSignal },
  ) {
    this.#secrets = secrets;
    this.#grant = grant;
    this.#stream = stream;
    this.#state = state;
    this.#signal = signal;
    this.#watch(stream);
    signal.addEventListener('abort', this.#onAbort, { once: true });
    if (signal.aborted) this.#onAbort();
  }

  get isEncrypted(): boolean {
    return this.#state === 'encrypted';
  }

  get remoteAddress(): string | undefined {
    // Through a tunnel it is the tunnel's, and where its far side connects to is its own to find.
    return this.#grant.tunnel === undefined && this.#stream instanceof Socket ? this.#stream.remoteAddress : undefined;
  }

  /** Calls back once, when the socket is closed, at once where it is already. */
  onClosed(listener: () => void): void {
    if (this.#stream.destroyed) listener();
    else this.#closed.add(listener);
  }

  /** Sends what the driver gives, in order, no faster than the server takes it; at its end the socket ends for writing. */
  send(sent: AsyncIterable<Uint8Array>): void {
    void this.#pump(sent).catch((error: unknown) => this.#fail(connectionError(error, this.#grant)));
  }

  /** The server's bytes. Ends when the server closes; ending the iteration early closes the socket. */
  async *received(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        if (this.#state === 'upgrading') await this.#upgrade;
        const chunk: unknown = this.#stream.read();
        if (chunk instanceof Uint8Array) {
          if (this.#state === 'plain') this.#plainReceived += chunk.length;
          yield chunk;
          continue;
        }
        if (this.#error !== undefined) throw this.#error;
        if (this.#stream.readableEnded || this.#stream.destroyed) return;
        await this.#nextEvent();
      }
    } finally {
      this.#close();
    }
  }

  /**
   * Begins TLS. Bytes that have arrived and did not go to the driver count as an attack: they would be taken for encrypted ones.
   *
   * @returns how many bytes of the server went to the driver before
   */
  async startTls(signal: AbortSignal): Promise<number> {
    if (this.#grant.tls === undefined || this.#state !== 'plain') {
      throw new DriverError('DRIVER_FAULT', "The driver asked for TLS where it has begun or isn't wanted.");
    }
    const tcp = this.#stream;
    this.#state = 'upgrading';
    const done = Promise.withResolvers<void>();
    // The pump and the reader wait for it; an error reaches them by the socket.
    this.#upgrade = done.promise.catch(() => undefined);
    const limit = limitOf(this.#grant, AbortSignal.any([signal, this.#signal]));
    try {
      if (tcp.readableLength > 0) {
        throw new DriverError('TLS_FAILED', `${this.#grant.address} sent data before the encryption began.`);
      }
      tcp.removeAllListeners('readable');
      const secure = tlsOver(tcp, this.#grant);
      this.#stream = secure;
      this.#watch(secure);
      this.#switched.resolve();
      this.#switched = Promise.withResolvers();
      await whenConnected(secure, 'secureConnect', limit.signal);
      this.#state = 'encrypted';
      return this.#plainReceived;
    } catch (error) {
      const failure = limit.errorFor(error);
      this.#fail(failure);
      throw failure;
    } finally {
      limit.clear();
      done.resolve();
    }
  }

  async #pump(sent: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of sent) {
      if (this.#state === 'upgrading') await this.#upgrade;
      if (this.#error !== undefined || this.#stream.destroyed) return;
      if (this.#state === 'plain' && this.#grant.tls !== undefined) {
        this.#plainSent += Buffer.from(chunk.subarray(0, MOST_PLAIN_BYTES + 1)).toString('latin1');
        if (this.#plainSent.length > MOST_PLAIN_BYTES || this.#secrets.some((secret) => secret.isIn(this.#plainSent))) {
          throw new DriverError(
            'PERMISSION_DENIED',
            `The connection is to be encrypted, and the driver sent more without encryption than the request for it. That was not sent.`,
          );
        }
      }
      if (!this.#stream.write(chunk)) await this.#nextEvent('drain');
    }
    this.#stream.end();
  }

  #watch(stream: Duplex): void {
    stream.on('error', (error) => this.#fail(connectionError(error, this.#grant)));
    stream.on('close', () => {
      // The TCP socket below TLS closes with it.
      if (stream === this.#stream) this.#close();
    });
  }

  /** Those who count open sockets hear it now, and not when the system has closed it. */
  #close(): void {
    this.#stream.destroy();
    this.#signal.removeEventListener('abort', this.#onAbort);
    for (const listener of this.#closed) listener();
    this.#closed.clear();
  }

  readonly #onAbort = (): void => {
    const { reason } = this.#signal as { readonly reason: unknown };
    this.#fail(reason instanceof DriverError ? reason : new DriverError('CANCELLED'));
  };

  #fail(error: DriverError): void {
    this.#error ??= error;
    this.#close();
  }

  /** Waits until there is something to read, or for `event`; or until the socket is at its end, or another one. */
  async #nextEvent(event: 'readable' | 'drain' = 'readable'): Promise<void> {
    const stream = this.#stream;
    const ended = new AbortController();
    const { signal } = ended;
    // Only before an upgrade: each wait would stay in the memory of a promise that nothing settles.
    const mayUpgrade = this.#state === 'plain' && this.#grant.tls !== undefined;
    try {
      await Promise.race([
        ...[event, 'end', 'close'].map((name) => once(stream, name, { signal }).catch(() => undefined)),
        ...(mayUpgrade ? [this.#switched.promise] : []),
      ]);
    } finally {
      ended.abort();
    }
  }
}

/** A signal that ends with another one or when the time to connect is up, and the error to say then. */
function limitOf(
  grant: SocketGrant,
  signal: AbortSignal,
): { readonly signal: AbortSignal; errorFor(error: unknown): DriverError; clear(): void } {
  const { address, timeoutMilliseconds } = grant;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMilliseconds);
  return {
    signal: AbortSignal.any([signal, limit.signal]),
    errorFor(error) {
      const { reason } = signal as { readonly reason: unknown };
      if (signal.aborted) return reason instanceof DriverError ? reason : new DriverError('CANCELLED');
      if (limit.signal.aborted)
        return new DriverError('TIMEOUT', `${address} did not answer within ${timeoutMilliseconds / 1_000} s.`);
      return connectionError(error, grant);
    },
    clear: () => clearTimeout(timer),
  };
}
