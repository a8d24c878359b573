import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DocumentationServer } from './documentationServer.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabularium-documentation-'));
const site = join(folder, 'site');
let server: DocumentationServer;

beforeAll(async () => {
  mkdirSync(join(site, 'guide'), { recursive: true });
  mkdirSync(join(site, 'assets'));
  mkdirSync(join(folder, 'elsewhere'));
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'elsewhere/secret.txt'), 'secret');
  writeFileSync(join(site, 'index.html'), 'the start');
  writeFileSync(join(site, '404.html'), '<a href="__SITE__/index.html">start</a>');
  writeFileSync(join(site, 'guide/index.html'), 'the guide');
  writeFileSync(join(site, 'assets/site.css'), 'body {}');
  writeFileSync(join(site, 'assets/site.js'), 'start();');
  writeFileSync(join(site, 'assets/search.json'), '{}');
  writeFileSync(join(site, 'assets/icon.svg'), '<svg/>');
  writeFileSync(join(site, 'picture.png'), 'png');
  symlinkSync(join(folder, 'secret.txt'), join(site, 'linked.txt'));
  symlinkSync(join(folder, 'elsewhere'), join(site, 'linked'), 'junction');
  server = await DocumentationServer.start({ folder: site, port: 0 });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Sends the path as it is: `fetch` would tidy it. */
async function ask(
  path: string,
  options: { readonly method?: string; readonly headers?: Record<string, string> } = {},
): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ hostname, port, path, agent: false, ...options }, (response) => {
    response.setEncoding('utf8');
    let body = '';
    response.on('data', (text: string) => (body += text));
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }));
  });
  sent.on('error', reject).end();
  return promise;
}

describe('the server of the documentation', () => {
  it('listens on 127.0.0.1 alone', () => {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  });

  it.each([
    ['/', 'text/html; charset=utf-8', 'the start'],
    ['/index.html?x=1', 'text/html; charset=utf-8', 'the start'],
    ['/guide/', 'text/html; charset=utf-8', 'the guide'],
    ['/assets/site.css', 'text/css; charset=utf-8', 'body {}'],
    ['/assets/site.js', 'text/javascript; charset=utf-8', 'start();'],
    ['/assets/search.json', 'application/json', '{}'],
    ['/assets/icon.svg', 'image/svg+xml', '<svg/>'],
    ['/picture.png', 'image/png', 'png'],
  ])('serves %s as %s', async (path, type, body) => {
    const answer = await ask(path);
    expect([answer.status, answer.headers['content-type'], answer.body]).toEqual([200, type, body]);
  });

  it('sends a strict policy with every answer', async () => {
    for (const path of ['/', '/missing', '/guide', '/assets/site.js']) {
      const { headers } = await ask(path);
      expect(headers['content-security-policy'], path).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
      expect(headers['x-content-type-options'], path).toBe('nosniff');
      expect(headers['x-frame-options'], path).toBe('DENY');
      expect(headers['referrer-policy'], path).toBe('no-referrer');
    }
  });

  it('answers HEAD with the headers alone', async () => {
    const answer = await ask('/', { method: 'HEAD' });
    expect([answer.status, answer.headers['content-length'], answer.body]).toEqual([200, '9', '']);
  });

  it('leads the name of a folder to its page', async () => {
    const answer = await ask('/guide');
    expect([answer.status, answer.headers['location']]).toEqual([308, '/guide/']);
  });

  it('has a page for what does not exist, which leads back from any depth', async () => {
    for (const path of ['/missing', '/a/b/c.html', '/404.html']) {
      const answer = await ask(path);
      expect([answer.status, answer.headers['content-type']], path).toEqual([404, 'text/html; charset=utf-8']);
      expect(answer.body).toBe('<a href="/index.html">start</a>');
    }
  });

  it.each([
    '/../secret.txt',
    '/guide/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/%2E%2E%2Fsecret.txt',
    '/..%2fsecret.txt',
    '/%252e%252e%252fsecret.txt',
    '/..\\secret.txt',
    '/..%5csecret.txt',
    '/guide\\..\\..\\secret.txt',
    '//secret.txt',
    '/./../secret.txt',
    '/index.html%00.txt',
    '/secret.txt%00.html',
    '/%c0%ae%c0%ae/secret.txt',
    '/%zz',
    '/linked.txt',
    '/linked/secret.txt',
    '/guide/..',
  ])('keeps %j inside the site', async (path) => {
    const { status, body } = await ask(path);
    expect(body).not.toContain('secret');
    // A path that the address itself makes shorter is one of the site.
    expect(status === 404 || body === 'the start').toBe(true);
  });

  it('refuses a path with a NUL before it is looked at', async () => {
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    socket.setEncoding('utf8');
    let text = '';
    socket.on('data', (part: string) => (text += part));
    socket.write('GET /\0../secret.txt HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    await once(socket, 'close');
    expect(text).toContain('HTTP/1.1 400');
    expect(text).not.toContain('secret');
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('answers no %s', async (method) => {
    const answer = await ask('/', { method });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it('answers to its own name only, and to no page of another site', async () => {
    expect((await ask('/', { headers: { host: 'documentation.example' } })).status).toBe(421);
    expect((await ask('/', { headers: { origin: 'https://example.org' } })).status).toBe(403);
  });

  it('says which port it cannot have', async () => {
    const port = Number(new URL(server.url).port);
    await expect(DocumentationServer.start({ folder: site, port })).rejects.toThrow(
      `The documentation cannot be served on port ${port}: another program uses it.`,
    );
  });

  it('says how the documentation is built where it is not there', async () => {
    const started = DocumentationServer.start({ folder: join(folder, 'elsewhere'), port: 0 });
    await expect(started).rejects.toMatchObject({
      message: 'The documentation is missing.',
      details: { advice: 'Install Tabularium again; in a repository, run "npm run docs".' },
    });
  });
});
