import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestHttp } from './testHttp.ts';
import type { TestHttp, TestHttpOptions } from './testHttp.ts';

let server: Server | undefined;
let http: TestHttp | undefined;

afterEach(async () => {
  http?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve));
});

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  options?: TestHttpOptions,
): Promise<TestHttp> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  http = createTestHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
  return http;
}

describe('the http capability for tests', () => {
  it('sends the path as it is, with the credentials, and streams both ways', async () => {
    const seen: unknown[] = [];
    const client = await serve(
      (request, response) => {
        seen.push(request.url, request.headers['x-key'], request.headers['content-type']);
        response.writeHead(201, { 'x-twice': ['a', 'b'] });
        request.pipe(response);
      },
      { credentials: { 'X-Key': 'secret' } },
    );
    const body = (async function* () {
      yield new TextEncoder().encode('one ');
      yield new TextEncoder().encode('zwei ö');
    })();
    const response = await client.request({
      method: 'POST',
      path: '/a/%2E%2E/b?c=d',
      headers: { 'content-type': 'text/x' },
      body,
    });
    expect(response).toMatchObject({ status: 201, headers: { 'x-twice': 'a, b' } });
    expect(await response.text()).toBe('one zwei ö');
    expect(seen).toEqual(['/a/%2E%2E/b?c=d', 'secret', 'text/x']);
    expect(client.requests).toHaveLength(1);
  });

  it.each(['//evil.example', 'http://evil.example', 'x', '/a b', '/a\\b', '/ö', '/a\nb', ''])(
    'refuses the path %j, as the host does',
    async (path) => {
      const client = await serve((_request, response) => response.end());
      await expect(client.request({ method: 'GET', path })).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
      expect(client.requests).toEqual([]);
    },
  );

  it.each(['host', 'Content-Length', 'X-KEY'])('refuses the header %s', async (name) => {
    const client = await serve((_request, response) => response.end(), { credentials: { 'x-key': 'secret' } });
    await expect(client.request({ method: 'GET', path: '/', headers: { [name]: '1' } })).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
  });

  it('ends in CANCELLED before, during and after the head', async () => {
    const client = await serve((request, response) => {
      if (request.url === '/slow') return;
      response.writeHead(200);
      response.write('begun');
    });
    await expect(client.request({ method: 'GET', path: '/', signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    const controller = new AbortController();
    const waiting = client.request({ method: 'GET', path: '/slow', signal: controller.signal });
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    const reading = new AbortController();
    const response = await client.request({ method: 'GET', path: '/', signal: reading.signal });
    const text = response.text();
    reading.abort();
    await expect(text).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('ends in TIMEOUT when no head comes, in TOO_LARGE when too much does', async () => {
    const client = await serve((request, response) => {
      if (request.url === '/large') response.end('x'.repeat(100));
    });
    await expect(client.request({ method: 'GET', path: '/', timeoutMilliseconds: 20 })).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
    const response = await client.request({ method: 'GET', path: '/large' });
    await expect(response.text(99)).rejects.toMatchObject({ code: 'TOO_LARGE' });
  });

  it('repeats a broken request once where that does no harm, and no other', async () => {
    let count = 0;
    const client = await serve((request, response) => {
      count += 1;
      if (count === 1) request.socket.destroy();
      else response.end('second');
    });
    expect(await (await client.request({ method: 'GET', path: '/', repeatable: true })).text()).toBe('second');
    count = 0;
    await expect(client.request({ method: 'POST', path: '/' })).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });

  it('reports a missing server', async () => {
    const client = await serve((_request, response) => response.end());
    await new Promise((resolve) => server?.close(resolve));
    await expect(client.request({ method: 'GET', path: '/' })).rejects.toMatchObject({ code: 'CONNECTION_REFUSED' });
  });

  it('can be left before the body ends', async () => {
    const client = await serve((_request, response) => {
      response.write('begun');
    });
    const response = await client.request({ method: 'GET', path: '/' });
    for await (const chunk of response.body) {
      expect(new TextDecoder().decode(chunk)).toBe('begun');
      break;
    }
    await (await client.request({ method: 'GET', path: '/' })).discard();
  });
});

describe('its further origins', () => {
  it('get their own credentials, and are refused as the host refuses them', async () => {
    const seen: unknown[] = [];
    const other = createServer((request, response) => {
      seen.push([request.url, request.headers['x-key'], request.headers['x-other']]);
      response.end('other');
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const client = await serve((_request, response) => response.end('first'), {
      credentials: { 'X-Key': 'secret' },
      origins: { boards: { origin: `http://127.0.0.1:${port}`, credentials: { 'X-Other': 'other secret' } }, stats: {} },
    });
    expect(client.origins).toEqual([{ id: 'boards', address: `127.0.0.1:${port}` }, { id: 'stats' }]);
    const answer = await client.request({ method: 'GET', path: '/b', origin: 'boards' });
    expect([await answer.text(), answer.node]).toEqual(['other', undefined]);
    expect(await (await client.request({ method: 'GET', path: '/' })).text()).toBe('first');
    expect(seen).toEqual([['/b', undefined, 'other secret']]);

    const refusal = (more: object) => client.request({ method: 'GET', path: '/', ...more }).catch((error: unknown) => error);
    expect(await refusal({ origin: 'evil' })).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await refusal({ origin: '__proto__' })).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await refusal({ origin: 'stats' })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await refusal({ origin: 'boards', node: 0 })).toMatchObject({ code: 'INVALID_INPUT' });
    expect(await refusal({ origin: 'boards', headers: { 'x-key': 'mine' } })).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(seen).toHaveLength(1);
    other.closeAllConnections();
    other.close();
  });
});
