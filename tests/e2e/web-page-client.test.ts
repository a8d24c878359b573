import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { initializeBody, modernRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { startBrowser } from './browser.ts';

/** A site that has nothing but an empty page. */
async function startSite(): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>Site</title>'),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, origin: `http://localhost:${(server.address() as AddressInfo).port}` };
}

interface PageRequest {
  readonly url: string;
  readonly token: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

describe('an MCP client in a web page', () => {
  let browser: Browser;
  let fixture: McpFixture;
  let listed: Awaited<ReturnType<typeof startSite>>;
  let other: Awaited<ReturnType<typeof startSite>>;

  beforeAll(async () => {
    [browser, listed, other] = await Promise.all([startBrowser(), startSite(), startSite()]);
    fixture = new McpFixture({ allowedOrigins: () => [listed.origin] });
    await fixture.start();
  });
  afterAll(async () => {
    await browser.close();
    await fixture[Symbol.asyncDispose]();
    for (const { server } of [listed, other]) {
      server.closeAllConnections();
      server.close();
    }
  });

  /** Sends it as the script of a page does; the text of the error where the browser refuses. */
  async function sendFrom(
    origin: string,
    request: PageRequest,
  ): Promise<{ status?: number; session?: string | null; text: string }> {
    const page = await browser.newPage();
    try {
      await page.goto(origin);
      return await page.evaluate(async ({ url, token, method = 'POST', headers = {}, body }) => {
        try {
          const answer = await fetch(url, {
            method,
            headers: {
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
              accept: 'application/json, text/event-stream',
              ...headers,
            },
            ...(body === undefined ? {} : { body: JSON.stringify(body) }),
          });
          return { status: answer.status, session: answer.headers.get('mcp-session-id'), text: await answer.text() };
        } catch (error) {
          return { text: String(error) };
        }
      }, request);
    } finally {
      await page.close();
    }
  }

  it('of a listed origin works in a session, from its beginning to its end', async () => {
    const { url } = fixture.address;
    const token = fixture.mint().text;
    const begun = await sendFrom(listed.origin, { url, token, body: initializeBody('2025-11-25') });
    expect(begun.status).toBe(200);
    const headers = { 'mcp-session-id': String(begun.session), 'mcp-protocol-version': '2025-11-25' };
    const list = { jsonrpc: '2.0', id: 2, method: 'tools/list' };
    expect((await sendFrom(listed.origin, { url, token, headers, body: list })).text).toContain('list_connections');
    expect((await sendFrom(listed.origin, { url, token, headers, method: 'DELETE' })).status).toBe(200);
  });

  it('of a listed origin works without a session, and reads why it is refused', async () => {
    const { url } = fixture.address;
    const { headers, body } = modernRequest('tools/list');
    const request = { url, headers: headers as Record<string, string>, body };
    expect((await sendFrom(listed.origin, { ...request, token: fixture.mint().text })).text).toContain('list_connections');
    expect(await sendFrom(listed.origin, { ...request, token: 'wrong' })).toMatchObject({
      status: 401,
      text: expect.stringContaining('-33009') as string,
    });
  });

  it('of any other origin reads nothing, with a good token too', async () => {
    const { url } = fixture.address;
    const token = fixture.mint().text;
    const requests = fixture.reports.length;
    expect(await sendFrom(other.origin, { url, token, body: initializeBody('2025-11-25') })).toEqual({
      text: 'TypeError: Failed to fetch',
    });
    const { headers, body } = modernRequest('tools/list');
    expect(await sendFrom(other.origin, { url, token, headers: headers as Record<string, string>, body })).toEqual({
      text: 'TypeError: Failed to fetch',
    });
    expect(fixture.reports).toHaveLength(requests);
  });
});
