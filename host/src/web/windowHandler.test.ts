import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FetchHandler } from '../common/fetchHandler.ts';
import { windowHandler } from './windowHandler.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabularium-window-'));
const asked: string[] = [];
let handler: FetchHandler;

beforeAll(async () => {
  mkdirSync(join(folder, 'renderer/assets'), { recursive: true });
  writeFileSync(join(folder, 'renderer/index.html'), '<meta name="csp-nonce" content="__CSP_NONCE__" />');
  writeFileSync(join(folder, 'renderer/assets/main.js'), 'start();');
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  mkdirSync(join(folder, 'documentation'));
  writeFileSync(join(folder, 'documentation/index.html'), 'the start');
  writeFileSync(join(folder, 'documentation/404.html'), '<a href="__SITE__/index.html">start</a>');
  handler = await windowHandler(
    async (request) => {
      asked.push(request.url);
      return new Response('from the API');
    },
    join(folder, 'renderer'),
    join(folder, 'documentation'),
  );
});

afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const ask = (path: string, init?: RequestInit): Promise<Response> => handler(new Request(`tabularium-app://app${path}`, init));

describe('windowHandler', () => {
  it('serves the page with a nonce of its own each time', async () => {
    const nonces = new Set<string>();
    for (let visit = 0; visit < 2; visit++) {
      const page = await ask('/');
      const nonce = /content="([^"]+)"/.exec(await page.text())?.[1] ?? '';
      expect(page.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
      nonces.add(nonce);
    }
    expect(nonces.size).toBe(2);
  });

  it('serves the files beside it, and nothing from elsewhere', async () => {
    const script = await ask('/assets/main.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await script.text()).toBe('start();');
    for (const path of ['/../secret.txt', '/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets', '/missing.js', '//secret.txt']) {
      expect((await ask(path)).status, path).toBe(404);
    }
    expect((await ask('/', { method: 'POST' })).status).toBe(404);
  });

  it('serves the documentation below a path of its own, under the strict policy', async () => {
    const start = await ask('/docs/');
    expect(await start.text()).toBe('the start');
    expect(start.headers.get('content-security-policy')).toContain("style-src 'self';");
    const missing = await ask('/docs/a/b.html');
    expect([missing.status, await missing.text()]).toEqual([404, '<a href="/docs/index.html">start</a>']);
    expect((await ask('/docs/../secret.txt')).status).toBe(404);
  });

  it('hands everything under /api/ to the runtime', async () => {
    expect(await (await ask('/api/trpc/application.info?x=1')).text()).toBe('from the API');
    expect(asked.filter((url) => !url.endsWith('/application.preferences'))).toEqual([
      'tabularium-app://app/api/trpc/application.info?x=1',
    ]);
  });

  it('answers its own page alone, under a strict policy', async () => {
    const response = await ask('/api/x');
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self';");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    for (const origin of ['tabularium-app://elsewhere', 'tabularium-app://app.evil', 'https://app']) {
      expect((await handler(new Request(`${origin}/api/x`))).status, origin).toBe(403);
    }
  });
});
