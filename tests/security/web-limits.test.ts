import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FetchHandler } from '../../host/src/common/fetchHandler.ts';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { BrowserTransport } from '../../host/src/web/browserTransport.ts';
import { openRaw, readRaw, requestText, sendRaw } from '../support/rawHttp.ts';

let folder: string;
let transport: BrowserTransport;
let port: number;
let handler: FetchHandler;
let headers: Record<string, string>;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-web-'));
  handler = async (request) => Response.json({ size: (await request.text()).length });
  transport = await BrowserTransport.start({
    rendererFolder: folder,
    logger: silentLogger,
    handler: (request) => handler(request),
    limits: { bodyBytes: 1_000, headerBytes: 4_096, headersMilliseconds: 200, requestMilliseconds: 400, connections: 4 },
  });
  port = Number(new URL(transport.origin).port);
  const entered = await fetch(transport.newUrl('untilUsed'), { redirect: 'manual' });
  path = entered.headers.get('location') ?? '';
  headers = {
    host: `127.0.0.1:${port}`,
    origin: transport.origin,
    cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '',
  };
});
afterEach(async () => {
  await transport[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const unused: FetchHandler = () => Promise.reject(new Error('not used'));

const post = (extra: Record<string, string>, body: string) =>
  sendRaw(port, requestText(`POST ${path}api/x`, { ...headers, ...extra }, body));

describe('what one client may ask for', () => {
  it('a body up to the limit, announced or in chunks', async () => {
    expect((await post({}, 'x'.repeat(1_000))).body).toContain('1000');
    const announced = await post({}, 'x'.repeat(1_001));
    expect(announced.status).toBe(413);
    expect(JSON.parse(announced.body)).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('no body beyond the limit, which is said before it is sent', async () => {
    const head = requestText(`POST ${path}api/x`, { ...headers, 'content-length': '1001' });
    expect((await sendRaw(port, head)).status).toBe(413);
  });

  it('a body up to the limit when it does not say how long it is', async () => {
    const chunk = `64\r\n${'x'.repeat(100)}\r\n`;
    const head = requestText(`POST ${path}api/x`, { ...headers, 'transfer-encoding': 'chunked' });
    expect((await sendRaw(port, `${head}${chunk.repeat(10)}0\r\n\r\n`)).status).toBe(200);
    const socket = await openRaw(port);
    socket.write(`${head}${chunk.repeat(11)}`);
    expect((await readRaw(socket)).status).toBe(413);
  });

  it('headers up to the limit', async () => {
    expect((await post({ 'x-long': 'x'.repeat(5_000) }, '{}')).status).toBe(431);
  });

  it('no second request hidden in the first', async () => {
    const hidden = requestText(
      `POST ${path}api/x`,
      { ...headers, 'content-length': '4', 'transfer-encoding': 'chunked' },
      '0\r\n\r\n',
    );
    expect((await sendRaw(port, hidden)).status).toBe(400);
  });

  it('no protocol upgrade', async () => {
    const answer = await sendRaw(
      port,
      requestText(`GET ${path}api/x`, { ...headers, connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' }),
    );
    expect(answer.text).toBe('');
  });
});

// These would run into the test's own time limit if the server kept waiting.
describe('a client that never ends', () => {
  it('is closed while it sends its headers, long before a request must be complete', async () => {
    await using patient = await BrowserTransport.start({
      rendererFolder: folder,
      logger: silentLogger,
      handler: unused,
      limits: { headersMilliseconds: 200, requestMilliseconds: 3_600_000 },
    });
    const socket = await openRaw(Number(new URL(patient.origin).port));
    socket.write(`GET / HTTP/1.1\r\nhost: ${new URL(patient.origin).host}\r\nx-slow: `);
    expect((await readRaw(socket)).status).toBe(408);
  });

  it('is closed while it sends its body', async () => {
    const socket = await openRaw(port);
    socket.write(`${requestText(`POST ${path}api/x`, { ...headers, 'content-length': '100' })}x`);
    expect((await readRaw(socket)).text).not.toContain('200 OK');
  });

  it('does not keep others out for long: the connections are few, and freed', async () => {
    const silent = await Promise.all(Array.from({ length: 4 }, () => openRaw(port)));
    const closed = silent.map((socket) => {
      socket.resume();
      return once(socket, 'close');
    });
    expect((await post({}, '{}')).status).toBe(200);
    for (const socket of silent) socket.write('GET / HTTP/1.1\r\n');
    await Promise.all(closed);
    expect((await post({}, '{}')).status).toBe(200);
  });
});

describe('a client that goes away', () => {
  it('stops what it asked for, and the stream that it was sent', async () => {
    const aborted = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    let sent = 0;
    handler = async (request) => {
      request.signal.addEventListener('abort', () => aborted.resolve());
      return new Response(
        new ReadableStream({
          pull: (controller) => {
            sent += 1;
            controller.enqueue(new Uint8Array(64 * 1024));
          },
          cancel: () => cancelled.resolve(),
        }),
      );
    };
    const socket = await openRaw(port);
    socket.pause();
    socket.write(requestText(`POST ${path}api/x`, headers, '{}'));
    await once(socket, 'readable');
    socket.destroy();
    await Promise.all([aborted.promise, cancelled.promise]);
    // The client read nothing, so little was made: as much as the buffers of both ends hold.
    expect(sent).toBeLessThan(1_000);
  });

  it('is not waited for when the transport ends', async () => {
    const started = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    handler = (request) => {
      started.resolve();
      return new Promise((_resolve, reject) => {
        request.signal.addEventListener('abort', () => {
          aborted.resolve();
          reject(new Error('stopped'));
        });
      });
    };
    const answer = post({}, '{}');
    await started.promise;
    await transport[Symbol.asyncDispose]();
    await aborted.promise;
    expect((await answer).status).not.toBe(200);
  });
});

describe('an unexpected error', () => {
  it('is not repeated to the client', async () => {
    handler = () => Promise.reject(new Error('the key is hunter2'));
    const answer = await post({}, '{}');
    expect(answer.status).toBe(500);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'INTERNAL' });
    expect(answer.text).not.toContain('hunter2');
  });
});
