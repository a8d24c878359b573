import { once } from 'node:events';
import { createServer, request as nodeRequest } from 'node:http';
import type { IncomingMessage, OutgoingHttpHeaders, Server, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { BodyTooLarge, goneSignal, sendAndClose, sendAnswer, sendInstead, serveFetch, toRequest } from './fetchAdapter.ts';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
  server = undefined;
});

type Listener = (request: IncomingMessage, response: ServerResponse) => unknown;

async function listen(listener: Listener): Promise<number> {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

interface Asked {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string;
}

/** The whole answer, with each part as it came. `error` where the connection was cut. */
async function ask(port: number, { method = 'POST', headers = {}, body }: Asked = {}) {
  const sent = nodeRequest({ host: '127.0.0.1', port, method, headers, agent: false });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const parts: string[] = [];
  let error: unknown;
  try {
    for await (const part of answer) parts.push(String(part));
  } catch (caught) {
    error = caught;
  }
  return { status: answer.statusCode, headers: answer.headers, parts, text: parts.join(''), error };
}

/** A client that asks and then reads nothing. */
function askAndNotRead(port: number) {
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  return socket;
}

const encoder = new TextEncoder();
const never = new AbortController().signal;
const everything = { url: 'http://host/x', passes: () => true, largestBody: 1_000, signal: never, headers: {} };

/** An answer whose parts come with a pause before each. `onAsked` gets the number of the part, counted from 0: those before the last one were read. */
function slowly(parts: readonly string[], end?: Error, onAsked?: (part: number) => void): Response {
  const left = [...parts];
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      onAsked?.(parts.length - left.length);
      await delay(5);
      const part = left.shift();
      if (part !== undefined) controller.enqueue(encoder.encode(part));
      else if (end === undefined) controller.close();
      else controller.error(end);
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/plain' } });
}

/** An answer that always has its next part ready, and says how many were taken. */
function endless() {
  const taken = { parts: 0, cancelled: false };
  const part = new Uint8Array(16_384);
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken.parts += 1;
      controller.enqueue(part);
    },
    cancel() {
      taken.cancelled = true;
    },
  });
  return { taken, answer: new Response(body) };
}

describe('a request of Node', () => {
  it('has the headers that are kept, each with all its values, and the given address', async () => {
    let made: Request | undefined;
    const port = await listen((request, response) => {
      made = toRequest(request, { url: 'http://host/y', passes: (name) => name.startsWith('x-') });
      response.end();
    });
    await ask(port, { method: 'GET', headers: { 'X-One': ['a', 'b'], cookie: 'c', authorization: 'Bearer d' } });
    expect(made?.url).toBe('http://host/y');
    expect([...(made?.headers ?? [])]).toEqual([['x-one', 'a, b']]);
    expect(made?.body).toBeNull();
  });

  it('brings its body, whole or as it comes', async () => {
    const port = await listen((request, response) =>
      serveFetch(request, response, {
        ...everything,
        handler: async (asked) => new Response(`${asked.method} ${await asked.text()}`),
      }),
    );
    expect((await ask(port, { body: 'text' })).text).toBe('POST text');
    expect((await ask(port, { method: 'GET' })).text).toBe('GET ');
  });
});

describe('a body', () => {
  const tooLarge = async (asked: Asked): Promise<unknown> => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const handler = vi.fn(async (request: Request) => new Response(await request.text()));
    const port = await listen((request, response) =>
      serveFetch(request, response, { ...everything, handler }).catch((error: unknown) => {
        resolve(error);
        response.writeHead(413, { connection: 'close' }).end();
      }),
    );
    expect((await ask(port, asked)).status).toBe(413);
    return promise;
  };

  it('is refused by the length that it announces, before the handler is asked', async () => {
    expect(await tooLarge({ body: 'x'.repeat(1_001), headers: { 'content-length': 1_001 } })).toBeInstanceOf(BodyTooLarge);
  });

  it('is refused when it has become too large', async () => {
    expect(await tooLarge({ body: 'x'.repeat(100_000), headers: { 'transfer-encoding': 'chunked' } })).toBeInstanceOf(
      BodyTooLarge,
    );
  });

  it('is read no faster than the handler takes it', async () => {
    let received = 0;
    const port = await listen((request, response) => {
      request.on('data', (chunk: Buffer) => (received += chunk.length));
      request.pause();
      return serveFetch(request, response, {
        ...everything,
        largestBody: 1e9,
        handler: async ({ signal }) => {
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          return new Response();
        },
      });
    });
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100000000\r\n\r\n');
    for (let count = 0; count < 100; count += 1) socket.write(Buffer.alloc(1_000_000));
    await delay(300);
    expect(received).toBeLessThan(10_000_000);
    socket.destroy();
  });
});

describe('an answer', () => {
  it.each([
    ['a text', () => new Response('{"a":1}', { headers: { 'content-type': 'application/json' } }), '{"a":1}'],
    ['no bytes', () => new Response(''), ''],
    [
      'parts that are all ready',
      () => new Response(new Blob(['one', 'two']).stream().pipeThrough(new TransformStream())),
      'onetwo',
    ],
  ])('of %s has its text', async (_name, make, text) => {
    const port = await listen((_request, response) => sendAnswer(response, make()));
    expect(await ask(port)).toMatchObject({ status: 200, text, error: undefined });
  });

  it('that is ready leaves whole, with its length', async () => {
    const port = await listen((_request, response) => sendAnswer(response, new Response('x'.repeat(500_000), { status: 201 })));
    const { status, headers, text } = await ask(port);
    expect([status, headers['content-length'], headers['transfer-encoding'], text.length]).toEqual([
      201,
      '500000',
      undefined,
      500_000,
    ]);
  });

  it('without a body has none', async () => {
    const port = await listen((_request, response) => sendAnswer(response, new Response(null, { status: 204 })));
    expect(await ask(port)).toMatchObject({ status: 204, text: '' });
  });

  it('that comes in parts is heard in parts, its head first', async () => {
    const port = await listen((_request, response) => sendAnswer(response, slowly(['a', 'b', 'c'])));
    const { headers, parts } = await ask(port);
    expect(headers['content-length']).toBeUndefined();
    expect(parts).toEqual(['a', 'b', 'c']);
  });

  it('has the headers of the response and its own, which may close the connection; how it is divided is for Node to say', async () => {
    const port = await listen((_request, response) => {
      response.setHeader('x-response', 'response');
      response.setHeader('x-both', 'response');
      const headers = { 'x-both': 'answer', connection: 'close', 'transfer-encoding': 'chunked' };
      return sendAnswer(response, new Response('x', { headers }));
    });
    const { headers } = await ask(port);
    expect(headers).toMatchObject({ 'x-response': 'response', 'x-both': 'answer', connection: 'close', 'content-length': '1' });
    expect(headers['transfer-encoding']).toBeUndefined();
  });

  it('of a handler has the headers of its transport, and none of a connection or a cookie of its own', async () => {
    const own = { 'x-own': 'own', 'x-both': 'own', 'set-cookie': 'a=b', connection: 'upgrade', 'keep-alive': 'timeout=999' };
    const port = await listen((request, response) =>
      serveFetch(request, response, {
        ...everything,
        headers: { 'x-both': 'transport' },
        handler: async () => new Response('x', { headers: own }),
      }),
    );
    const { headers } = await ask(port);
    expect(headers).toMatchObject({ 'x-own': 'own', 'x-both': 'transport' });
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers.connection).not.toBe('upgrade');
    expect(headers['keep-alive']).not.toBe('timeout=999');
  });

  it('is made no faster than the client reads it, and cancelled when the client goes', async () => {
    const { taken, answer } = endless();
    const sent = vi.fn();
    const port = await listen((_request, response) => sendAnswer(response, answer).then(sent, sent));
    const socket = askAndNotRead(port);
    let before = -1;
    await vi.waitFor(
      () => {
        const now = taken.parts;
        const stands = now > 0 && now === before;
        before = now;
        expect(stands).toBe(true);
      },
      { timeout: 120_000, interval: 200 },
    );
    // The kernel's buffers for both ends of a local connection: 256 MB would be endless.
    expect(taken.parts * 16_384).toBeLessThan(256_000_000);
    expect(taken.cancelled).toBe(false);
    socket.destroy();
    await vi.waitFor(() => expect(taken.cancelled).toBe(true));
    await vi.waitFor(() => expect(sent).toHaveBeenCalledWith(undefined));
  });

  it('that is over at once and that the client takes later has one head', async () => {
    // More than the kernel takes for both ends of a local connection: the last byte leaves in a later turn than the head.
    const whole = 'x'.repeat(32_000_000);
    const sent = vi.fn();
    const uncaught = vi.fn();
    process.on('uncaughtException', uncaught);
    try {
      const port = await listen((_request, response) => sendAnswer(response, new Response(whole)).then(sent, sent));
      const { status, text } = await ask(port);
      expect([status, text.length]).toEqual([200, whole.length]);
      await vi.waitFor(() => expect(sent).toHaveBeenCalledWith(undefined));
      expect(uncaught).not.toHaveBeenCalled();
    } finally {
      process.off('uncaughtException', uncaught);
    }
  });

  it('to a client that has gone is not begun', async () => {
    const { taken, answer } = endless();
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const asked = Promise.withResolvers<undefined>();
    const port = await listen(async (_request, response) => {
      asked.resolve(undefined);
      await once(response, 'close');
      await sendAnswer(response, answer);
      resolve(undefined);
    });
    const socket = askAndNotRead(port);
    await asked.promise;
    socket.destroy();
    await promise;
    expect(taken.cancelled).toBe(true);
  });

  it('that breaks is cut, so that no client takes it for whole, and says why here', async () => {
    const sent = vi.fn();
    const port = await listen((_request, response) => sendAnswer(response, slowly(['a'], new Error('broken'))).catch(sent));
    const { text, error } = await ask(port);
    expect(text).toBe('a');
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    expect(sent).toHaveBeenCalledWith(expect.objectContaining({ message: 'broken' }));
  });

  it('that another one takes the place of is not written any more, begun or not', async () => {
    const instead = (): Response => new Response('{"a":1}', { status: 401, headers: { 'content-type': 'application/json' } });
    const { taken, answer } = endless();
    const port = await listen((request, response) => {
      if (request.method === 'GET') {
        void sendInstead(response, instead());
        return sendAnswer(response, answer);
      }
      const parts = Array.from({ length: 1_000 }, () => 'data: x\n\n');
      // The first part was written before the second was read.
      const onAsked = (part: number): void => void (part === 2 ? sendInstead(response, instead()) : undefined);
      return sendAnswer(response, slowly(parts, undefined, onAsked));
    });
    expect(await ask(port, { method: 'GET' })).toMatchObject({ status: 401, text: '{"a":1}', headers: { connection: 'close' } });
    expect(taken.cancelled).toBe(true);
    const { status, text } = await ask(port);
    expect(status).toBe(200);
    expect(text).toMatch(/^(data: x\n\n)+event: message\ndata: \{"a":1\}\n\n$/);
  });

  it('to a stranger closes the connection', async () => {
    const port = await listen((request, response) => {
      request.resume().on('end', () => void sendAndClose(request, response, new Response('no', { status: 401 })));
    });
    const { status, headers, text } = await ask(port, { body: 'x' });
    expect([status, headers.connection, headers['content-length'], text]).toEqual([401, 'close', '2', 'no']);
  });
});

describe('the signal of a handler', () => {
  const aborted = async (end: (client: Socket, transport: AbortController) => unknown): Promise<boolean> => {
    const transport = new AbortController();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const began = Promise.withResolvers<undefined>();
    const port = await listen((request, response) =>
      serveFetch(request, response, {
        ...everything,
        signal: transport.signal,
        handler: async ({ signal }) => {
          signal.addEventListener('abort', () => resolve(true));
          began.resolve(undefined);
          await new Promise((done) => signal.addEventListener('abort', done));
          return new Response('late');
        },
      }),
    );
    const socket = askAndNotRead(port);
    await began.promise;
    end(socket, transport);
    const found = await promise;
    socket.destroy();
    return found;
  };

  it('is aborted when the client goes away', async () => {
    expect(await aborted((client) => client.destroy())).toBe(true);
  });

  it('is aborted when the transport ends', async () => {
    expect(await aborted((_client, transport) => transport.abort())).toBe(true);
  });

  it('aborts with the given reason', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const port = await listen((_request, response) => {
      const signal = goneSignal(response, () => new Error('gone'));
      signal.addEventListener('abort', () => resolve(signal.reason));
      response.end();
    });
    await ask(port);
    expect(await promise).toMatchObject({ message: 'gone' });
  });
});
