import { Client } from 'undici';
import { DriverError } from '@tabularium/sdk';
import type { HttpGrant } from './httpGrant.ts';
import { publicLookup } from './publicLookup.ts';
import { throughTunnel } from './throughTunnel.ts';
import { tlsOptions } from './tlsOptions.ts';

/** Milliseconds. */
export interface BrokerTimeouts {
  /** For name lookup, TCP and TLS together. */
  readonly connect: number;
  /** Without a byte in the middle of an answer, while somebody reads it. */
  readonly bodyIdle: number;
  /** For the next {@link LEAST_BODY_BYTES} of an answer. Only the time in which somebody waits for the server counts. */
  readonly bodyWindow: number;
}

export const BROKER_TIMEOUTS: BrokerTimeouts = { connect: 10_000, bodyIdle: 60_000, bodyWindow: 60_000 };

/** The bytes that a server has to send in each window: a byte now and then keeps a call busy for ever. */
export const LEAST_BODY_BYTES = 4 * 1024;

/** Connections of one session at once; further requests wait for their turn. */
const MOST_CONNECTIONS = 8;

/** One connection at most, with one request at a time, so that it is known on which connection a request went out. */
export interface BrokerConnection {
  readonly client: Client;
  /** Answers that the present connection has carried: more than none means that it is reused. */
  served: number;
}

/** The connections of one session. */
export class BrokerConnections {
  readonly #grant: HttpGrant;
  readonly #timeouts: BrokerTimeouts;
  readonly #all = new Set<BrokerConnection>();
  readonly #idle: BrokerConnection[] = [];
  readonly #waiting: (() => void)[] = [];
  #closed = false;

  constructor(grant: HttpGrant, timeouts: BrokerTimeouts) {
    this.#grant = grant;
    this.#timeouts = timeouts;
  }

  /** @param fresh - not one that is open already: where one was reset, the others of its age may have been too */
  async take(signal: AbortSignal, fresh: boolean): Promise<BrokerConnection> {
    for (;;) {
      if (signal.aborted) {
        // The turn that this request may have had goes to the next one.
        this.#waiting.shift()?.();
        throw new DriverError('CANCELLED');
      }
      if (this.#closed) throw new DriverError('CANCELLED', 'The session was closed.');
      const idle = this.#idle.pop();
      if (idle !== undefined && !fresh) return idle;
      if (idle !== undefined) this.#drop(idle);
      if (this.#all.size < MOST_CONNECTIONS) return this.#open();
      await this.#turn(signal);
    }
  }

  /** @param complete - whether the answer was read to its end, so that the connection can be used again */
  giveBack(connection: BrokerConnection, complete: boolean): void {
    if (!complete) this.#drop(connection);
    else if (this.#all.has(connection)) {
      connection.served += 1;
      this.#idle.push(connection);
    }
    this.#waiting.shift()?.();
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const wake of this.#waiting.splice(0)) wake();
    const all = [...this.#all];
    this.#all.clear();
    this.#idle.length = 0;
    await Promise.all(all.map(({ client }) => client.destroy()));
  }

  /** Also one that is still connecting: the next request would wait with it. */
  #drop(connection: BrokerConnection): void {
    this.#all.delete(connection);
    void connection.client.destroy();
  }

  #open(): BrokerConnection {
    const client = new Client(this.#grant.url, {
      // One request at a time on a connection, and HTTP/1.1: the rule for repeating needs to know which request was in flight.
      pipelining: 1,
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: this.#timeouts.bodyIdle,
      connect:
        this.#grant.tunnel === undefined
          ? {
              timeout: this.#timeouts.connect,
              ...tlsOptions(this.#grant),
              ...(this.#grant.isFixed ? { lookup: publicLookup() } : {}),
            }
          : throughTunnel(this.#grant, this.#grant.tunnel, this.#timeouts.connect),
    });
    const connection: BrokerConnection = { client, served: 0 };
    client.on('connect', () => {
      connection.served = 0;
    });
    this.#all.add(connection);
    return connection;
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const wake = (): void => {
        signal.removeEventListener('abort', wake);
        const index = this.#waiting.indexOf(wake);
        if (index >= 0) this.#waiting.splice(index, 1);
        resolve();
      };
      signal.addEventListener('abort', wake);
      this.#waiting.push(wake);
    });
  }
}
