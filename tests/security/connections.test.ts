import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { ConnectionGuard } from '../../host/src/runtime/http/connectionGuard.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { BrowserTransport } from '../../host/src/web/browserTransport.ts';
import { WindowAccess } from '../../host/src/web/windowAccess.ts';
import { openRaw, readRaw, requestText, sendRaw } from '../support/rawHttp.ts';

const stack: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of stack.splice(0).toReversed()) await end();
});

/** Sockets that send a byte now and then and never a whole request, more than the server's limit. */
async function trickle(port: number, count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  const timer = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write('x');
  }, 20);
  stack.push(() => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
  });
  for (const socket of sockets) {
    socket.on('error', () => undefined);
    socket.write('POST /mcp HTTP/1.1\r\nx-slow: ');
  }
  for (const socket of sockets) if (socket.connecting) await once(socket, 'connect');
  return sockets;
}

async function mcp(limits: object): Promise<{ fixture: McpFixture; port: number; token: string }> {
  const fixture = new McpFixture({ limits });
  stack.push(() => fixture[Symbol.asyncDispose]());
  const { port } = await fixture.start();
  return { fixture, port, token: fixture.mint().text };
}

async function web(
  limits: object,
  handler = async () => Response.json({}),
): Promise<{ transport: BrowserTransport; port: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-connections-'));
  stack.push(() => rm(folder, { recursive: true, force: true }));
  const transport = await BrowserTransport.start({ rendererFolder: folder, logger: silentLogger, handler, limits });
  stack.push(() => transport[Symbol.asyncDispose]());
  return { transport, port: Number(new URL(transport.origin).port) };
}

const list = modernRequest('tools/call', { name: 'list_connections', arguments: {} });

describe('strangers', () => {
  it('cannot shut an MCP client out, however many they are and however slow', async () => {
    const { port, token } = await mcp({ connections: 8 });
    await trickle(port, 64);
    for (let call = 0; call < 5; call += 1) expect((await rawRequest(port, { token, ...list })).status).toBe(200);
  });

  it('cannot cut a call or a subscription', async () => {
    const { fixture, port, token } = await mcp({ connections: 4 });
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    fixture.session.gate = gate.promise;
    fixture.session.onBegin = begun.resolve;
    const call = rawRequest(port, {
      token,
      ...modernRequest('tools/call', { name: 'list_tables', arguments: { connection: 'Reading room' } }),
    });
    await begun.promise;
    const listen = modernRequest('subscriptions/listen', { notifications: { resourcesListChanged: true } }, 'sub');
    const stream = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        ...(listen.headers as Record<string, string>),
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
      },
      body: JSON.stringify(listen.body),
    });
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    await trickle(port, 64);
    expect((await rawRequest(port, { token, ...list })).status).toBe(200);
    gate.resolve();
    expect((await call).status).toBe(200);
    const next = reader.read();
    await fixture.server.stop();
    expect(new TextDecoder().decode((await next).value)).toContain('"id":"sub"');
  });

  it('cannot shut a window out', async () => {
    const { transport, port } = await web({ connections: 8 });
    const entered = await fetch(transport.newUrl('untilUsed'), { redirect: 'manual' });
    const headers = {
      host: `127.0.0.1:${port}`,
      origin: transport.origin,
      cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '',
    };
    await trickle(port, 64);
    for (let call = 0; call < 5; call += 1) {
      const path = entered.headers.get('location') ?? '';
      expect((await sendRaw(port, requestText(`POST ${path}api/x`, headers, '{}'))).status).toBe(200);
    }
  });

  it('are closed after a while, also where they keep sending', async () => {
    const { port } = await mcp({ strangerMilliseconds: 100, headersMilliseconds: 60_000 });
    const [socket] = await trickle(port, 1);
    if (socket?.closed === false) await new Promise((resolve) => socket.once('close', resolve));
  });

  it('are closed with the answer that refuses them', async () => {
    const { port } = await mcp({});
    const { body } = list;
    expect((await rawRequest(port, { body })).headers.connection).toBe('close');
    expect((await rawRequest(port, { body, token: 'tbm_wrong' })).headers.connection).toBe('close');
    expect((await rawRequest(port, { body, path: '/other' })).headers.connection).toBe('close');
  });

  it('become strangers again when their token is revoked', async () => {
    const { fixture, port, token } = await mcp({ strangerMilliseconds: 200 });
    const socket = await openRaw(port);
    const text = requestText(
      'POST /mcp',
      {
        ...(list.headers as Record<string, string>),
        host: `127.0.0.1:${port}`,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        connection: 'keep-alive',
      },
      JSON.stringify(list.body),
    );
    socket.write(text);
    await once(socket, 'data');
    for (const { id } of fixture.tokens.list()) fixture.tokens.revoke(id);
    if (!socket.destroyed) socket.write(text);
    expect((await readRaw(socket)).text).toMatch(/^$|401/);
  });
});

describe('clients that take too much', () => {
  it('are refused a further subscription, and keep those that they have; others get theirs', async () => {
    const { fixture, port, token } = await mcp({ subscriptionsPerPrincipal: 2 });
    const other = fixture.mint({ name: 'Other' }).text;
    const listen = async (bearer: string): Promise<Response> => {
      const { headers, body } = modernRequest('subscriptions/listen', { notifications: { resourcesListChanged: true } }, 'sub');
      return fetch(`http://127.0.0.1:${port}/mcp`, {
        method: 'POST',
        headers: {
          ...(headers as Record<string, string>),
          'content-type': 'application/json',
          authorization: `Bearer ${bearer}`,
        },
        body: JSON.stringify(body),
      });
    };
    const open = [await listen(token), await listen(token)];
    const third = await listen(token);
    expect([third.status, await third.text()]).toEqual([429, expect.stringContaining('2 subscriptions of this client are open')]);
    expect((await listen(other)).status).toBe(200);
    await fixture.server.stop();
    for (const stream of open) expect(await stream.text()).toContain('"id":"sub"');
  });

  it('lose their own idle connection to a newer client, and none in use', async () => {
    const server = createServer();
    const guard = new ConnectionGuard(server, { connections: 2, strangerMilliseconds: 10_000 }, () => undefined);
    server.on('request', (request, response) => {
      guard.trust(request.socket);
      if (request.url !== '/wait') response.end('done');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stack.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const ask = async (path: string): Promise<Socket> => {
      const socket = await openRaw(port);
      socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`);
      if (path === '/wait') await once(server, 'request');
      else await once(socket, 'data');
      return socket;
    };
    const busy = await ask('/wait');
    const idle = await ask('/');
    const closed = once(idle, 'close');
    const next = await ask('/wait');
    await closed;
    // Both are in use, so the newest is refused.
    expect((await readRaw(await openRaw(port))).text).toBe('');
    expect([busy.destroyed, next.destroyed]).toEqual([false, false]);
  });
});

describe('a window', () => {
  let now = 0;
  const enter = (access: WindowAccess): string | undefined => access.redeem(access.mintKey('untilUsed'))?.path;

  it('that is in use is never signed out for a further one', () => {
    const access = new WindowAccess(() => now);
    const paths = Array.from({ length: 64 }, () => enter(access) ?? '');
    const release = access.use(paths[0] ?? '');
    const key = access.mintKey('untilUsed');
    expect([access.isFull(), access.redeem(key)]).toEqual([true, undefined]);
    now += 5 * 60_000;
    // The first has a stream open. The second was unused for longest.
    const sixtyFifth = access.redeem(key);
    expect(sixtyFifth).toBeDefined();
    const alive = paths.map((path) => access.isOpen(path));
    expect(alive.indexOf(false)).toBe(1);
    expect(alive.filter((is) => !is)).toHaveLength(1);
    release();
  });

  it('beyond the limit is refused with a page that says so, and its key stays good', async () => {
    const { transport, port } = await web({});
    const enterBy = (url: string): Promise<Response> => fetch(url, { redirect: 'manual' });
    const first = await enterBy(transport.newUrl('tenMinutes'));
    for (let count = 1; count < 64; count += 1) await enterBy(transport.newUrl('tenMinutes'));
    const refused = await enterBy(transport.newUrl('tenMinutes'));
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('Too many windows are open')]);
    const cookie = first.headers.get('set-cookie')?.split(';')[0];
    const path = first.headers.get('location') ?? '';
    const asked = await sendRaw(
      port,
      requestText(`POST ${path}api/x`, { host: `127.0.0.1:${port}`, origin: transport.origin, cookie }, '{}'),
    );
    expect(asked.status).toBe(200);
  });
});

describe('a request with two of a header that decides', () => {
  const twice = (path: string, port: number, line: string): string =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${line}\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}`;
  const again = (name: string, first: string, second: string): string => `${name}: ${first}\r\n${name.toUpperCase()}: ${second}`;

  it.each([
    ['/mcp', 'Host: evil.example'],
    ['/other', 'Host: evil.example'],
    ['/mcp', again('Origin', 'http://localhost:1', 'https://evil.example')],
    ['/mcp', again('Authorization', 'Bearer a', 'Bearer b')],
    ['/mcp', again('Content-Type', 'application/json', 'text/plain')],
    ['/mcp', again('Mcp-Session-Id', 'a', 'a')],
    ['/mcp', again('MCP-Protocol-Version', '2025-11-25', '2026-07-28')],
    ['/mcp', again('Mcp-Method', 'ping', 'tools/call')],
    ['/mcp', again('Mcp-Name', 'list_connections', 'execute_query')],
  ])('is refused by the MCP server at %s: %j', async (path, lines) => {
    const { port } = await mcp({});
    expect((await sendRaw(port, twice(path, port, lines))).status).toBe(400);
  });

  it.each([
    'Host: evil.example',
    again('Origin', 'http://localhost:1', 'https://evil.example'),
    again('Cookie', 'a=b', 'c=d'),
    again('Sec-Fetch-Site', 'none', 'cross-site'),
  ])('is refused by the window: %j', async (lines) => {
    const { port } = await web({});
    expect((await sendRaw(port, twice('/', port, lines))).status).toBe(400);
  });
});

it('a server without file descriptors continues, and reports it once a minute', async () => {
  const errors: Error[] = [];
  const server = createServer();
  new ConnectionGuard(server, { connections: 2, strangerMilliseconds: 1_000 }, (error) => errors.push(error));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  for (let count = 0; count < 100; count += 1) server.emit('error', new Error('accept EMFILE'));
  expect(errors).toHaveLength(1);
  await new Promise((resolve) => server.close(resolve));
});
