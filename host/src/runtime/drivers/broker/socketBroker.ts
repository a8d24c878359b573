import type { LookupFunction } from 'node:net';
import { DriverError } from '@tabularium/sdk';
import { BrokerSocket } from './brokerSocket.ts';
import type { RepeatedSecret } from './repeatedSecret.ts';
import type { SocketGrant } from './socketGrant.ts';

/** Sockets that a session may open in {@link OPENING_WINDOW}: one for each cancel, and where a connection reaches one database, one for each of a server's. */
const MOST_OPENINGS = 600;
/** Milliseconds. */
const OPENING_WINDOW = 60_000;

/** A socket that is open. */
export interface OpenedSocket {
  /** Its number in the session. */
  readonly socket: number;
  readonly isEncrypted: boolean;
  /** The server's bytes as they arrive. */
  readonly received: AsyncIterable<Uint8Array>;
}

/**
 * Opens the sockets of one session, to the endpoint of its grant and nowhere else. The name is looked up once: later sockets go to the address
 * that the first one reached, so that a name that leads elsewhere by then gets none of them.
 */
export class SocketBroker {
  readonly #grant: SocketGrant;
  readonly #lookup: LookupFunction | undefined;
  readonly #secrets: readonly RepeatedSecret[];
  readonly #sockets = new Map<number, BrokerSocket>();
  readonly #closing = new AbortController();
  readonly #openings: number[] = [];
  #address: string | undefined;
  #opening = 0;
  #next = 1;

  /**
   * @param options - `secrets`: the credentials that the driver was given; `lookup` finds the addresses of a name, as the system does by default
   */
  constructor(
    grant: SocketGrant,
    { secrets = [], lookup }: { readonly secrets?: readonly RepeatedSecret[]; readonly lookup?: LookupFunction | undefined } = {},
  ) {
    this.#grant = grant;
    this.#secrets = secrets;
    this.#lookup = lookup;
    grant.tunnel?.hold();
  }

  /** Host and port. */
  get endpoint(): string {
    return this.#grant.address;
  }

  /** See `SocketCapability.tls`. */
  get tls(): 'none' | 'immediate' | 'upgrade' {
    return this.#grant.tls === undefined ? 'none' : this.#grant.tlsStart;
  }

  /**
   * Opens a socket.
   *
   * @param sent - the driver's bytes, taken as the server takes them
   * @param signal - closes the socket, also when it is open
   * @throws DriverError
   */
  async open(sent: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<OpenedSocket> {
    this.#assertRoom();
    this.#opening += 1;
    try {
      const ending = AbortSignal.any([signal, this.#closing.signal]);
      const socket = await BrokerSocket.connect(
        this.#grant,
        { address: this.#address, lookup: this.#lookup, secrets: this.#secrets },
        ending,
      );
      this.#address ??= socket.remoteAddress;
      const number = this.#next;
      this.#next += 1;
      this.#sockets.set(number, socket);
      socket.onClosed(() => this.#sockets.delete(number));
      socket.send(sent);
      return { socket: number, isEncrypted: socket.isEncrypted, received: socket.received() };
    } finally {
      this.#opening -= 1;
    }
  }

  /**
   * Begins TLS on an open socket.
   *
   * @returns how many bytes of the server came before
   * @throws DriverError
   */
  async startTls(number: number, signal: AbortSignal): Promise<number> {
    const socket = this.#sockets.get(number);
    if (socket === undefined) throw new DriverError('CONNECTION_LOST', `The connection to ${this.endpoint} was lost.`);
    return socket.startTls(signal);
  }

  /** Closes every socket. */
  close(): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort(new DriverError('CANCELLED', 'The session was closed.'));
    this.#grant.tunnel?.release();
  }

  #assertRoom(): void {
    const { maxSockets } = this.#grant;
    if (this.#sockets.size + this.#opening >= maxSockets) {
      throw new DriverError('PERMISSION_DENIED', `The driver has ${maxSockets} sockets open and asked for one more.`);
    }
    const now = performance.now();
    while (this.#openings[0] !== undefined && now - this.#openings[0] > OPENING_WINDOW) this.#openings.shift();
    if (this.#openings.length >= MOST_OPENINGS) {
      throw new DriverError('PERMISSION_DENIED', `The driver has opened ${MOST_OPENINGS} sockets within a minute.`);
    }
    this.#openings.push(now);
  }
}
