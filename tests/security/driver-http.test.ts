import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_FILTER } from '@tabularium/sdk';
import { HttpBroker } from '../../host/src/runtime/drivers/broker/httpBroker.ts';
import type { BrokerResponse } from '../../host/src/runtime/drivers/broker/brokerResponse.ts';
import { approvedGrant } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import type { RemoteSession } from '../../host/src/runtime/drivers/processes/driverProcesses.ts';
import { ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';
import { liveBytes } from '../../sdk/src/testing/liveMemory.ts';

const KEY = 'key-of-the-server';
const MEGABYTE = 1024 * 1024;
const signal = new AbortController().signal;
const manifest = testManifest();

let bench: ProcessBench;
let driver: InstalledDriver;
let port: number;
let evilPort: number;
const received: string[] = [];
const evilReceived: string[] = [];
const sockets = new Set<Socket>();
let written = 0;

const server = createServer((socket) => {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    const text = data.toString('latin1');
    received.push(text);
    if (text.startsWith('GET /large ')) {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${500 * MEGABYTE}\r\n\r\n`);
      const more = (): void => {
        do written += MEGABYTE;
        while (socket.write(Buffer.alloc(MEGABYTE)));
        socket.once('drain', more);
      };
      more();
    } else if (text.startsWith('GET /redirect ')) {
      socket.write(
        `HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:${evilPort}/stolen\r\ncontent-length: 0\r\n\r\n`,
      );
    } else {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
    }
  });
});
const evil = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.on('data', (data) => evilReceived.push(data.toString('latin1')));
});

async function open(requests: readonly unknown[]): Promise<RemoteSession> {
  const settings = { host: '127.0.0.1', port };
  const http = await approvedGrant(manifest, settings, { key: KEY }, () => Promise.reject(new Error('no files')));
  const processes = await bench.processes({ limits: { call: 2_000, cancelGrace: 2_000 } });
  return processes.connect({ driver, settings: { host: JSON.stringify(requests) }, files: {}, http, signal });
}

async function outcomes(...requests: unknown[]): Promise<string[]> {
  const session = await open(requests);
  const tables = await session.listTables({ signal });
  await session.close();
  return tables.map(({ ref }) => ref.name);
}

beforeAll(async () => {
  bench = await ProcessBench.open();
  driver = await bench.driver('', manifest);
  await copyFile(join(import.meta.dirname, 'hostile-driver', 'requester.mjs'), join(driver.folder, 'index.js'));
  server.listen(0, '127.0.0.1');
  evil.listen(0, '127.0.0.1');
  await Promise.all([once(server, 'listening'), once(evil, 'listening')]);
  port = (server.address() as AddressInfo).port;
  evilPort = (evil.address() as AddressInfo).port;
});
beforeEach(() => {
  received.length = 0;
  evilReceived.length = 0;
});
afterAll(async () => {
  await bench.close();
  for (const socket of sockets) socket.destroy();
  server.close();
  evil.close();
});

describe('a driver that requests another server, or the key', () => {
  it('is refused every path that could name one, and nothing is sent', async () => {
    const paths = [
      `http://127.0.0.1:${evilPort}/`,
      `//127.0.0.1:${evilPort}/`,
      `/\\127.0.0.1:${evilPort}/`,
      `\\\\127.0.0.1:${evilPort}\\`,
      `@127.0.0.1:${evilPort}/`,
      `/ HTTP/1.1\r\nHost: 127.0.0.1:${evilPort}\r\n\r\nGET /`,
      '/a\r\nX-Test-Key: mine',
      '/a\nb',
      '/a b',
      '/a#b',
      '/%00\u0000',
      '/\u2028',
      `/${'a'.repeat(16_384)}`,
    ];
    const results = await outcomes(...paths.map((path) => ({ method: 'GET', path })));
    // Too long or empty for the wire's own schema, or refused by the broker's rules: either way before anything is sent.
    expect(results.every((result) => result === 'PERMISSION_DENIED' || result === 'INVALID_INPUT')).toBe(true);
    expect([received, evilReceived]).toEqual([[], []]);
  });

  it('is refused methods that open tunnels', async () => {
    const results = await outcomes(
      { method: 'CONNECT', path: `/127.0.0.1:${evilPort}` },
      { method: 'TRACE', path: '/' },
      { method: 'GET / HTTP/1.1\r\nHost: evil\r\n\r\nGET', path: '/' },
    );
    expect(results).toEqual(['INVALID_INPUT', 'INVALID_INPUT', 'INVALID_INPUT']);
    expect(received).toEqual([]);
  });

  it('is refused the headers that are the host’s, in any spelling', async () => {
    const headers = [
      { Host: `127.0.0.1:${evilPort}` },
      { hOST: 'x' },
      { 'X-Test-Key': 'mine' },
      { 'x-test-KEY': 'mine' },
      { 'Transfer-Encoding': 'chunked' },
      { 'Content-Length': '0' },
      { Connection: 'close' },
      { Upgrade: 'websocket' },
      { Expect: '100-continue' },
      { 'x-a': 'b\r\nX-Test-Key: mine' },
      { 'x-a\r\nX-Test-Key': 'mine' },
      { 'x-test-key ': 'mine' },
    ];
    const results = await outcomes(...headers.map((value) => ({ method: 'GET', path: '/', headers: value })));
    expect(results).toEqual(headers.map(() => 'PERMISSION_DENIED'));
    expect(received).toEqual([]);
  });

  it('is handed a redirect, and the key does not go after it', async () => {
    expect(await outcomes({ method: 'GET', path: '/redirect' })).toEqual([`307 http://127.0.0.1:${evilPort}/stolen`]);
    expect(received).toHaveLength(1);
    expect(received[0]).toContain(`x-test-key: ${KEY}\r\n`);
    expect(evilReceived).toEqual([]);
  });

  it('has its path sent as it is: nothing on the way makes it another one', async () => {
    const path = '/collections/../../keys/%2e%2e/./x?q=a//b';
    expect(await outcomes({ method: 'GET', path })).toEqual(['200  ok']);
    expect(received[0]?.split('\r\n')[0]).toBe(`GET ${path} HTTP/1.1`);
  });
});

describe('a driver that reads slowly', () => {
  it('costs the host little, and its cancelling closes the connection', async () => {
    const session = await open([]);
    const before = liveBytes();
    const controller = new AbortController();
    const reading = session.readPage(
      { table: { namespace: [], name: 't' }, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit: 1 },
      { signal: controller.signal },
    );
    let last = -1;
    await expect
      .poll(
        () => {
          const still = written > 0 && written === last;
          last = written;
          return still;
        },
        { interval: 150 },
      )
      .toBe(true);
    // Of 500 MB: a megabyte of window, a quarter of one in the broker, and what the kernel's buffers hold.
    expect(written).toBeLessThan(16 * MEGABYTE);
    expect(liveBytes() - before).toBeLessThan(16 * MEGABYTE);
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect.poll(() => sockets.size).toBe(0);
    await session.ping({ signal });
    await session.close();
  });
});

describe('a server that sends a byte now and then', () => {
  const drip = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (data) => {
      const isSteady = data.toString('latin1').startsWith('GET /steady ');
      socket.write('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 40960\r\n\r\n');
      const timer = setInterval(() => socket.write(isSteady ? Buffer.alloc(2_048) : 'x'), 30);
      socket.on('close', () => clearInterval(timer));
    });
  });
  let broker: HttpBroker;

  beforeAll(async () => {
    drip.listen(0, '127.0.0.1');
    await once(drip, 'listening');
    const settings = { host: '127.0.0.1', port: (drip.address() as AddressInfo).port };
    const grant = await approvedGrant(manifest, settings, { key: KEY }, () => Promise.reject(new Error('no files')));
    broker = new HttpBroker(grant, { connect: 10_000, bodyIdle: 10_000, bodyWindow: 1_500 });
  });
  afterAll(async () => {
    await broker.close();
    drip.close();
  });

  const get = (path: string): Promise<BrokerResponse> =>
    broker.request({ method: 'GET', path, headers: {}, repeatable: false, signal });

  it('is given up when it sends less than it must while it is waited for', async () => {
    const { body } = await get('/drip');
    await expect(Array.fromAsync(body)).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('is waited for as long as it sends enough', async () => {
    const chunks = await Array.fromAsync((await get('/steady')).body);
    expect(Buffer.concat(chunks)).toHaveLength(40_960);
  });

  it('is not given up because somebody reads slowly', async () => {
    const parts = (await get('/drip')).body[Symbol.asyncIterator]();
    await parts.next();
    // Longer than the window; a server that waits for its reader sends nothing either.
    await delay(2_500);
    expect((await parts.next()).done).toBe(false);
    await parts.return?.();
  });
});
