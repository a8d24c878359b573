import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { DriverError } from '@tabularium/sdk';
import { OK, RawServer, TEST_KEY, testBody, testGrant, testRequest, textOf } from './broker.test-helper.ts';
import { HttpBroker } from './httpBroker.ts';
import type { BrokerResponse } from './brokerResponse.ts';

const MEGABYTE = 1024 * 1024;
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function brokerAt(port: number, timeoutMilliseconds = 5_000, host = '127.0.0.1'): HttpBroker {
  const broker = new HttpBroker(testGrant({ port, host }, { timeoutMilliseconds }));
  closers.push(() => broker.close());
  return broker;
}

async function rawServer(...on: ConstructorParameters<typeof RawServer>): Promise<{ server: RawServer; port: number }> {
  const server = new RawServer(...on);
  closers.push(() => server.close());
  return { server, port: await server.listen() };
}

async function read(response: Promise<BrokerResponse>): Promise<string> {
  return textOf((await response).body);
}

describe('a request', () => {
  it('goes out as it is, with the credential and without being normalised', async () => {
    const { server, port } = await rawServer((socket) => socket.write(OK));
    const broker = brokerAt(port);
    const path = '/a/../../b/./%2e%2e/%2F?q=//x/../"<>^`{|}\'';
    expect(
      await read(
        broker.request(
          testRequest({ method: 'POST', path, headers: { 'X-Own': 'yes' }, body: testBody(Buffer.from('abc')), bodyBytes: 3 }),
        ),
      ),
    ).toBe('ok');
    expect(server.received[0]?.split('\r\n')[0]).toBe(`POST ${path} HTTP/1.1`);
    expect(server.received[0]).toContain(`x-test-key: ${TEST_KEY}\r\n`);
    expect(server.received[0]).toContain('x-own: yes\r\n');
    expect(server.received[0]).toContain('content-length: 3\r\n');
    expect(server.received[0]).toContain(`host: 127.0.0.1:${port}\r\n`);
    expect(server.received[0]).toMatch(/abc$/);
  });

  it('reaches an IPv6 address', async () => {
    const server = new RawServer((socket) => socket.write(OK));
    closers.push(() => server.close());
    const port = await server.listen('::1');
    expect(await read(brokerAt(port, 5_000, '::1').request(testRequest()))).toBe('ok');
    expect(server.received[0]).toContain(`host: [::1]:${port}\r\n`);
  });

  it('keeps its connection for the next one, and opens several for several', async () => {
    const { server, port } = await rawServer((socket) => socket.write(OK));
    const broker = brokerAt(port);
    for (let round = 0; round < 5; round += 1) await read(broker.request(testRequest()));
    expect(server.sockets).toHaveLength(1);
    await Promise.all(Array.from({ length: 20 }, () => read(broker.request(testRequest()))));
    expect(server.sockets.length).toBeLessThanOrEqual(8);
  });

  it('streams a long body with its length, and one of unknown length in chunks', async () => {
    const lengths: string[] = [];
    const server = createServer((request, response) => {
      lengths.push(request.headers['content-length'] ?? 'chunked');
      let bytes = 0;
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.on('end', () => response.end(String(bytes)));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => server.close());
    const broker = brokerAt((server.address() as AddressInfo).port);
    const chunks = Array.from({ length: 30 }, () => Buffer.alloc(100_000));
    const send = (bodyBytes: number | undefined): Promise<string> =>
      read(broker.request(testRequest({ method: 'POST', body: testBody(...chunks), bodyBytes })));
    expect(await send(3_000_000)).toBe('3000000');
    expect(await send(undefined)).toBe('3000000');
    expect(lengths).toEqual(['3000000', 'chunked']);
    await expect(send(2_999_999)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });

  it('returns a redirect without following it', async () => {
    const target = await rawServer((socket) => socket.write(OK));
    const { port } = await rawServer((socket) =>
      socket.write(`HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${target.port}/\r\ncontent-length: 0\r\n\r\n`),
    );
    const response = await brokerAt(port).request(testRequest());
    expect(response.status).toBe(302);
    expect(response.headers['location']).toBe(`http://127.0.0.1:${target.port}/`);
    await textOf(response.body);
    expect(target.server.sockets).toHaveLength(0);
  });

  it('joins repeated headers, and leaves out what repeats a credential or belongs to one hop', async () => {
    const { port } = await rawServer((socket) =>
      socket.write(
        `HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nX-Two: a\r\nX-Two: b\r\nX-Echo: key=${TEST_KEY};\r\nX-Hex: ${Buffer.from(TEST_KEY).toString('hex')}\r\nX-Basic: ${Buffer.from(`user:${TEST_KEY}`).toString('base64')}\r\nX-Kept: c\r\nContent-Length: 0\r\n\r\n`,
      ),
    );
    const { headers, body } = await brokerAt(port).request(testRequest());
    expect(headers).toEqual({ 'x-two': 'a, b', 'x-kept': 'c', 'content-length': '0' });
    await textOf(body);
  });
});

describe('what is refused before anything is sent', () => {
  it.each([
    'http://evil.example/',
    '//evil.example/',
    '/a//b',
    '\\\\evil.example\\',
    '/a\\b',
    '/a b',
    '/a\r\nHost: evil.example',
    '/a\nx',
    '/a#b',
    '/ä',
    '/\u0000',
    '/\u007f',
    '*',
    '',
    'evil.example:80',
    `/${'x'.repeat(16_384)}`,
  ])('the path %j', async (path) => {
    const { server, port } = await rawServer((socket) => socket.write(OK));
    await expect(brokerAt(port).request(testRequest({ path }))).rejects.toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(server.sockets).toHaveLength(0);
  });

  it.each<Record<string, string>>([
    { Host: 'evil.example' },
    { 'X-Test-Key': 'another' },
    { 'x-test-key': '' },
    { Connection: 'upgrade' },
    { 'Content-Length': '5' },
    { 'Transfer-Encoding': 'chunked' },
    { TE: 'trailers' },
    { Upgrade: 'h2c' },
    { 'Keep-Alive': 'x' },
    { Expect: '100-continue' },
    { 'Proxy-Authorization': 'x' },
    { 'x-a': 'b\r\nHost: evil.example' },
    { 'x-a\r\nHost': 'evil.example' },
    { 'x a': 'b' },
    { ':authority': 'evil.example' },
    { 'x-a': 'b\u0100' },
    { 'x-a': '1', 'X-A': '2' },
  ])('the headers %j', async (headers) => {
    const { server, port } = await rawServer((socket) => socket.write(OK));
    await expect(brokerAt(port).request(testRequest({ headers }))).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    expect(server.sockets).toHaveLength(0);
  });
});

describe('a connection that breaks', () => {
  /** Answers the first request of a connection and resets at the second. */
  const resetsWhenReused = (): Promise<{ server: RawServer; port: number }> =>
    rawServer((socket, _connection, _request, count) => {
      if (count === 1) socket.write(OK);
      else socket.resetAndDestroy();
    });

  it('is opened again once for a read on a reused connection', async () => {
    const { server, port } = await resetsWhenReused();
    const broker = brokerAt(port);
    await read(broker.request(testRequest()));
    const again = testRequest({ method: 'POST', repeatable: true, body: testBody(Buffer.from('abc')), bodyBytes: 3 });
    expect(await read(broker.request(again))).toBe('ok');
    expect(server.sockets).toHaveLength(2);
    expect(server.received[1]).toMatch(/abc$/);
  });

  it('is never opened again for a write, or for a body that cannot be sent twice', async () => {
    const { server, port } = await resetsWhenReused();
    const broker = brokerAt(port);
    await read(broker.request(testRequest()));
    await expect(broker.request(testRequest({ method: 'POST' }))).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    await read(broker.request(testRequest()));
    const streamed = testRequest({ method: 'POST', repeatable: true, body: testBody(Buffer.from('abc')) });
    await expect(broker.request(streamed)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect(server.sockets).toHaveLength(2);
  });

  it('is not opened again when it was new, or when the answer had begun', async () => {
    const first = await rawServer((socket) => socket.resetAndDestroy());
    await expect(brokerAt(first.port).request(testRequest({ repeatable: true }))).rejects.toMatchObject({
      code: 'CONNECTION_LOST',
    });
    expect(first.server.sockets).toHaveLength(1);

    const second = await rawServer((socket, _connection, _request, count) => {
      if (count === 1) socket.write(OK);
      else socket.write('HTTP/1.1 200 OK\r\n', () => socket.end());
    });
    const broker = brokerAt(second.port);
    await read(broker.request(testRequest()));
    await expect(broker.request(testRequest({ repeatable: true }))).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect(second.server.sockets).toHaveLength(1);
  });

  it('gives a late reader what the server sent before it broke the response off', async () => {
    const { server, port } = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
      socket.write(`30d40\r\n${'x'.repeat(200_000)}\r\n`);
      setTimeout(() => socket.resetAndDestroy(), 100);
    });
    const { body } = await brokerAt(port).request(testRequest());
    await expect.poll(() => server.sockets.every((socket) => socket.destroyed)).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 100));
    let bytes = 0;
    const reading = (async () => {
      for await (const chunk of body) bytes += chunk.length;
    })();
    await expect(reading).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
    expect(bytes).toBe(200_000);
  });

  it('reports a failure in the middle of a response', async () => {
    const { port } = await rawServer((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', () => setImmediate(() => socket.resetAndDestroy()));
    });
    const response = await brokerAt(port).request(testRequest());
    await expect(textOf(response.body)).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  });
});

describe('what went wrong has a name', () => {
  it('nothing listens', async () => {
    const server = new RawServer(() => undefined);
    const port = await server.listen();
    await server.close();
    await expect(brokerAt(port).request(testRequest())).rejects.toMatchObject({
      code: 'CONNECTION_REFUSED',
      message: `Nothing is listening at 127.0.0.1:${port}.`,
    });
  });

  it('the host name is not known', async () => {
    await expect(brokerAt(80, 5_000, 'no-such-host.invalid').request(testRequest())).rejects.toMatchObject({
      code: 'HOST_NOT_FOUND',
    });
  });

  it('the server does not answer in time, though it may take a body for long', async () => {
    const { port } = await rawServer(() => undefined);
    await expect(brokerAt(port, 100).request(testRequest())).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: `127.0.0.1:${port} did not answer within 0.1 s.`,
    });
    await expect(brokerAt(port, 60_000).request(testRequest({ timeoutMilliseconds: 50 }))).rejects.toMatchObject({
      code: 'TIMEOUT',
    });
  });

  it('the server takes the connection and says nothing, or stops in the middle of its answer', async () => {
    const { port } = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'));
    const silent = new HttpBroker(testGrant({ scheme: 'https', port }, { tls: { verification: 'none' } }), {
      connect: 100,
      bodyIdle: 100,
      bodyWindow: 60_000,
    });
    const halting = new HttpBroker(testGrant({ port }), { connect: 100, bodyIdle: 100, bodyWindow: 60_000 });
    closers.push(
      () => silent.close(),
      () => halting.close(),
    );
    await expect(silent.request(testRequest())).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: `127.0.0.1:${port} did not accept the connection in time.`,
    });
    await expect(read(halting.request(testRequest()))).rejects.toMatchObject({
      code: 'TIMEOUT',
      message: `127.0.0.1:${port} stopped in the middle of its answer.`,
    });
  });

  it('the server speaks no HTTP', async () => {
    const { port } = await rawServer((socket) => socket.write('SSH-2.0-OpenSSH\r\n'));
    await expect(brokerAt(port).request(testRequest())).rejects.toMatchObject({ code: 'BAD_ANSWER' });
  });

  it('and the name never holds the key', async () => {
    const { port } = await rawServer((socket) => socket.write(`HTTP/1.1 200 ${TEST_KEY}\r\n${TEST_KEY}\r\n\r\n`));
    const error = await brokerAt(port)
      .request(testRequest())
      .then(
        () => undefined,
        (reason: unknown) => reason,
      );
    expect(error).toBeInstanceOf(DriverError);
    const all = JSON.stringify([
      error,
      (error as DriverError).message,
      (error as DriverError).details,
      String((error as DriverError).stack),
    ]);
    expect(all).not.toContain(TEST_KEY);
  });
});

describe('an end from either side', () => {
  it('closes the connection when the driver cancels, before the answer and in the middle of it', async () => {
    const { server, port } = await rawServer((socket, connection) => {
      if (connection === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf');
    });
    const broker = brokerAt(port);
    const first = new AbortController();
    const waiting = broker.request(testRequest({ signal: first.signal }));
    await expect.poll(() => server.received[0]).toMatch(/\r\n\r\n$/);
    const closed = once(server.sockets[0] ?? fail(), 'close');
    first.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    await closed;

    const second = new AbortController();
    const response = await broker.request(testRequest({ signal: second.signal }));
    const alsoClosed = once(server.sockets[1] ?? fail(), 'close');
    const reading = textOf(response.body);
    second.abort();
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
    await alsoClosed;
  });

  it('closes the connection when the reader stops and when the session ends', async () => {
    const { server, port } = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'));
    const broker = brokerAt(port);
    const response = await broker.request(testRequest());
    for await (const chunk of response.body) {
      expect(chunk).toHaveLength(4);
      break;
    }
    await expect.poll(() => server.sockets[0]?.destroyed).toBe(true);
    const open = broker.request(testRequest());
    await open;
    await broker.close();
    await expect.poll(() => server.sockets[1]?.destroyed).toBe(true);
    await expect(broker.request(testRequest())).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('stops an upload when the server has had enough', async () => {
    const { port } = await rawServer((socket) =>
      socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    );
    let stopped = false;
    const endless = {
      async *[Symbol.asyncIterator]() {
        try {
          for (;;) {
            yield Buffer.alloc(100_000);
            await new Promise((resolve) => setImmediate(resolve));
          }
        } finally {
          stopped = true;
        }
      },
      collect: () => Promise.reject(new Error('endless')),
    };
    const answer = await brokerAt(port)
      .request(testRequest({ method: 'POST', body: endless }))
      .then(
        ({ status }) => status,
        (error: unknown) => (error as DriverError).code,
      );
    // Whether the answer comes through before the reset is the kernel's choice.
    expect([413, 'CONNECTION_LOST']).toContain(answer);
    await expect.poll(() => stopped).toBe(true);
  });
});

describe('a slow reader', () => {
  it('makes the server wait', async () => {
    let written = 0;
    const server = createServer((_request, response) => {
      const chunk = Buffer.alloc(256 * 1024);
      const more = (): void => {
        while (written < 200 * MEGABYTE) {
          written += chunk.length;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
        response.end();
      };
      more();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    closers.push(async () => {
      server.closeAllConnections();
      server.close();
    });
    const response = await brokerAt((server.address() as AddressInfo).port).request(testRequest());
    // The bytes that the server could write once it waits: buffers of both sockets, and a queue of a quarter of a megabyte here.
    let last = -1;
    await expect
      .poll(
        () => {
          const still = written === last;
          last = written;
          return still;
        },
        { interval: 100 },
      )
      .toBe(true);
    expect(written).toBeLessThan(12 * MEGABYTE);
    let read = 0;
    for await (const chunk of response.body) read += chunk.length;
    expect(read).toBe(200 * MEGABYTE);
  });
});

function fail(): never {
  throw new Error('There is no such connection.');
}
