import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import ssh2 from 'ssh2';
import type { Connection } from 'ssh2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SettingsValues } from '../../host/src/common/connection.ts';
import { HttpBroker } from '../../host/src/runtime/drivers/broker/httpBroker.ts';
import { HttpGrant } from '../../host/src/runtime/drivers/broker/httpGrant.ts';
import { sealedFor, testSender } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import { testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import type { HostKeys } from '../../host/src/runtime/drivers/tunnels/hostKeys.ts';
import { UnknownHostKeyError } from '../../host/src/runtime/drivers/tunnels/hostKeys.ts';
import type { Tunnel } from '../../host/src/runtime/drivers/broker/tunnel.ts';
import { Tunnels } from '../../host/src/runtime/drivers/tunnels/tunnels.ts';
import { hostKeysFor } from '../../host/src/runtime/drivers/tunnels/tunnels.test-helper.ts';
import { RawServer, SshKeys } from './sshServers.ts';

// The ways to a server below any driver: SOCKS proxies that lie, and SSH servers of our own that do what a real one does not.

const NEVER = new AbortController().signal;
const manifest = testManifest({
  connection: {
    fields: [
      { id: 'host', label: 'Host', type: 'text' },
      { id: 'port', label: 'Port', type: 'number' },
      { id: 'mode', label: 'SSL', type: 'select', options: [{ value: 'off', label: 'Off' }], default: 'off' },
    ],
  },
  permissions: {
    socket: {
      endpoint: {
        host: { field: 'host', whenEmpty: 'localhost' },
        port: { field: 'port', whenEmpty: 1 },
        scheme: { field: 'mode', plainValues: ['off'] },
      },
      via: ['ssh', 'socks'],
    },
  },
});

async function tunnelFor(
  settings: SettingsValues,
  secrets: Readonly<Record<string, string>> = {},
  hostKeys: HostKeys = hostKeysFor(),
): Promise<Tunnel> {
  const driver = testSender(manifest);
  const tunnel = await new Tunnels(hostKeys, {}, { connect: 5_000 }).for(driver, settings, sealedFor(driver, settings, secrets));
  if (tunnel === undefined) throw new Error('There is no tunnel.');
  tunnel.hold();
  return tunnel;
}

const throughSocks = (port: number, more: SettingsValues = {}): SettingsValues => ({
  'connect.through': 'socks',
  'socks.host': '127.0.0.1',
  'socks.port': port,
  ...more,
});

let echo: RawServer;
beforeAll(async () => {
  echo = await RawServer.start((socket) => socket.on('data', (chunk) => socket.write(`${chunk.toString('latin1')} back`)));
});
afterAll(async () => {
  await echo[Symbol.asyncDispose]();
});

/** A SOCKS5 proxy as RFC 1928 has it; what it is asked for is in `asked`. */
function socksProxy(asked: string[], signIn?: { readonly user: string; readonly password: string }): (socket: Socket) => void {
  return (socket) => {
    let stage: 'methods' | 'signIn' | 'request' | 'open' = 'methods';
    socket.on('data', (chunk: Buffer) => {
      if (stage === 'methods') {
        stage = signIn === undefined ? 'request' : 'signIn';
        socket.write(Buffer.from([5, signIn === undefined ? 0 : chunk.subarray(2).includes(2) ? 2 : 255]));
      } else if (stage === 'signIn') {
        stage = 'request';
        const user = chunk.subarray(2, 2 + (chunk[1] ?? 0)).toString();
        const password = chunk.subarray(3 + (chunk[1] ?? 0)).toString();
        socket.write(Buffer.from([1, user === signIn?.user && password === signIn?.password ? 0 : 1]));
      } else if (stage === 'request') {
        stage = 'open';
        const host = chunk[3] === 3 ? chunk.subarray(5, -2).toString() : `bytes ${chunk.subarray(4, -2).toString('hex')}`;
        const port = chunk.readUInt16BE(chunk.length - 2);
        asked.push(`${host}:${port}`);
        const far = connect(port, '127.0.0.1');
        far.on('error', () => socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])));
        far.on('connect', () => {
          // With the first bytes of the server in the same packet.
          socket.write(
            Buffer.concat([Buffer.from([5, 0, 0, 3, 4]), Buffer.from('name'), Buffer.from([0, 1]), Buffer.from('early ')]),
          );
          socket.pipe(far).pipe(socket);
        });
        socket.on('close', () => far.destroy());
      }
    });
  };
}

async function talk(tunnel: Tunnel, host: string, port: number, text: string): Promise<string> {
  const stream = await tunnel.open(host, port, NEVER);
  stream.write(text);
  let heard = '';
  for await (const chunk of stream) {
    heard += String(chunk);
    if (heard.endsWith('back')) break;
  }
  return heard;
}

describe('a SOCKS proxy', () => {
  it('gets the name of the server as it is, and loses none of its first bytes', async () => {
    const asked: string[] = [];
    await using proxy = await RawServer.start(socksProxy(asked));
    const tunnel = await tunnelFor(throughSocks(proxy.port));
    expect(await talk(tunnel, 'only.the.proxy.example', echo.port, 'hello')).toBe('early hello back');
    expect(await talk(tunnel, '::1', echo.port, 'six')).toBe('early six back');
    expect(asked).toEqual([`only.the.proxy.example:${echo.port}`, `bytes ${'0'.repeat(31)}1:${echo.port}`]);
    tunnel.release();
  });

  it('gets user and password where the form has them, and has an error of its own when it rejects them', async () => {
    await using proxy = await RawServer.start(socksProxy([], { user: 'ada', password: 'secret' }));
    const settings = throughSocks(proxy.port, { 'socks.user': 'ada' });
    const tunnel = await tunnelFor(settings, { 'socks.password': 'secret' });
    expect(await talk(tunnel, 'db', echo.port, 'hello')).toBe('early hello back');
    const wrong = await tunnelFor(settings, { 'socks.password': 'wrong' });
    await expect(wrong.open('db', echo.port, NEVER)).rejects.toMatchObject({
      code: 'ACCESS_REFUSED',
      details: { field: 'socks.password' },
    });
    const none = await tunnelFor(throughSocks(proxy.port));
    await expect(none.open('db', echo.port, NEVER)).rejects.toMatchObject({ details: { field: 'socks.user' } });
  });

  it.each([
    ['is none', 'HTTP/1.1 400 Bad Request\r\n\r\n', 'BAD_ANSWER'],
    ['is one of version 4', Buffer.from([0, 90, 0, 0, 0, 0, 0, 0]), 'BAD_ANSWER'],
    ['chooses a method that was not offered', Buffer.from([5, 1]), 'BAD_ANSWER'],
    ['asks for a password that there is none of', Buffer.from([5, 2]), 'BAD_ANSWER'],
    ['answers with an address of no kind', Buffer.from([5, 0, 5, 0, 0, 9]), 'BAD_ANSWER'],
    ['ends in the middle of its answer', Buffer.from([5, 0, 5, 0, 0, 3, 200, 1]), 'CONNECTION_LOST'],
    ['reaches nothing', Buffer.from([5, 0, 5, 5, 0, 1]), 'CONNECTION_REFUSED'],
    ['answers at too great length', Buffer.alloc(4 * 1024 * 1024, 7), 'BAD_ANSWER'],
  ])('is refused when it %s', async (_what, answer, code) => {
    await using proxy = await RawServer.start((socket) => socket.end(answer));
    const tunnel = await tunnelFor(throughSocks(proxy.port));
    await expect(tunnel.open('db', 5432, NEVER)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`127.0.0.1:${proxy.port}`) as string,
    });
    await expect.poll(() => proxy.sockets.size).toBe(0);
  });

  it('that hangs is left when the time is up', async () => {
    await using proxy = await RawServer.start(() => undefined);
    const tunnel = await tunnelFor(throughSocks(proxy.port));
    await expect(tunnel.open('db', 5432, AbortSignal.timeout(200))).rejects.toThrow();
    await expect.poll(() => proxy.sockets.size).toBe(0);
  });
});

describe('HTTP through a tunnel', () => {
  it('goes to the origin of the grant, over connections that are used again', async () => {
    const asked: string[] = [];
    await using proxy = await RawServer.start(socksProxyWithoutEarlyBytes(asked));
    const server = createServer((request, response) => response.end(`${request.headers.host} ${request.url}`)).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const broker = new HttpBroker(
      new HttpGrant({
        origin: { scheme: 'http', host: 'search.internal', port, pathPrefix: '' },
        timeoutMilliseconds: 5_000,
        credentialHeaders: [],
        credentials: [],
        tunnel: await tunnelFor(throughSocks(proxy.port)),
      }),
    );
    try {
      for (const path of ['/one', '/two']) {
        const { body, status } = await broker.request({ method: 'GET', path, headers: {}, repeatable: true, signal: NEVER });
        const text = Buffer.concat(await Array.fromAsync(body)).toString();
        expect([status, text]).toEqual([200, `search.internal:${port} ${path}`]);
      }
      expect(asked).toEqual([`search.internal:${port}`]);
    } finally {
      await broker.close();
      server.closeAllConnections();
      server.close();
    }
  });

  function socksProxyWithoutEarlyBytes(asked: string[]): (socket: Socket) => void {
    return (socket) => {
      socket.once('data', () => {
        socket.write(Buffer.from([5, 0]));
        socket.once('data', (chunk: Buffer) => {
          const port = chunk.readUInt16BE(chunk.length - 2);
          asked.push(`${chunk.subarray(5, -2).toString()}:${port}`);
          const far = connect(port, '127.0.0.1');
          far.on('error', () => socket.destroy());
          socket.on('close', () => far.destroy());
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
          socket.pipe(far).pipe(socket);
        });
      });
    };
  }
});

describe('an SSH server of our own', () => {
  let keys: SshKeys;
  beforeAll(() => {
    keys = new SshKeys();
    keys.make('host');
  });
  afterAll(() => keys[Symbol.dispose]());

  async function serve(use: (client: Connection) => void): Promise<{ readonly port: number; close(): void }> {
    const server = new ssh2.Server({ hostKeys: [readFileSync(`${keys.folder}/host`)] }, (client) => {
      client.on('error', () => undefined);
      use(client);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return { port: typeof address === 'object' && address !== null ? Number(address.port) : 0, close: () => server.close() };
  }

  async function trusted(port: number, secrets: Readonly<Record<string, string>>): Promise<Tunnel> {
    const hostKeys = hostKeysFor();
    const settings = {
      'connect.through': 'ssh',
      'ssh.host': '127.0.0.1',
      'ssh.port': port,
      'ssh.user': 'ada',
      'ssh.signIn': 'password',
    };
    const first = await tunnelFor(settings, secrets, hostKeys);
    const asked = await first.ready(NEVER).catch((error: unknown) => error);
    expect(asked).toBeInstanceOf(UnknownHostKeyError);
    if (asked instanceof UnknownHostKeyError) hostKeys.accept(asked.question.code);
    return tunnelFor(settings, secrets, hostKeys);
  }

  it('gets the password, by either method, once its key is accepted and not before', async () => {
    for (const method of ['password', 'keyboard-interactive'] as const) {
      const heard: string[] = [];
      const server = await serve((client) => {
        client.on('authentication', (context) => {
          if (context.method !== method) return context.reject([method]);
          if (context.method === 'password') {
            heard.push(context.password);
            return context.password === 'hunter22' ? context.accept() : context.reject();
          }
          if (context.method === 'keyboard-interactive')
            context.prompt([{ prompt: 'Password:', echo: false }], (answers) => {
              heard.push(...answers);
              if (answers[0] === 'hunter22') context.accept();
              else context.reject();
            });
        });
      });
      const tunnel = await trusted(server.port, { 'ssh.password': 'hunter22' });
      expect(heard).toEqual([]);
      await tunnel.ready(NEVER);
      expect(heard).toEqual(['hunter22']);
      tunnel.release();
      const wrong = await trusted(server.port, { 'ssh.password': 'wrong' });
      await expect(wrong.ready(NEVER)).rejects.toMatchObject({ code: 'ACCESS_REFUSED', details: { field: 'ssh.password' } });
      server.close();
    }
  });

  it('ends streams with its name when it goes away without an error', async () => {
    const clients: Connection[] = [];
    const server = await serve((client) => {
      clients.push(client);
      client.on('authentication', (context) => context.accept());
      client.on('ready', () => client.on('tcpip', (accept) => void accept().write('hello')));
    });
    const tunnel = await trusted(server.port, { 'ssh.password': 'x' });
    const stream = await tunnel.open('db', 5432, NEVER);
    const heard: string[] = [];
    const ended = (async () => {
      for await (const chunk of stream) {
        heard.push(String(chunk));
        for (const client of clients) (client as unknown as { _sock: Socket })._sock.destroy();
      }
    })();
    await expect(ended).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
      message: `The connection to the SSH server 127.0.0.1:${server.port} was lost.`,
    });
    expect(heard).toEqual(['hello']);
    server.close();
  });
});
