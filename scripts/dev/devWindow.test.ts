import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { root } from '../paths.ts';
import { DevWindow } from './devWindow.ts';

// The development server's guards, with a host that only answers what it was asked.

const asked: IncomingMessage[] = [];
let host: Server;
let dev: DevWindow;
/** The address of the page. */
let page: string;
let cookie: string;
let cacheFolder: string;

beforeAll(async () => {
  host = createServer((request, response) => {
    asked.push(request);
    if (request.url?.startsWith('/?key=') === true)
      response.writeHead(303, { location: '/w/host/', 'set-cookie': 'tabularium=of-the-host; HttpOnly' }).end();
    else response.writeHead(200, { 'content-type': 'text/plain' }).end(`${request.method} ${request.url}`);
  });
  host.listen(0, '127.0.0.1');
  await once(host, 'listening');
  cacheFolder = mkdtempSync(join(tmpdir(), 'tabularium-dev-'));
  dev = await DevWindow.start({ root, cacheFolder, findPackages: false });
  await dev.connect(`http://127.0.0.1:${(host.address() as AddressInfo).port}/?key=one`);
  const url = dev.newUrl();
  const answer = await fetch(url, { redirect: 'manual' });
  expect(answer.status).toBe(303);
  page = new URL(answer.headers.get('location') ?? '', url).href;
  cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  // The key works once.
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(401);
});
afterAll(async () => {
  await dev[Symbol.asyncDispose]();
  host.close();
  rmSync(cacheFolder, { recursive: true, force: true });
});

// Each request has a connection of its own: the server closes an idle one after seconds, and a request that is sent just then fails.
const ask = (path: string, headers: Record<string, string> = { cookie }): Promise<Response> =>
  fetch(new URL(path, page), { headers: { ...headers, connection: 'close' } });

it.each(['', 'main.tsx', '@vite/client', 'api/trpc/any'])('"%s" is not served without the cookie', async (path) => {
  expect((await ask(path, {})).status).toBe(401);
  expect((await ask(path, { cookie: 'tabularium=guessed' })).status).toBe(401);
});

it('the page has scripts of its own and of its nonce only', async () => {
  const answer = await ask('');
  const nonce = /nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? '';
  expect(nonce.length).toBeGreaterThan(16);
  const scripts = [...(await answer.text()).matchAll(/<script\b[^>]*>/g)].map(([tag]) => tag);
  expect(scripts.length).toBeGreaterThan(1);
  expect(scripts.filter((tag) => !tag.includes(`nonce="${nonce}"`))).toEqual([]);
});

it('files come from the folder of the window, and nothing from outside the sources', async () => {
  expect((await ask('icon.svg')).headers.get('content-type')).toContain('svg');
  expect((await ask('@fs/etc/passwd')).status).toBe(403);
});

it('source modules come compiled for the page, and those of other packages not at all', async () => {
  const component = await ask('ui/ProblemPanel.tsx');
  expect(component.headers.get('content-type')).toContain('javascript');
  const code = await component.text();
  expect(code).not.toContain('interface Props');
  expect(code).toContain('import.meta.hot.accept(');
  // Text from outside passes the house's own JSX runtime, as it does in the built window.
  expect(code).toContain('/text/jsxDevRuntime.ts"');
  expect(await (await ask('i18n/index.ts')).text()).toMatch(/import\.meta\.hot\.accept\("[^"]*\/i18n\/de\/index\.ts"/);
  expect((await ask(`@fs${root}/sdk/src/index.ts`)).status).toBe(200);
  expect((await ask(`@fs${root}/scripts/dev.ts`)).status).toBe(403);
});

it('API requests reach the host with the cookie of the host, and from the own page only', async () => {
  const own = { cookie, 'sec-fetch-site': 'same-origin' };
  const answer = await ask('api/trpc/any?batch=1', own);
  expect(await answer.text()).toBe('GET /w/host/api/trpc/any?batch=1');
  expect(asked.at(-1)?.headers.cookie).toBe('tabularium=of-the-host');
  const foreign = await fetch(new URL('api/trpc/any', page), {
    method: 'POST',
    headers: { cookie, origin: 'http://example.org' },
    body: '{}',
  });
  expect(foreign.status).toBe(403);
});

it('the connection for hot reload needs the cookie, too', async () => {
  const { port, pathname } = new URL(page);
  const answerTo = async (headers: string): Promise<string> => {
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: vite-ping\r\n${headers}\r\n`,
    );
    const text = await new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(data.toString()));
      socket.once('close', () => resolve('closed'));
    });
    socket.destroy();
    return text;
  };
  expect(await answerTo('')).toBe('closed');
  expect(await answerTo(`Cookie: ${cookie}\r\n`)).toMatch(/^HTTP\/1\.1 101 /);
});
