import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { DriverError } from '@tabularium/sdk';
import type { DriverErrorCode } from '@tabularium/sdk';
import type { HostSentenceId } from '../../../common/hostSentences.ts';
import { hostSentence } from '../../../common/hostSentences.ts';
import { TUNNEL } from '../../../common/tunnelFields.ts';
import { hostDriverError } from '../../errors/hostDriverError.ts';
import { connectionError } from '../broker/connectionErrors.ts';
import { whenConnected } from '../broker/whenConnected.ts';
import type { SocksRefusal } from './socksHandshake.ts';
import { SocksError, socksHandshake } from './socksHandshake.ts';
import type { Tunnel } from '../broker/tunnel.ts';

const KEEP_ALIVE = 60_000;
/** Milliseconds for the proxy to accept and greet. Shorter than the time that any caller has to connect, so the proxy is named and not the server behind it. */
const GREETING = 8_000;

const ERRORS: Readonly<
  Record<
    SocksRefusal,
    {
      readonly code: DriverErrorCode;
      readonly id: Exclude<Extract<HostSentenceId, `socks${string}`>, 'socksSilent'>;
      readonly field?: string;
    }
  >
> = {
  notSocks: { code: 'BAD_ANSWER', id: 'socksNotSpoken' },
  signInNeeded: { code: 'ACCESS_REFUSED', id: 'socksSignInNeeded', field: TUNNEL.socksUser },
  signInRefused: { code: 'ACCESS_REFUSED', id: 'socksSignInRefused', field: TUNNEL.socksPassword },
  forbidden: { code: 'ACCESS_REFUSED', id: 'socksForbidden' },
  unreachable: { code: 'CONNECTION_REFUSED', id: 'socksUnreachable' },
  nameUnknown: { code: 'HOST_NOT_FOUND', id: 'socksUnreachable' },
  notListening: { code: 'CONNECTION_REFUSED', id: 'socksNotListening' },
  failed: { code: 'CONNECTION_REFUSED', id: 'socksUnreachable' },
  ended: { code: 'CONNECTION_LOST', id: 'socksEnded' },
};

/** Each stream is a connection of its own to the proxy. */
export class SocksTunnel implements Tunnel {
  readonly kind = 'socks';
  readonly address: string;
  readonly openings = 0;
  readonly isOpen = true;
  readonly refusal = undefined;
  readonly #proxy: { readonly host: string; readonly port: number };
  readonly #signIn: { readonly user: string; readonly password: string } | undefined;
  readonly #limit: number;
  readonly #streams = new Set<Duplex>();
  #holders = 0;

  constructor(
    address: string,
    proxy: { readonly host: string; readonly port: number },
    signIn: { readonly user: string; readonly password: string } | undefined,
    limit = GREETING,
  ) {
    this.address = address;
    this.#proxy = proxy;
    this.#signIn = signIn;
    this.#limit = limit;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    for (const stream of this.#streams) stream.destroy(new DriverError('CANCELLED', 'The session was closed.'));
  }

  async ready(): Promise<void> {
    // There is nothing to share.
  }

  async open(host: string, port: number, signal: AbortSignal): Promise<Duplex> {
    const socket = connect({ ...this.#proxy, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE });
    const abort = (): void => {
      socket.destroy();
    };
    signal.addEventListener('abort', abort, { once: true });
    const greeting = new AbortController();
    const timer = setTimeout(() => {
      greeting.abort();
      abort();
    }, this.#limit);
    try {
      await whenConnected(socket, 'connect', AbortSignal.any([signal, greeting.signal]));
      await socksHandshake(socket, { host, port }, this.#signIn, signal, () => clearTimeout(timer));
    } catch (error) {
      socket.on('error', () => undefined);
      socket.destroy();
      if (signal.aborted) throw error;
      if (greeting.signal.aborted)
        throw hostDriverError('TIMEOUT', hostSentence('socksSilent', { proxy: this.address, seconds: this.#limit / 1_000 }));
      throw this.#errorFor(error, host, port);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
    this.#streams.add(socket);
    socket.once('close', () => this.#streams.delete(socket));
    return socket;
  }

  #errorFor(error: unknown, host: string, port: number): DriverError {
    const proxy = this.address;
    if (!(error instanceof SocksError)) {
      return connectionError(error, { origin: { scheme: 'tcp', ...this.#proxy }, address: proxy, tls: undefined });
    }
    const { code, id, field } = ERRORS[error.refusal];
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    return hostDriverError(code, hostSentence(id, { proxy, target }), { details: field === undefined ? {} : { field } });
  }
}
