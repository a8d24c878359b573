import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import ssh2 from 'ssh2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { sshCredential } from '../../host/src/runtime/drivers/tunnels/sshCredential.ts';
import type { SshLimits } from '../../host/src/runtime/drivers/tunnels/sshLimits.ts';
import { SshTunnel } from '../../host/src/runtime/drivers/tunnels/sshTunnel.ts';
import { hostKeysFor } from '../../host/src/runtime/drivers/tunnels/tunnels.test-helper.ts';
import { RawServer, SshKeys, Sshd } from './sshServers.ts';

// Bounds of a tunnel: the SSH server neither holds the host up nor fills its memory, and a long use of an honest one doesn't end it.

const MEGABYTE = 1024 * 1024;
const GROUP_EXCHANGE_REQUEST = 34;
const signal = new AbortController().signal;

let keys: SshKeys;
let hostKey: string;
let personKey: string;
let echo: RawServer;
const tunnels = new Set<SshTunnel>();

beforeAll(async () => {
  keys = new SshKeys();
  hostKey = keys.make('host');
  personKey = keys.make('person');
  echo = await RawServer.start((socket) => void socket.pipe(socket));
});
afterEach(() => {
  for (const tunnel of tunnels) tunnel.release();
  tunnels.clear();
});
afterAll(async () => {
  await echo[Symbol.asyncDispose]();
  keys[Symbol.dispose]();
});

async function tunnelTo(port: number, user: string, limits: Partial<SshLimits> = {}): Promise<SshTunnel> {
  const file = join(keys.folder, `known-${port}`);
  writeFileSync(file, `[127.0.0.1]:${port} ${keys.publicKey(hostKey)}\n`);
  const credential = await sshCredential(
    { kind: 'ssh', host: '127.0.0.1', port, user, signIn: 'key', keyFile: personKey },
    () => '',
    {},
  );
  const tunnel = new SshTunnel({
    ...{ host: '127.0.0.1', port, address: `127.0.0.1:${port}`, user, credential },
    hostKeys: hostKeysFor([file]),
    // A busy machine takes its time.
    limits: { connect: 120_000, ...limits },
  });
  tunnel.hold();
  tunnels.add(tunnel);
  return tunnel;
}

/** Sends these bytes to the echo server and reads them back. */
async function exchange(stream: Duplex, bytes: number): Promise<number> {
  let received = 0;
  const reading = (async () => {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      received += (chunk as Buffer).length;
      if (received >= bytes) return;
    }
  })();
  for (let sent = 0; sent < bytes; sent += MEGABYTE) if (!stream.write(Buffer.alloc(MEGABYTE))) await once(stream, 'drain');
  await reading;
  return received;
}

describe('a real sshd that exchanges keys again', () => {
  it.each([
    ['after some data', 'RekeyLimit 1M'],
    ['after some time', 'RekeyLimit default 1'],
    ['after both', 'RekeyLimit 1M 1'],
  ])('%s keeps its tunnel, across 24 MB each way', async (_what, setting) => {
    await using sshd = await Sshd.start(keys, { hostKeys: [hostKey], authorized: personKey, settings: [setting] });
    const tunnel = await tunnelTo(sshd.port, sshd.user);
    const stream = await tunnel.open('127.0.0.1', echo.port, signal);
    expect(await exchange(stream, 12 * MEGABYTE)).toBe(12 * MEGABYTE);
    await sleep(3_000);
    expect(await exchange(stream, 12 * MEGABYTE)).toBe(12 * MEGABYTE);
  });
});

describe('an SSH server that offers only group exchange', () => {
  it('is refused before it chooses a prime', async () => {
    const received: number[] = [];
    await using server = await RawServer.start((socket) => offerGroupExchange(socket, (type) => received.push(type)));
    const tunnel = await tunnelTo(server.port, 'ada');
    await expect(tunnel.ready(signal)).rejects.toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('weak or slow') as string,
    });
    expect(received).not.toContain(GROUP_EXCHANGE_REQUEST);
  });
});

describe('a signed-in SSH server', () => {
  it.each([
    ['asks without an end and reads no answer', 'request', false],
    ['asks without an end and reads the answers', 'request', true],
    ['sends empty messages without an end', 'ignore', true],
  ] as const)('is left when it %s', async (_what, message, isRead) => {
    await using server = await liar((_client, socket, send) => {
      if (!isRead) socket.pause();
      const payload =
        message === 'ignore'
          ? Buffer.concat([Buffer.from([2]), text('')])
          : Buffer.concat([Buffer.from([80]), text('x'), Buffer.from([1])]);
      const more = (): void => {
        for (let count = 0; count < 500 && !socket.destroyed; count += 1) send(payload);
        if (socket.destroyed) return;
        if (socket.writableLength > MEGABYTE) socket.once('drain', more);
        else setImmediate(more);
      };
      more();
    });
    const tunnel = await tunnelTo(server.port, 'ada');
    const stream = await tunnel.open('127.0.0.1', echo.port, signal);
    const [error] = (await once(stream, 'error')) as unknown[];
    expect(error).toMatchObject({
      code: 'BAD_ANSWER',
      message: expect.stringContaining('more than it was asked for') as string,
    });
    await expect.poll(() => server.sockets.size).toBe(0);
  });

  it('gets no more data than it reads, whatever window it grants', async () => {
    await using server = await liar((client, socket) => {
      client.on('session', () => undefined);
      client.on('tcpip', (accept) => {
        const channel = accept();
        protocolOf(client).channelWindowAdjust(outgoingOf(channel), 0x7f_ff_ff_ff);
        setImmediate(() => socket.pause());
      });
    });
    const tunnel = await tunnelTo(server.port, 'ada');
    const stream = await tunnel.open('127.0.0.1', echo.port, signal);
    let written = 0;
    const isHeldBack = (): boolean => written < 128 * MEGABYTE && stream.writableLength > 0;
    const piece = Buffer.alloc(MEGABYTE);
    const writing = (async () => {
      while (written < 128 * MEGABYTE && !stream.destroyed) {
        if (!stream.write(piece)) await once(stream, 'drain');
        written += piece.length;
      }
    })().catch(() => undefined);
    await Promise.race([writing, sleep(5_000)]);
    expect(isHeldBack()).toBe(true);
    tunnel.release();
    await writing;
  });

  it('is left with its socket when it leaves its side open', async () => {
    await using sshd = await Sshd.start(keys, { hostKeys: [hostKey], authorized: personKey });
    const sockets = new Set<Socket>();
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => undefined);
      const far = connect(sshd.port, '127.0.0.1');
      far.on('error', () => undefined);
      far.on('data', (chunk) => socket.write(chunk));
      socket.on('data', (chunk) => far.write(chunk));
      // Data without an end is what shows that the other side is gone.
      const drip = setInterval(() => far.closed && socket.write('more'), 100);
      socket.on('close', () => {
        clearInterval(drip);
        far.destroy();
      });
      socket.on('end', () => far.end());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const tunnel = await tunnelTo((server.address() as AddressInfo).port, sshd.user, { close: 200 });
      await tunnel.ready(signal);
      expect(sockets.size).toBe(1);
      tunnel.release();
      await expect.poll(() => sockets.size).toBe(0);
    } finally {
      for (const socket of sockets) socket.destroy();
      server.close();
    }
  });
});

/** A server of the library that lets everyone in, and then lies. */
async function liar(
  lie: (client: ssh2.Connection, socket: Socket, send: (payload: Buffer) => void) => void,
): Promise<{ readonly port: number; readonly sockets: Set<Socket> } & AsyncDisposable> {
  const sockets = new Set<Socket>();
  const server = new ssh2.Server({ hostKeys: [readFileSync(hostKey)] }, (client) => {
    client.on('error', () => undefined);
    client.on('authentication', (context) => context.accept());
    const socket = Reflect.get(client, '_sock') as Socket;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    client.on('tcpip', (accept) => {
      if (client.listenerCount('tcpip') > 1) return;
      accept();
      setImmediate(() => lie(client, socket, (payload) => sendTo(client, payload)));
    });
    client.on('ready', () => {
      if (lie.length < 3) lie(client, socket, () => undefined);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', () => resolve()));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

interface Protocol {
  readonly _packetRW: {
    readonly write: { alloc(size: number): Buffer; readonly allocStart: number; finalize(packet: Buffer): Buffer };
  };
  readonly _cipher: { encrypt(packet: Buffer): void };
  channelWindowAdjust(channel: number, amount: number): void;
}

function protocolOf(client: ssh2.Connection): Protocol {
  return Reflect.get(client, '_protocol') as Protocol;
}

function outgoingOf(channel: object): number {
  return (Reflect.get(channel, 'outgoing') as { id: number }).id;
}

function sendTo(client: ssh2.Connection, payload: Buffer): void {
  const { _packetRW, _cipher } = protocolOf(client);
  const packet = _packetRW.write.alloc(payload.length);
  packet.set(payload, _packetRW.write.allocStart);
  _cipher.encrypt(_packetRW.write.finalize(packet));
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function text(value: string): Buffer {
  return Buffer.concat([number(value.length), Buffer.from(value)]);
}

function offerGroupExchange(socket: Socket, onMessage: (type: number) => void): void {
  const lists = [
    ...['diffie-hellman-group-exchange-sha256', 'ssh-ed25519', 'aes256-ctr', 'aes256-ctr', 'hmac-sha2-256', 'hmac-sha2-256'],
    ...['none', 'none', '', ''],
  ];
  const payload = Buffer.concat([Buffer.from([20]), randomBytes(16), ...lists.map(text), Buffer.alloc(5)]);
  const padding = 16 - ((5 + payload.length) % 8);
  socket.write('SSH-2.0-liar\r\n');
  socket.write(Buffer.concat([number(1 + payload.length + padding), Buffer.from([padding]), payload, Buffer.alloc(padding)]));
  let waiting: Buffer = Buffer.alloc(0);
  let isPastVersion = false;
  socket.on('data', (chunk: Buffer) => {
    waiting = Buffer.concat([waiting, chunk]);
    const end = waiting.indexOf('\n');
    if (!isPastVersion && end < 0) return;
    if (!isPastVersion) waiting = waiting.subarray(end + 1);
    isPastVersion = true;
    while (waiting.length >= 6 && waiting.length >= 4 + waiting.readUInt32BE(0)) {
      onMessage(waiting[5] ?? 0);
      waiting = waiting.subarray(4 + waiting.readUInt32BE(0));
    }
  });
}
