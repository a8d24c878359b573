import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo, LookupFunction, Server, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TLSSocket, createServer as createTlsServer } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { TestCertificates } from './broker.test-helper.ts';
import { RepeatedSecret } from './repeatedSecret.ts';
import { SocketBroker } from './socketBroker.ts';
import { SocketGrant } from './socketGrant.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabularium-sockets-'));
let certificates: TestCertificates;
const servers: Server[] = [];
const accepted: Socket[] = [];
const brokers: SocketBroker[] = [];
const signal = new AbortController().signal;

beforeAll(() => {
  certificates = new TestCertificates(folder);
});
afterEach(async () => {
  for (const broker of brokers.splice(0)) broker.close();
  for (const socket of accepted.splice(0)) socket.destroy();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function listen(server: Server): Promise<number> {
  servers.push(server);
  server.on('connection', (socket: Socket) => {
    accepted.push(socket);
    socket.on('error', () => undefined);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Changes {
  readonly encrypted?: boolean;
  readonly tlsStart?: 'immediate' | 'upgrade';
  readonly maxSockets?: number;
  readonly host?: string;
  readonly lookup?: LookupFunction;
  readonly timeoutMilliseconds?: number;
}

function brokerTo(port: number, changes: Changes = {}): SocketBroker {
  const { encrypted = false, tlsStart = 'immediate', maxSockets = 4, host = '127.0.0.1' } = changes;
  const grant = new SocketGrant({
    origin: { scheme: encrypted ? 'tls' : 'tcp', host, port, pathPrefix: '' },
    ...(encrypted ? { tls: { verification: 'identity', certificateAuthority: certificates.authority } as const } : {}),
    tlsStart,
    maxSockets,
    timeoutMilliseconds: changes.timeoutMilliseconds ?? 5_000,
  });
  const broker = new SocketBroker(grant, { lookup: changes.lookup, secrets: [new RepeatedSecret('pass')] });
  brokers.push(broker);
  return broker;
}

/** Bytes that a test sends one after the other. */
class Sending implements AsyncIterable<Uint8Array> {
  readonly #parts: Uint8Array[] = [];
  #ended = false;
  #wake: (() => void) | undefined;
  /** Bytes that the broker has taken. */
  taken = 0;

  send(text: string | Uint8Array): void {
    this.#parts.push(Buffer.from(text));
    this.#wake?.();
  }

  end(): void {
    this.#ended = true;
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const part = this.#parts.shift();
      if (part !== undefined) {
        this.taken += part.length;
        yield part;
      } else if (this.#ended) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

const tlsServer = (name = 'IP:127.0.0.1', onSecure?: (socket: TLSSocket) => void): Server =>
  createTlsServer(certificates.issue('server', name), onSecure);

async function read(received: AsyncIterable<Uint8Array>, bytes: number): Promise<string> {
  let text = '';
  const reader = received[Symbol.asyncIterator]();
  while (text.length < bytes) {
    const next = await reader.next();
    if (next.done === true) break;
    text += Buffer.from(next.value).toString('latin1');
  }
  return text;
}

describe('the sockets of a session', () => {
  it('carry bytes both ways, end after the last byte, and count as closed then', async () => {
    const port = await listen(createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)));
    const broker = brokerTo(port, { maxSockets: 1 });
    const sending = new Sending();
    const { isEncrypted, received } = await broker.open(sending, signal);
    expect(isEncrypted).toBe(false);
    sending.send('one ');
    sending.send('two');
    sending.end();
    let text = '';
    for await (const chunk of received) text += Buffer.from(chunk).toString();
    expect(text).toBe('one two');
    await expect.poll(() => broker.open(new Sending(), signal).then(() => 'opened', String)).toBe('opened');
  });

  it('are encrypted from the first byte, or from the moment that the driver asks', async () => {
    const port = await listen(tlsServer(undefined, (socket) => socket.pipe(socket)));
    const immediate = new Sending();
    const first = await brokerTo(port, { encrypted: true }).open(immediate, signal);
    expect(first.isEncrypted).toBe(true);
    immediate.send('secret');
    expect(await read(first.received, 6)).toBe('secret');

    const plainPort = await listen(
      createServer((socket) => {
        socket.once('data', (hello: Buffer) => {
          socket.write('S');
          expect(hello.toString()).toBe('TLS?');
          const secure = new TLSSocket(socket, { isServer: true, ...certificates.issue('server', 'IP:127.0.0.1') });
          secure.on('error', () => undefined);
          secure.pipe(secure);
        });
      }),
    );
    const broker = brokerTo(plainPort, { encrypted: true, tlsStart: 'upgrade' });
    const sending = new Sending();
    const { socket, isEncrypted, received } = await broker.open(sending, signal);
    const bytes = received[Symbol.asyncIterator]();
    expect(isEncrypted).toBe(false);
    sending.send('TLS?');
    expect(Buffer.from((await bytes.next()).value ?? []).toString()).toBe('S');
    const next = bytes.next();
    expect(await broker.startTls(socket, signal)).toBe(1);
    sending.send('password');
    expect(Buffer.from((await next).value ?? []).toString()).toBe('password');
    await expect(broker.startTls(socket, signal)).rejects.toMatchObject({ code: 'DRIVER_FAULT' });
  });

  it.each([
    ['another name', 'DNS:other.example'],
    ['another address', 'IP:127.0.0.9'],
  ])('refuse a certificate for %s, at once and after an upgrade', async (_what, name) => {
    const port = await listen(tlsServer(name));
    await expect(brokerTo(port, { encrypted: true }).open(new Sending(), signal)).rejects.toMatchObject({ code: 'TLS_FAILED' });
    const broker = brokerTo(port, { encrypted: true, tlsStart: 'upgrade' });
    const { socket, received } = await broker.open(new Sending(), signal);
    const reading = read(received, 1);
    await expect(broker.startTls(socket, signal)).rejects.toMatchObject({ code: 'TLS_FAILED' });
    await expect(reading).rejects.toMatchObject({ code: 'TLS_FAILED' });
  });

  it('send no more than the request for TLS before it has begun', async () => {
    let heard = '';
    const port = await listen(createServer((socket) => socket.on('data', (data) => (heard += data.toString()))));
    const sending = new Sending();
    const { received } = await brokerTo(port, { encrypted: true, tlsStart: 'upgrade' }).open(sending, signal);
    sending.send('x'.repeat(30));
    await expect.poll(() => heard.length).toBe(30);
    sending.send(' a longer text');
    await expect(read(received, 1)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(heard).not.toContain('text');

    const short = new Sending();
    const { received: none } = await brokerTo(port, { encrypted: true, tlsStart: 'upgrade' }).open(short, signal);
    short.send('pa');
    short.send('ss');
    await expect(read(none, 1)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(heard).not.toContain('pass');
  });

  it('refuse to encrypt after bytes that were not read', async () => {
    const port = await listen(createServer((socket) => socket.write('S and more, before the handshake')));
    const broker = brokerTo(port, { encrypted: true, tlsStart: 'upgrade' });
    const { socket, received } = await broker.open(new Sending(), signal);
    // Read by the host, and by no driver.
    const bytes = received[Symbol.asyncIterator]();
    await bytes.next();
    const [connection] = accepted;
    connection?.write('later');
    await new Promise((resolve) => setTimeout(resolve, 100));
    await expect(broker.startTls(socket, signal)).rejects.toMatchObject({ code: 'TLS_FAILED' });
  });

  it('are as many as the manifest says, also while they connect, and not opened without end', async () => {
    const port = await listen(createServer());
    const broker = brokerTo(port, { maxSockets: 2 });
    const opening = [1, 2, 3].map(() => broker.open(new Sending(), signal));
    const outcomes = await Promise.allSettled(opening);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect(outcomes[2]).toMatchObject({ reason: { code: 'PERMISSION_DENIED' } });

    const eager = brokerTo(port, { maxSockets: 1 });
    let refused: unknown;
    for (let count = 0; count < 700 && refused === undefined; count += 1) {
      const closing = new AbortController();
      await eager.open(new Sending(), closing.signal).then(
        () => closing.abort(),
        (error: unknown) => (refused = error),
      );
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(refused).toMatchObject({ code: 'PERMISSION_DENIED', message: expect.stringContaining('within a minute') as string });
  });

  it('go to the address that the first one reached, although the name leads elsewhere by then', async () => {
    const port = await listen(createServer());
    const addresses = ['127.0.0.1', '127.0.0.77'];
    let lookups = 0;
    const lookup: LookupFunction = (_name, options, found) => {
      const address = addresses[Math.min(lookups, 1)] ?? '';
      lookups += 1;
      if (options.all === true) found(null, [{ address, family: 4 }]);
      else found(null, address, 4);
    };
    const broker = brokerTo(port, { host: 'db.example', lookup });
    await broker.open(new Sending(), signal);
    await broker.open(new Sending(), signal);
    expect(lookups).toBe(1);
    expect(accepted).toHaveLength(2);
  });

  it('wait for a server that takes its time, and for a driver that does', async () => {
    const port = await listen(createServer((socket) => socket.pause()));
    const broker = brokerTo(port);
    const sending = new Sending();
    await broker.open(sending, signal);
    const piece = Buffer.alloc(256 * 1024);
    for (let count = 0; count < 200; count += 1) sending.send(piece);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(sending.taken).toBeLessThan(20 * 1024 * 1024);

    let written = 0;
    const flood = await listen(
      createServer((socket) => {
        const more = (): void => {
          while (!socket.destroyed && socket.write(piece)) written += piece.length;
        };
        socket.on('drain', more);
        more();
      }),
    );
    const { received } = await brokerTo(flood).open(new Sending(), signal);
    await received[Symbol.asyncIterator]().next();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(written).toBeLessThan(20 * 1024 * 1024);
  });

  it('listen no more often the longer they wait for the server', async () => {
    const port = await listen(createServer((socket) => socket.resume()));
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const sending = new Sending();
    await brokerTo(port).open(sending, signal);
    const piece = Buffer.alloc(256 * 1024);
    for (let count = 0; count < 100; count += 1) sending.send(piece);
    await expect.poll(() => sending.taken).toBe(100 * piece.length);
    expect(warn.mock.calls).toEqual([]);
    warn.mockRestore();
  });

  it('end with their signal and with the session, whatever they do', async () => {
    const port = await listen(createServer());
    const broker = brokerTo(port);
    const closing = new AbortController();
    const one = await broker.open(new Sending(), closing.signal);
    const two = await broker.open(new Sending(), signal);
    const [first, second] = [read(one.received, 1), read(two.received, 1)];
    closing.abort();
    await expect(first).rejects.toMatchObject({ code: 'CANCELLED' });
    broker.close();
    await expect(second).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(broker.open(new Sending(), signal)).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('say why they cannot be opened', async () => {
    const closed = await listen(createServer());
    await new Promise((resolve) => servers.pop()?.close(resolve));
    await expect(brokerTo(closed).open(new Sending(), signal)).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' });
    const silent = await listen(createServer());
    const late = brokerTo(silent, { encrypted: true, timeoutMilliseconds: 100 });
    await expect(late.open(new Sending(), signal)).rejects.toMatchObject({ code: 'TIMEOUT' });
    const cancelled = AbortSignal.abort();
    await expect(brokerTo(silent).open(new Sending(), cancelled)).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
