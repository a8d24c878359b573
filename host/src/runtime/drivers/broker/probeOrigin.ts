import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { DriverError } from '@tabularium/sdk';
import type { HostSentence } from '../../../common/hostSentences.ts';
import { englishOf, hostSentence } from '../../../common/hostSentences.ts';
import type { TestStep } from '../../../common/connection.ts';
import { sentenceOfDriverError } from '../../errors/hostDriverError.ts';
import { connectionError, connectionSentence } from './connectionErrors.ts';
import { BROKER_TIMEOUTS } from './connections.ts';
import type { GrantedServer } from './grantedServer.ts';
import { publicAddressesOf, publicLookup } from './publicLookup.ts';
import { tlsOver } from './tlsOver.ts';

/**
 * Looks at the way to a server, one step after the other: name, TCP, TLS. Each step comes once, with its outcome; after a failed one the
 * rest is skipped. Never throws, except when cancelled.
 */
export async function* probeOrigin(grant: GrantedServer, signal: AbortSignal): AsyncGenerator<TestStep, void, undefined> {
  const { host, scheme } = grant.origin;
  const name = yield* step('name', 'Name lookup', signal, grant, async () => {
    const { tunnel } = grant;
    if (tunnel !== undefined)
      return { sentence: hostSentence('testNameBeyond', { host, through: tunnel.address }), value: undefined, skipped: true };
    if (isIP(host) !== 0) return { sentence: hostSentence('testIsAddress', { host }), value: undefined, skipped: true };
    const addresses = await (grant.isFixed === true ? publicAddressesOf(host) : lookup(host, { all: true }));
    const found = addresses.map(({ address }) => address).join(', ');
    return { sentence: hostSentence('testAddresses', { host, addresses: found }), value: undefined };
  });
  if (!name.ok) {
    yield skipped('tcp', 'TCP connection');
    yield skipped('tls', 'TLS');
    return;
  }
  const tcp = yield* step('tcp', 'TCP connection', signal, grant, async (limited) => {
    const { tunnel } = grant;
    if (tunnel !== undefined) {
      const stream = await tunnel.open(host, grant.origin.port, limited);
      stream.on('error', () => undefined);
      const sentence = hostSentence('testConnectedThrough', { address: grant.address, through: tunnel.address });
      return { sentence, value: stream };
    }
    const looked = grant.isFixed === true ? { lookup: publicLookup() } : {};
    const socket: Duplex = await opened(connectTcp({ host, port: grant.origin.port, ...looked }), 'connect', limited);
    return { sentence: hostSentence('testConnected', { address: grant.address }), value: socket };
  });
  if (!tcp.ok || tcp.value === undefined) {
    yield skipped('tls', 'TLS');
    return;
  }
  const socket = tcp.value;
  try {
    if (scheme === 'http' || scheme === 'tcp') {
      yield { id: 'tls', label: 'TLS', outcome: 'skipped', ...saying(hostSentence('testUnencrypted')) };
      return;
    }
    if (grant.tlsStart === 'upgrade') {
      yield { id: 'tls', label: 'TLS', outcome: 'skipped', ...saying(hostSentence('testTlsUpgrades')) };
      return;
    }
    yield* step('tls', 'TLS', signal, grant, async (limited) => {
      const secure = await opened(tlsOver(socket, grant), 'secureConnect', limited);
      const sentence = tlsSentence(secure, grant);
      secure.destroy();
      return { sentence, value: undefined };
    });
  } finally {
    socket.destroy();
  }
}

const saying = (sentence: HostSentence): Pick<TestStep, 'message' | 'sentence'> => ({ message: englishOf(sentence), sentence });

interface Found<T> {
  readonly sentence: HostSentence;
  readonly value: T;
  readonly skipped?: boolean;
}

async function* step<T>(
  id: string,
  label: string,
  signal: AbortSignal,
  grant: GrantedServer,
  work: (signal: AbortSignal) => Promise<Found<T>>,
): AsyncGenerator<TestStep, { readonly ok: boolean; readonly value?: T }, undefined> {
  if (signal.aborted) throw new DriverError('CANCELLED');
  const started = performance.now();
  const limited = AbortSignal.any([signal, AbortSignal.timeout(BROKER_TIMEOUTS.connect)]);
  try {
    const { sentence, value, skipped: isSkipped } = await orAborted(work(limited), limited);
    yield { id, label, outcome: isSkipped === true ? 'skipped' : 'ok', ...saying(sentence), milliseconds: since(started) };
    return { ok: true, value };
  } catch (error) {
    if (signal.aborted) throw new DriverError('CANCELLED', undefined, { cause: error });
    const seconds = BROKER_TIMEOUTS.connect / 1_000;
    const { code, message, advice } = limited.aborted ? new DriverError('TIMEOUT') : connectionError(error, grant);
    const sentence = limited.aborted
      ? hostSentence('serverSilent', { address: grant.address, seconds })
      : error instanceof DriverError
        ? sentenceOfDriverError(error)
        : connectionSentence(error, grant);
    const failure = { code, message, advice, ...(sentence === undefined ? {} : { sentence }) };
    const text = sentence === undefined ? message : englishOf(sentence);
    yield { id, label, outcome: 'failed', message: `${text} ${advice}`, failure, milliseconds: since(started) };
    return { ok: false };
  }
}

function skipped(id: string, label: string): TestStep {
  return { id, label, outcome: 'skipped', ...saying(hostSentence('testSkipped')) };
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
      // A reset afterwards is ignored.
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

function tlsSentence(socket: TLSSocket, grant: GrantedServer): HostSentence {
  const protocol = socket.getProtocol() ?? 'TLS';
  switch (grant.tls?.verification) {
    case 'identity':
      return hostSentence('testTlsIdentity', { protocol });
    case 'chain':
      return hostSentence('testTlsChain', { protocol });
    default:
      return hostSentence('testTlsUnchecked', { protocol });
  }
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}
