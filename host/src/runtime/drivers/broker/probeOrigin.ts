import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { TLSSocket } from 'node:tls';
import { DriverError } from '@tabularium/sdk';
import type { TestStep } from '../../../common/connection.ts';
import { connectionError } from './connectionErrors.ts';
import { BROKER_TIMEOUTS } from './connections.ts';
import type { HttpGrant } from './httpGrant.ts';
import { tlsOptions } from './tlsOptions.ts';

/**
 * Looks at the way to a server, one step after the other: name, TCP, TLS. Each step comes once, with its outcome; after a failed one the
 * rest is skipped. Never throws, except when cancelled.
 */
export async function* probeOrigin(grant: HttpGrant, signal: AbortSignal): AsyncGenerator<TestStep, void, undefined> {
  const { host, scheme } = grant.origin;
  const name = yield* step('name', 'Name lookup', signal, grant, async () => {
    if (isIP(host) !== 0) return { message: `${host} is an address; no name to look up.`, value: undefined, skipped: true };
    const addresses = await lookup(host, { all: true });
    return { message: `${host} is ${addresses.map(({ address }) => address).join(', ')}.`, value: undefined };
  });
  if (!name.ok) {
    yield skipped('tcp', 'TCP connection');
    yield skipped('tls', 'TLS');
    return;
  }
  const tcp = yield* step('tcp', 'TCP connection', signal, grant, async (limited) => {
    const socket = await opened(connectTcp({ host, port: grant.origin.port }), 'connect', limited);
    return { message: `Connected to ${grant.address}.`, value: socket };
  });
  if (!tcp.ok || tcp.value === undefined) {
    yield skipped('tls', 'TLS');
    return;
  }
  const socket = tcp.value;
  try {
    if (scheme === 'http') {
      yield { id: 'tls', label: 'TLS', outcome: 'skipped', message: 'The connection is not encrypted: its SSL mode says so.' };
      return;
    }
    yield* step('tls', 'TLS', signal, grant, async (limited) => {
      const secure = await opened(
        connectTls({ socket, ...(isIP(host) === 0 ? { servername: host } : { host }), ...tlsOptions(grant) }),
        'secureConnect',
        limited,
      );
      const message = tlsMessage(secure, grant);
      secure.destroy();
      return { message, value: undefined };
    });
  } finally {
    socket.destroy();
  }
}

interface Found<T> {
  readonly message: string;
  readonly value: T;
  readonly skipped?: boolean;
}

async function* step<T>(
  id: string,
  label: string,
  signal: AbortSignal,
  grant: HttpGrant,
  work: (signal: AbortSignal) => Promise<Found<T>>,
): AsyncGenerator<TestStep, { readonly ok: boolean; readonly value?: T }, undefined> {
  if (signal.aborted) throw new DriverError('CANCELLED');
  const started = performance.now();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(BROKER_TIMEOUTS.connect)]);
  try {
    const { message, value, skipped: isSkipped } = await orAborted(work(limited), limited);
    yield { id, label, outcome: isSkipped === true ? 'skipped' : 'ok', message, milliseconds: since(started) };
    return { ok: true, value };
  } catch (error) {
    if (signal.aborted) throw new DriverError('CANCELLED', undefined, { cause: error });
    const late = limited.aborted
      ? new DriverError('TIMEOUT', `${grant.address} did not answer within ${BROKER_TIMEOUTS.connect / 1_000} s.`)
      : connectionError(error, grant);
    yield { id, label, outcome: 'failed', message: `${late.message} ${late.advice}`, milliseconds: since(started) };
    return { ok: false };
  }
}

function skipped(id: string, label: string): TestStep {
  return { id, label, outcome: 'skipped', message: 'Skipped because the step before it failed.' };
}

/** A socket when it is connected; destroyed when it fails, or is no longer wanted. */
function opened<S extends Socket>(socket: S, event: 'connect' | 'secureConnect', signal: AbortSignal): Promise<S> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      socket.destroy();
      reject(new DriverError('CANCELLED'));
    };
    signal.addEventListener('abort', abort, { once: true });
    socket.once('error', (error) => {
      signal.removeEventListener('abort', abort);
      reject(error);
    });
    socket.once(event, () => {
      signal.removeEventListener('abort', abort);
      // A reset afterwards concerns nobody.
      socket.on('error', () => undefined);
      resolve(socket);
    });
  });
}

/** A name lookup cannot be stopped; it is left behind. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new DriverError('CANCELLED'));
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function tlsMessage(socket: TLSSocket, grant: HttpGrant): string {
  const protocol = socket.getProtocol() ?? 'TLS';
  switch (grant.tls?.verification) {
    case 'identity':
      return `${protocol}; the certificate is trusted and for this host.`;
    case 'chain':
      return `${protocol}; the certificate is trusted. Its host name was not checked, as the SSL mode says.`;
    default:
      return `${protocol}; the certificate was not checked, as the settings say.`;
  }
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}
