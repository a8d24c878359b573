import { once } from 'node:events';
import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { DriverSocket, SocketCapability } from '../capabilities/socket.ts';
import { DriverError } from '../errors.ts';
import type { DriverErrorCode } from '../errors.ts';
import { MOST_PLAIN_BYTES } from '../manifestPermissions.ts';

/** A {@link SocketCapability} for tests, without a host. */
export interface TestSocket extends SocketCapability {
  /** How many sockets are open. */
  readonly openSockets: number;
  /** Closes every socket. */
  close(): void;
}

/** Where the capability connects, and how. */
export interface TestSocketOptions {
  readonly host: string;
  readonly port: number;
  /** As the manifest and the form amount to; default: `none`. */
  readonly tls?: SocketCapability['tls'];
  /** PEM: trusted instead of the usual authorities. Without one no certificate is checked. */
  readonly certificateAuthority?: string;
  /** The manifest's `maxSockets`; default 4. */
  readonly maxSockets?: number;
  /** Milliseconds to connect; default 10,000. */
  readonly timeoutMilliseconds?: number;
}

const errorCodes: Readonly<Record<string, DriverErrorCode>> = {
  ECONNREFUSED: 'CONNECTION_REFUSED',
  ENOTFOUND: 'HOST_NOT_FOUND',
  EAI_AGAIN: 'HOST_NOT_FOUND',
};

/** The socket capability over Node's own sockets, with the limits that the host has. */
export function createTestSocket(options: TestSocketOptions): TestSocket {
  const { host, port, tls = 'none', certificateAuthority, maxSockets = 4, timeoutMilliseconds = 10_000 } = options;
  const sockets = new Set<Socket>();
  const secure = async (socket: Socket): Promise<Socket> => {
    const encrypted = connectTls({
      socket,
      ...(isIP(host) === 0 ? { servername: host } : { host }),
      ...(certificateAuthority === undefined ? { rejectUnauthorized: false } : { ca: certificateAuthority }),
    });
    encrypted.on('error', () => undefined);
    await once(encrypted, 'secureConnect', { signal: AbortSignal.timeout(timeoutMilliseconds) });
    return encrypted;
  };
  return {
    endpoint: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    tls,
    get openSockets() {
      return sockets.size;
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
    async open({ signal }) {
      if (signal.aborted) throw new DriverError('CANCELLED');
      if (sockets.size >= maxSockets) throw new DriverError('PERMISSION_DENIED', `The host opens ${maxSockets} sockets at once.`);
      const tcp = connectTcp({ host, port, noDelay: true });
      tcp.on('error', () => undefined);
      sockets.add(tcp);
      tcp.on('close', () => sockets.delete(tcp));
      try {
        await once(tcp, 'connect', { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]) });
        return driverSocket(tcp, tls === 'immediate' ? await secure(tcp) : undefined, tls, secure);
      } catch (error) {
        tcp.destroy();
        throw signal.aborted ? new DriverError('CANCELLED') : asDriverError(error);
      }
    },
  };
}

function driverSocket(
  tcp: Socket,
  encrypted: Socket | undefined,
  tls: SocketCapability['tls'],
  secure: (socket: Socket) => Promise<Socket>,
): DriverSocket {
  let stream = encrypted ?? tcp;
  let isEncrypted = encrypted !== undefined;
  let plainBytes = 0;
  const closed = (): DriverError => new DriverError('CONNECTION_LOST', 'The socket is closed.');
  const received = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      for (;;) {
        const chunk: unknown = stream.read();
        if (chunk instanceof Uint8Array) yield chunk;
        else if (stream.errored !== null) throw asDriverError(stream.errored);
        else if (stream.readableEnded || stream.destroyed) return;
        else await nextEvent(stream);
      }
    } finally {
      tcp.destroy();
    }
  };
  return {
    get isEncrypted() {
      return isEncrypted;
    },
    received: received(),
    async write(bytes) {
      if (stream.destroyed || stream.writableEnded) throw closed();
      if (tls === 'upgrade' && !isEncrypted) {
        plainBytes += bytes.length;
        if (plainBytes > MOST_PLAIN_BYTES) {
          tcp.destroy();
          throw new DriverError('PERMISSION_DENIED', `The host sends at most ${MOST_PLAIN_BYTES} bytes before TLS.`);
        }
      }
      if (stream.write(bytes)) return;
      await nextEvent(stream, 'drain');
      if (stream.destroyed) throw closed();
    },
    async startTls() {
      if (tls !== 'upgrade' || isEncrypted) {
        throw new DriverError('DRIVER_FAULT', "The driver asked for TLS where it has begun or isn't wanted.");
      }
      if (tcp.readableLength > 0) throw new DriverError('TLS_FAILED', 'The server sent data before the encryption began.');
      const waiting = stream;
      try {
        stream = await secure(tcp);
      } catch (error) {
        tcp.destroy();
        throw new DriverError('TLS_FAILED', undefined, { cause: error });
      }
      isEncrypted = true;
      // Wakes a reader that waits at the socket below.
      waiting.emit('readable');
    },
    end: () => void stream.end(),
    close: () => void tcp.destroy(),
  };
}

/** Waits until there is something to read, or for `event`; or until the socket is at its end. */
async function nextEvent(stream: Socket, event: 'readable' | 'drain' = 'readable'): Promise<void> {
  const waiting = new AbortController();
  const { signal } = waiting;
  try {
    await Promise.race([event, 'end', 'close'].map((name) => once(stream, name, { signal }).catch(() => undefined)));
  } finally {
    waiting.abort();
  }
}

function asDriverError(error: unknown): DriverError {
  if (error instanceof DriverError) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  if (error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError')) {
    return new DriverError('TIMEOUT', undefined, { cause: error });
  }
  const isTls = code.startsWith('ERR_TLS') || code.startsWith('ERR_SSL') || code.includes('CERT') || code.includes('SIGNED');
  return new DriverError(isTls ? 'TLS_FAILED' : (errorCodes[code] ?? 'CONNECTION_LOST'), undefined, { cause: error });
}
