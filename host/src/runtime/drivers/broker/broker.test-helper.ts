import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { headerCredential } from './credentials/staticCredentials.ts';
import type { BrokerRequest, RequestBody } from './httpBroker.ts';
import { HttpGrant } from './httpGrant.ts';
import type { ServerOrigin } from './serverDestination.ts';
import type { TlsPolicy } from './tlsPolicy.ts';

export const TEST_KEY = 'the-key';

/** A grant with one credential, in the header `x-test-key`; further nodes by their ports. */
export function testGrant(
  origin: Partial<ServerOrigin>,
  more: { tls?: TlsPolicy; timeoutMilliseconds?: number; nodes?: readonly number[] } = {},
): HttpGrant {
  return new HttpGrant({
    origin: { scheme: 'http', host: '127.0.0.1', port: 1, pathPrefix: '', ...origin },
    nodes: (more.nodes ?? []).map((port) => ({ scheme: 'http', host: '127.0.0.1', pathPrefix: '', ...origin, port })),
    timeoutMilliseconds: more.timeoutMilliseconds ?? 5_000,
    credentialHeaders: ['X-Test-Key'],
    credentials: [headerCredential(['x-test-key'], '', TEST_KEY)],
    ...(more.tls === undefined ? {} : { tls: more.tls }),
  });
}

/** The headers that a grant adds. */
export async function addedHeaders(grant: HttpGrant): Promise<[name: string, value: string][]> {
  const { origin } = grant;
  const request = { method: 'GET', origin, path: '/', headers: new Map<string, string>(), body: 'none' as const };
  await grant.addCredentials(request, new AbortController().signal);
  return [...request.headers];
}

export function testRequest(changes: Partial<BrokerRequest> = {}): BrokerRequest {
  return { method: 'GET', path: '/', headers: {}, repeatable: false, signal: new AbortController().signal, ...changes };
}

export function testBody(...chunks: Uint8Array[]): RequestBody {
  return {
    async *[Symbol.asyncIterator]() {
      yield* chunks;
    },
    collect: async () => Buffer.concat(chunks),
  };
}

export async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A server of plain TCP: what exactly arrives, and answers to the byte. */
export class RawServer {
  readonly #server: Server;
  readonly sockets: Socket[] = [];
  /** The bytes that each connection has sent so far. */
  readonly received: string[] = [];

  constructor(onRequest: (socket: Socket, connection: number, request: string, count: number) => void) {
    this.#server = createServer((socket) => {
      const connection = this.sockets.push(socket) - 1;
      this.received.push('');
      let count = 0;
      socket.on('error', () => undefined);
      socket.on('data', (data) => {
        this.received[connection] += data.toString('latin1');
        if (data.includes('\r\n\r\n')) onRequest(socket, connection, data.toString('latin1'), ++count);
      });
    });
  }

  onConnection(listener: (socket: Socket) => void): void {
    this.#server.on('connection', listener);
  }

  async listen(host = '127.0.0.1'): Promise<number> {
    this.#server.listen(0, host);
    await once(this.#server, 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Certificates of an authority of its own, made with the openssl of the machine. */
export class TestCertificates {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#openssl(
      'req',
      '-x509',
      ...NEW_KEY,
      '-keyout',
      'ca.key',
      '-out',
      'ca.crt',
      '-days',
      '30',
      '-subj',
      '/CN=Test Authority',
    );
  }

  get authority(): string {
    return readFileSync(join(this.#folder, 'ca.crt'), 'utf8');
  }

  /** @param days - negative for one that has expired */
  issue(name: string, subjectAltName: string, { days = 30, selfSigned = false } = {}): { key: string; cert: string } {
    const [key, request, cert, extensions] = [`${name}.key`, `${name}.csr`, `${name}.crt`, `${name}.ext`];
    writeFileSync(join(this.#folder, extensions), `subjectAltName=${subjectAltName}\n`);
    this.#openssl('req', ...NEW_KEY, '-keyout', key, '-out', request, '-subj', `/CN=${name}`);
    const signer = selfSigned ? ['-signkey', key] : ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial'];
    this.#openssl('x509', '-req', '-in', request, ...signer, '-days', String(days), '-extfile', extensions, '-out', cert);
    return { key: readFileSync(join(this.#folder, key), 'utf8'), cert: readFileSync(join(this.#folder, cert), 'utf8') };
  }

  #openssl(...words: string[]): void {
    execFileSync('openssl', words, { cwd: this.#folder, stdio: 'pipe' });
  }
}

const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
