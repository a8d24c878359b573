import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { approvedGrant } from '../../host/src/runtime/drivers/broker/sealed.test-helper.ts';
import type { InstalledDriver } from '../../host/src/runtime/drivers/packages/installedDriver.ts';
import { ProcessBench, testManifest } from '../../host/src/runtime/drivers/processes/processes.test-helper.ts';

const KEY = 'key-of-the-first';
const OTHER_KEY = 'key-of-the-other';
const signal = new AbortController().signal;
const place = (host: string, port: string) => ({
  host: { field: host },
  port: { field: port, whenEmpty: 80 },
  scheme: { field: 'sslMode', plainValues: ['off'] },
});
const { permissions, ...rest } = testManifest();
const manifest = testManifest({
  ...(rest as object),
  connection: {
    fields: [
      ...rest.connection.fields,
      { id: 'boardsHost', label: 'Boards host', type: 'text' },
      { id: 'boardsPort', label: 'Boards port', type: 'number' },
      { id: 'boardsKey', label: 'Boards key', type: 'secret' },
      { id: 'statsHost', label: 'Stats host', type: 'text' },
      { id: 'statsPort', label: 'Stats port', type: 'number' },
    ],
  },
  permissions: {
    http: {
      ...permissions.http,
      origin: {
        host: { field: 'host', whenEmpty: '127.0.0.1' },
        port: { field: 'port', whenEmpty: 80 },
        scheme: { field: 'sslMode', plainValues: ['off'] },
      },
      furtherOrigins: [
        {
          id: 'boards',
          label: 'Boards',
          reason: 'It lists boards.',
          origin: place('boardsHost', 'boardsPort'),
          credentials: [{ field: 'boardsKey', scheme: 'bearer' }],
        },
        { id: 'stats', label: 'Stats', reason: 'It reads counts.', origin: place('statsHost', 'statsPort') },
      ],
    },
  },
});

let bench: ProcessBench;
let driver: InstalledDriver;

/** A server that repeats what it was sent in its answer, as those do that help to find faults. */
class EchoServer {
  readonly received: string[] = [];
  readonly #server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      const text = data.toString('latin1');
      this.received.push(text);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${data.length}\r\n\r\n${text}`);
    });
  });

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.close();
  }
}

const first = new EchoServer();
const boards = new EchoServer();

async function outcomes(...requests: unknown[]): Promise<string[]> {
  const settings = { host: '127.0.0.1', port: first.port, boardsHost: '127.0.0.1', boardsPort: boards.port };
  const secrets = { key: KEY, boardsKey: OTHER_KEY };
  const http = await approvedGrant(manifest, settings, secrets, () => Promise.reject(new Error('no files')));
  const processes = await bench.processes({ limits: { call: 2_000, cancelGrace: 2_000 } });
  const session = await processes.connect({ driver, settings: { host: JSON.stringify(requests) }, files: {}, http, signal });
  const tables = await session.listTables({ signal });
  await session.close();
  return tables.map(({ ref }) => ref.name);
}

const received = (): string[] => [...first.received, ...boards.received];

beforeAll(async () => {
  bench = await ProcessBench.open();
  driver = await bench.driver('', manifest);
  await copyFile(join(import.meta.dirname, 'hostile-driver', 'requester.mjs'), join(driver.folder, 'index.js'));
  await Promise.all([first.listen(), boards.listen()]);
});
beforeEach(() => {
  first.received.length = 0;
  boards.received.length = 0;
});
afterAll(async () => {
  await bench.close();
  first.close();
  boards.close();
});

describe('a driver with further origins', () => {
  it('sees which of them its connection has', async () => {
    expect(JSON.parse((await outcomes({ show: 'origins' }))[0] ?? '')).toEqual([
      { id: 'boards', address: `127.0.0.1:${boards.port}` },
      { id: 'stats' },
    ]);
  });

  it('reaches each with the credential of that origin alone', async () => {
    const [atFirst, atBoards] = await outcomes({ method: 'GET', path: '/a' }, { method: 'GET', path: '/b', origin: 'boards' });
    expect(atFirst).toContain(KEY);
    expect(atBoards).toContain(`Bearer ${OTHER_KEY}`);
    expect(first.received.join('')).not.toContain(OTHER_KEY);
    expect(boards.received.join('')).not.toContain(KEY);
  });

  it('reaches no origin that its manifest does not declare, whatever it calls it', async () => {
    const ids = ['evil', 'Boards', '__proto__', 'constructor', 'hasOwnProperty', '0', 'boards ', `127.0.0.1:${boards.port}`];
    const results = await outcomes(...ids.map((origin) => ({ method: 'GET', path: '/', origin })));
    expect(results).toEqual(ids.map(() => 'PERMISSION_DENIED'));
    const unfit = ['', 'x'.repeat(41), 0, null, {}, ['boards']];
    expect(await outcomes(...unfit.map((origin) => ({ method: 'GET', path: '/', origin })))).toEqual(
      unfit.map(() => 'INVALID_INPUT'),
    );
    expect(received()).toEqual([]);
  });

  it('reaches no origin that the form leaves empty, and no other in its place', async () => {
    expect(await outcomes({ method: 'GET', path: '/', origin: 'stats' })).toEqual(['INVALID_INPUT']);
    expect(received()).toEqual([]);
  });

  it('reaches no node of a further origin', async () => {
    const results = await outcomes(...[0, 1, 15].map((node) => ({ method: 'GET', path: '/', origin: 'boards', node })));
    expect(results).toEqual(['INVALID_INPUT', 'INVALID_INPUT', 'INVALID_INPUT']);
    expect(received()).toEqual([]);
  });

  it('reaches no other host by the path of a request to a further origin', async () => {
    const paths = [
      `//127.0.0.1:${first.port}/`,
      `http://127.0.0.1:${first.port}/`,
      `/\\127.0.0.1:${first.port}/`,
      `@127.0.0.1:${first.port}/`,
    ];
    const results = await outcomes(...paths.map((path) => ({ method: 'GET', path, origin: 'boards' })));
    expect(results).toEqual(paths.map(() => 'PERMISSION_DENIED'));
    const headers = [
      { host: `127.0.0.1:${first.port}` },
      { 'x-test-key': 'mine' },
      { authorization: 'Bearer mine' },
      { 'x-a': 'b\r\nhost: evil' },
    ];
    expect(await outcomes(...headers.map((one) => ({ method: 'GET', path: '/', headers: one, origin: 'boards' })))).toEqual(
      headers.map(() => 'PERMISSION_DENIED'),
    );
    expect(received()).toEqual([]);
  });

  it('carries a credential that a server has repeated to no other origin, in no header and no path', async () => {
    const encoded = Buffer.from(KEY).toString('base64');
    const requests = [
      { method: 'GET', path: `/?k=${KEY}`, origin: 'boards' },
      { method: 'GET', path: `/${encodeURIComponent(encoded)}`, origin: 'boards' },
      { method: 'GET', path: '/', headers: { 'x-note': KEY }, origin: 'boards' },
      { method: 'GET', path: '/', headers: { cookie: `k=${encoded}` }, origin: 'boards' },
      { method: 'GET', path: '/', headers: { 'x-note': OTHER_KEY } },
    ];
    for (const request of requests)
      await expect(outcomes(request)).rejects.toMatchObject({
        code: 'DRIVER_FAULT',
        message: expect.stringContaining('was stopped: it asked to send a credential of one origin to another') as string,
      });
    expect(received()).toEqual([]);
  });
});
