import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { connect } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../host/src/runtime/storage/logger.ts';
import { BrowserTransport } from '../../host/src/web/browserTransport.ts';
import { requestText, sendRaw } from '../support/rawHttp.ts';
import type { RawAnswer } from '../support/rawHttp.ts';

let folder: string;
let transport: BrowserTransport;
let port: number;
let asked: Request[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-web-'));
  await mkdir(join(folder, 'renderer', 'assets'), { recursive: true });
  await writeFile(
    join(folder, 'renderer', 'index.html'),
    '<!doctype html><html><head><meta name="csp-nonce" content="__CSP_NONCE__"></head></html>',
  );
  await writeFile(join(folder, 'renderer', 'assets', 'index-B1x2c3D4.js'), 'export {};');
  await writeFile(join(folder, 'secret.txt'), 'hunter2');
  await symlink(join(folder, 'secret.txt'), join(folder, 'renderer', 'link.txt'));
  await mkdir(join(folder, 'elsewhere'));
  await writeFile(join(folder, 'elsewhere', 'secret.txt'), 'hunter2');
  await symlink(join(folder, 'elsewhere'), join(folder, 'renderer', 'linked'), 'junction');
  await mkdir(join(folder, 'documentation', 'guide'), { recursive: true });
  await writeFile(join(folder, 'documentation', 'index.html'), 'the start');
  await writeFile(join(folder, 'documentation', '404.html'), '<a href="__SITE__/index.html">start</a>');
  asked = [];
  transport = await BrowserTransport.start({
    rendererFolder: join(folder, 'renderer'),
    documentationFolder: join(folder, 'documentation'),
    logger: silentLogger,
    handler: async (request) => {
      asked.push(request);
      return Response.json({ path: new URL(request.url).pathname }, { headers: { 'cache-control': 'public, max-age=1000' } });
    },
  });
  port = Number(new URL(transport.origin).port);
});
afterEach(async () => {
  await transport[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const send = (line: string, headers: Record<string, string | undefined> = {}, body = ''): Promise<RawAnswer> =>
  sendRaw(port, requestText(line, { host: `127.0.0.1:${port}`, ...headers }, body));

interface Window {
  readonly path: string;
  readonly cookie: string;
}

const keyPath = (): string => transport.newUrl('untilUsed').slice(transport.origin.length);

async function openWindow(): Promise<Window> {
  const answer = await send(`GET ${keyPath()}`);
  return { path: answer.headers['location'] ?? '', cookie: answer.headers['set-cookie']?.split(';')[0] ?? '' };
}

/** The request of the window's own page. */
const own = (window: Window): Record<string, string> => ({
  cookie: window.cookie,
  origin: transport.origin,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
});

describe('entering by a one-time key', () => {
  it('gives a cookie for a path of its own and leads there without the key', async () => {
    const answer = await send(`GET ${keyPath()}`);
    expect(answer.status).toBe(303);
    expect(answer.headers['location']).toMatch(/^\/w\/[\w-]{43}\/$/);
    expect(answer.headers['set-cookie']).toBe(
      `${answer.headers['set-cookie']?.split(';')[0]}; Path=${answer.headers['location']}; HttpOnly; SameSite=Strict`,
    );
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
  });

  it('works once', async () => {
    const path = keyPath();
    expect((await send(`GET ${path}`)).status).toBe(303);
    const replayed = await send(`GET ${path}`);
    expect(replayed.status).toBe(401);
    expect(replayed.headers['set-cookie']).toBeUndefined();
  });

  it("survives requests that don't open it: a prefetch, HEAD, an image, a frame, another origin", async () => {
    const path = keyPath();
    await send(`GET ${path}`, { 'sec-purpose': 'prefetch' });
    await send(`HEAD ${path}`);
    await send(`GET ${path}`, { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' });
    await send(`GET ${path}`, { 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' });
    await send(`GET ${path}`, { origin: 'https://evil.example' });
    expect((await send(`GET ${path}`)).status).toBe(303);
  });

  it('leads on from a page of its own where another site led here, because a strict cookie does not survive that redirect', async () => {
    const answer = await send(`GET ${keyPath()}`, {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('http-equiv="refresh"');
  });

  it('voids the keys that wait after twenty wrong ones, and leaves open windows alone', async () => {
    const window = await openWindow();
    const path = keyPath();
    for (let attempt = 0; attempt < 20; attempt += 1) expect((await send(`GET /?key=guess${attempt}`)).status).toBe(401);
    expect((await send(`GET ${path}`)).status).toBe(401);
    expect((await send(`POST ${window.path}api/x`, own(window), '{}')).status).toBe(200);
    expect((await send(`GET ${keyPath()}`)).status).toBe(303);
  });
});

describe('another user of this machine', () => {
  it('gets nothing without a cookie, and no runtime is asked', async () => {
    const window = await openWindow();
    for (const line of [
      `GET ${window.path}`,
      `GET ${window.path}assets/index-B1x2c3D4.js`,
      'GET /',
      `POST ${window.path}api/x`,
      'POST /api/x',
    ]) {
      const answer = await send(line, { ...own(window), cookie: undefined }, line.startsWith('POST') ? '{}' : '');
      expect([line, answer.status]).toEqual([line, 401]);
    }
    expect(asked).toEqual([]);
  });

  // A browser sends the cookies of 127.0.0.1 to every port, but only for the path that they were set for.
  it('cannot use a cookie without its path, nor a path with the cookie of another window', async () => {
    const one = await openWindow();
    const two = await openWindow();
    expect((await send('POST /api/x', own(one), '{}')).status).toBe(401);
    expect((await send(`POST ${two.path}api/x`, own(one), '{}')).status).toBe(401);
    expect((await send(`POST ${one.path}api/x`, { ...own(one), cookie: `${one.cookie.slice(0, -1)}_` }, '{}')).status).toBe(401);
    expect(asked).toEqual([]);
    expect((await send(`POST ${one.path}api/x`, own(one), '{}')).status).toBe(200);
  });

  it('cannot reach it by an address that is not loopback', async () => {
    const outer = Object.values(networkInterfaces())
      .flat()
      .find((address) => address !== undefined && !address.internal && address.family === 'IPv4');
    // 127.0.0.2 is loopback too, and a server on every address would answer there.
    const socket = connect({ port, host: outer?.address ?? '127.0.0.2' });
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
  });
});

describe('a hostile page', () => {
  it('cannot ask under another name (DNS rebinding)', async () => {
    const window = await openWindow();
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      '127.0.0.1',
      `127.0.0.1:${port + 1}`,
      `127.0.0.1.evil.example:${port}`,
    ]) {
      const answer = await send(`POST ${window.path}api/x`, { ...own(window), host, origin: `http://${host}` }, '{}');
      expect([host, answer.status]).toEqual([host, 421]);
    }
    expect((await send('GET /', { host: undefined })).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('may be asked under the name localhost, by a page of that name only', async () => {
    const window = await openWindow();
    const host = `localhost:${port}`;
    expect((await send(`POST ${window.path}api/x`, { ...own(window), host, origin: `http://${host}` }, '{}')).status).toBe(200);
    expect((await send(`POST ${window.path}api/x`, { ...own(window), host }, '{}')).status).toBe(403);
  });

  it('cannot change anything from another origin, nor without one', async () => {
    const window = await openWindow();
    for (const origin of [
      'https://evil.example',
      'null',
      `http://127.0.0.1:${port + 1}`,
      `https://127.0.0.1:${port}`,
      '',
      undefined,
    ]) {
      const answer = await send(`POST ${window.path}api/x`, { ...own(window), origin }, '{}');
      expect([origin, answer.status]).toEqual([origin, 403]);
    }
    expect(asked).toEqual([]);
  });

  it('cannot make a browser ask by GET, which carries no origin', async () => {
    const window = await openWindow();
    for (const site of ['cross-site', 'same-site', 'none', undefined]) {
      const answer = await send(`GET ${window.path}api/x`, { cookie: window.cookie, 'sec-fetch-site': site });
      expect([site, answer.status]).toEqual([site, 403]);
    }
    expect(asked).toEqual([]);
    const allowed = await send(`GET ${window.path}api/x`, { cookie: window.cookie, 'sec-fetch-site': 'same-origin' });
    expect(allowed.status).toBe(200);
  });

  it('cannot frame the window or lead a browser into it', async () => {
    const window = await openWindow();
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ]) {
      expect((await send(`GET ${window.path}`, { cookie: window.cookie, ...headers })).status).toBe(403);
    }
  });

  it('gets no permission from a preflight, and no other method', async () => {
    const window = await openWindow();
    for (const method of ['OPTIONS', 'PUT', 'DELETE', 'PATCH', 'TRACE']) {
      const answer = await send(`${method} ${window.path}api/x`, { cookie: window.cookie, origin: transport.origin });
      expect([method, answer.status]).toEqual([method, 405]);
      expect(answer.text.toLowerCase()).not.toContain('access-control');
    }
    expect(asked).toEqual([]);
  });
});

describe('the page and its files', () => {
  it('carry a policy that runs no script but their own, with a style nonce of its own for each answer', async () => {
    const window = await openWindow();
    const [first, second] = [
      await send(`GET ${window.path}`, visiting(window)),
      await send(`GET ${window.path}`, visiting(window)),
    ];
    expect(first.status).toBe(200);
    const nonce = /content="([^"]+)"/.exec(first.body)?.[1] ?? '';
    expect(nonce).toHaveLength(24);
    expect(first.headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; " +
        `style-src 'self' 'nonce-${nonce}'; ` +
        "connect-src 'self'; img-src 'self' data:; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    );
    expect(second.body).not.toContain(nonce);
    expect(first.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
  });

  it('are kept by the browser only where their name says what is in them', async () => {
    const window = await openWindow();
    const asset = await send(`GET ${window.path}assets/index-B1x2c3D4.js`, visiting(window));
    expect(asset.headers['cache-control']).toBe('private, max-age=31536000, immutable');
    expect(asset.headers['content-type']).toBe('text/javascript; charset=utf-8');
    const answer = await send(`POST ${window.path}api/x`, own(window), '{}');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  it('are all that can be reached: no path leaves the folder, no link is followed', async () => {
    const window = await openWindow();
    for (const path of [
      '../secret.txt',
      '..%2fsecret.txt',
      '%2e%2e/secret.txt',
      '..%5csecret.txt',
      'assets/../../secret.txt',
      'assets/..%2f..%2fsecret.txt',
      `/${folder}/secret.txt`,
      'link.txt',
      'linked/secret.txt',
      'assets/',
      'assets',
    ]) {
      const answer = await send(`GET ${window.path}${path}`, visiting(window));
      expect([path, answer.status >= 400]).toEqual([path, true]);
      expect(answer.text).not.toContain('hunter2');
    }
  });

  it('are not asked for by an absolute address', async () => {
    const window = await openWindow();
    const answer = await send(`GET ${transport.origin}${window.path}`, visiting(window));
    expect(answer.status).toBe(400);
  });
});

describe('the runtime', () => {
  it('gets its own path, without keys and cookies', async () => {
    const window = await openWindow();
    const answer = await send(`POST ${window.path}api/trpc/x?batch=1`, own(window), '{"a":1}');
    expect(JSON.parse(answer.body)).toEqual({ path: '/api/trpc/x' });
    expect(asked[0]?.url).toBe(`${transport.origin}/api/trpc/x?batch=1`);
    expect(asked[0]?.headers.get('cookie')).toBeNull();
    expect(await asked[0]?.json()).toEqual({ a: 1 });
  });
});

function visiting(window: Window): Record<string, string> {
  return { cookie: window.cookie };
}

describe('the documentation', () => {
  it('is behind the cookie of the window, at a path of its own', async () => {
    const window = await openWindow();
    expect((await send(`GET ${window.path}docs/`)).status).toBe(401);
    expect((await send('GET /docs/')).status).toBe(401);
    const answer = await send(`GET ${window.path}docs/`, { cookie: window.cookie });
    expect([answer.status, answer.body]).toEqual([200, 'the start']);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
    const missing = await send(`GET ${window.path}docs/guide/none.html`, { cookie: window.cookie });
    expect([missing.status, missing.body]).toEqual([404, `<a href="${window.path}docs/index.html">start</a>`]);
  });

  it('is shown to no page of another site, is only read, and leads nowhere else', async () => {
    const window = await openWindow();
    const headers = { cookie: window.cookie, 'sec-fetch-site': 'cross-site' };
    expect((await send(`GET ${window.path}docs/`, headers)).status).toBe(403);
    expect((await send(`POST ${window.path}docs/`, own(window))).status).toBe(405);
    for (const path of ['docs/../../secret.txt', 'docs/..%2f..%2fsecret.txt', 'docs/%2e%2e/renderer/index.html']) {
      const { body } = await send(`GET ${window.path}${path}`, { cookie: window.cookie });
      expect(body).not.toContain('hunter2');
      expect(body).not.toContain('csp-nonce');
    }
  });
});
