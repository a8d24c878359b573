import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { initializeBody, modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import type { RawAnswer, RawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { TOOLS } from '../../host/src/runtime/mcp/tools/registry.ts';
import { resultOf, toolAnswer } from '../support/toolAnswer.ts';

describe('the MCP endpoint', () => {
  let fixture: McpFixture;
  let port: number;
  let token: string;

  beforeEach(async () => {
    fixture = new McpFixture({ limits: { stopMilliseconds: 200 } });
    ({ port } = await fixture.start());
    token = fixture.mint().text;
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const send = (request: RawRequest): Promise<RawAnswer> => rawRequest(port, { token, ...request });
  const session = async (version = '2025-11-25', as = token): Promise<string> => {
    const answer = await rawRequest(port, { token: as, body: initializeBody(version) });
    expect(answer.status).toBe(200);
    return String(answer.headers['mcp-session-id']);
  };
  const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

  describe('methods and paths', () => {
    it.each(['GET', 'PUT', 'PATCH', 'OPTIONS'])('answers %s with 405 and says what is allowed', async (method) => {
      const answer = await send({ method, headers: { accept: 'text/event-stream' } });
      expect(answer).toMatchObject({
        status: 405,
        headers: { allow: 'POST, DELETE' },
        json: { jsonrpc: '2.0', error: { code: -32_600 } },
      });
      expect(answer.json).not.toHaveProperty('id');
    });

    it('answers HEAD with 405', async () => {
      expect(await send({ method: 'HEAD' })).toMatchObject({ status: 405, text: '' });
    });

    it.each(['/', '/mcp2', '/mcp/x', '/sse', '//mcp'])('returns 404 for %s', async (path) => {
      expect((await send({ path, body: ping })).status).toBe(404);
    });

    it('answers at /mcp/ and with a query too', async () => {
      expect((await send({ path: '/mcp/?x=1', ...modernRequest('server/discover') })).status).toBe(200);
    });
  });

  describe('bodies', () => {
    it.each([
      ['nothing', ''],
      ['no JSON', '{"jsonrpc":'],
      ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ])('answers %s with -32700', async (_, body) => {
      const answer = await send({ body });
      expect(answer).toMatchObject({ status: 400, json: { jsonrpc: '2.0', error: { code: -32_700 } } });
      expect(answer.json).not.toHaveProperty('id');
    });

    it.each([
      ['a text', '"hello"'],
      ['null', 'null'],
      ['another version of JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }],
      ['no method', { jsonrpc: '2.0', id: 1 }],
      ['an id that is no id', { jsonrpc: '2.0', id: { x: 1 }, method: 'ping' }],
      ['an id of null', { jsonrpc: '2.0', id: null, method: 'ping' }],
      ['an id with a fraction', { ...ping, id: 1.5 }],
      ['parameters by position', { ...ping, params: [1] }],
      ['parameters that are none', { ...ping, params: 'x' }],
      ['a batch', [ping, ping]],
      ['an empty batch', []],
      ['a batch of one, as initialize', [initializeBody('2025-06-18')]],
    ])('answers %s with -32600', async (_, body) => {
      const answer = await send({ body: typeof body === 'string' ? body : JSON.stringify(body) });
      expect(answer).toMatchObject({ status: 400, json: { jsonrpc: '2.0', error: { code: -32_600 } } });
      expect((answer.json as { id?: unknown }).id ?? undefined).not.toBeNull();
    });

    it.each([
      ['another type', { 'content-type': 'text/plain' }],
      ['no type', { 'content-type': undefined }],
      ['a compressed body', { 'content-encoding': 'gzip' }],
    ])('answers %s with 415', async (_, headers) => {
      expect(await send({ headers, body: ping })).toMatchObject({ status: 415, json: { error: { code: -32_600 } } });
    });
  });

  describe('2026-07-28', () => {
    it('answers without a session: who it is, which versions, how long that may be kept', async () => {
      const answer = await send(modernRequest('server/discover'));
      expect(answer).toMatchObject({
        status: 200,
        json: {
          id: 1,
          result: {
            resultType: 'complete',
            supportedVersions: ['2026-07-28'],
            capabilities: { tools: {} },
            ttlMs: 3_600_000,
            cacheScope: 'private',
            _meta: {
              'io.modelcontextprotocol/serverInfo': {
                name: 'tabularium',
                title: 'Tabularium',
                version: '1.2.3',
                description: expect.stringContaining('saved in Tabularium') as string,
                icons: [{ mimeType: 'image/png', src: expect.stringMatching(/^data:image\/png;base64,/) as string }],
              },
            },
          },
        },
      });
      // Not with every answer.
      expect((await send(modernRequest('tools/list'))).json).toHaveProperty(
        ['result', '_meta', 'io.modelcontextprotocol/serverInfo'],
        { name: 'tabularium', title: 'Tabularium', version: '1.2.3' },
      );
      expect(answer.headers).not.toHaveProperty('mcp-session-id');
      expect((await send(modernRequest('tools/list'))).json).toMatchObject({
        result: { resultType: 'complete', ttlMs: 300_000, cacheScope: 'private' },
      });
    });

    it.each(['initialize', 'ping', 'resources/subscribe', 'logging/setLevel', 'tasks/get', 'no/such'])(
      'does not know %s',
      async (method) => {
        expect(await send(modernRequest(method))).toMatchObject({ status: 404, json: { id: 1, error: { code: -32_601 } } });
      },
    );

    it('refuses headers that say something else than the body', async () => {
      const { body, headers } = modernRequest('tools/call', { name: 'list_connections' });
      for (const wrong of [
        { 'mcp-method': 'tools/list' },
        { 'mcp-name': 'list_tables' },
        { 'mcp-method': undefined },
        { 'mcp-protocol-version': undefined },
      ]) {
        expect(await send({ body, headers: { ...headers, ...wrong } })).toMatchObject({
          status: 400,
          json: { error: { code: -32_020 } },
        });
      }
      expect(fixture.reports).toEqual([]);
    });

    it('refuses a version that it does not speak', async () => {
      const { body } = modernRequest('tools/list');
      const asked = JSON.parse(JSON.stringify(body).replace('2026-07-28', '2099-01-01')) as unknown;
      expect(
        await send({ body: asked, headers: { 'mcp-protocol-version': '2099-01-01', 'mcp-method': 'tools/list' } }),
      ).toMatchObject({
        status: 400,
        json: { error: { code: -32_022, data: { requested: '2099-01-01', supported: ['2026-07-28'] } } },
      });
    });

    it('answers Forbidden with 200, so that clients see the code', async () => {
      expect(await send(modernRequest('tools/call', { name: 'list_tables', arguments: { connection: 'Vault' } }))).toMatchObject({
        status: 200,
        json: { id: 1, error: { code: -33_007 } },
      });
    });

    it('ends a subscription at once to what never changes', async () => {
      const answer = await send(modernRequest('subscriptions/listen', { notifications: { promptsListChanged: true } }, 'sub'));
      expect(answer.text).toContain('"notifications":{}');
      expect(answer.json).toMatchObject({ id: 'sub', result: { resultType: 'complete' } });
    });

    it('stops a call when the client goes away', async () => {
      const gate = Promise.withResolvers<void>();
      fixture.session.gate = gate.promise;
      const begun = Promise.withResolvers<void>();
      fixture.session.onBegin = () => begun.resolve();
      const { headers, body } = modernRequest('tools/call', { name: 'list_tables', arguments: { connection: READING_ROOM } });
      const leaving = new AbortController();
      const asked = fetch(fixture.address.url, {
        method: 'POST',
        signal: leaving.signal,
        headers: { ...(headers as Record<string, string>), 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      await begun.promise;
      const reported = Promise.withResolvers<void>();
      fixture.server.onCall(() => reported.resolve());
      leaving.abort();
      await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
      await reported.promise;
      expect(fixture.session.signals[0]?.aborted).toBe(true);
      expect(fixture.reports).toMatchObject([{ outcome: 'cancelled' }]);
    });
  });

  describe('2025-11-25 and 2025-06-18', () => {
    it.each(['2025-11-25', '2025-06-18'])('speaks %s in a session', async (version) => {
      const answer = await send({ body: initializeBody(version) });
      expect(answer.json).toMatchObject({
        id: 1,
        result: { protocolVersion: version, serverInfo: { name: 'tabularium', icons: [{ mimeType: 'image/png' }] } },
      });
      const headers = { 'mcp-session-id': answer.headers['mcp-session-id'], 'mcp-protocol-version': version };
      expect(await send({ headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } })).toMatchObject({
        status: 202,
        text: '',
      });
      expect(await send({ headers, body: ping })).toMatchObject({ status: 200, json: { id: 7, result: {} } });
      expect(await send({ headers: { ...headers, 'mcp-protocol-version': undefined }, body: ping })).toMatchObject({
        status: 200,
      });
    });

    it.each(['2025-03-26', '2024-11-05', '2024-10-07'])('refuses %s and says what it speaks', async (version) => {
      const expected = {
        status: 400,
        json: {
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: -32_602,
            message: 'Unsupported protocol version',
            data: { supported: ['2026-07-28', '2025-11-25', '2025-06-18'], requested: version },
          },
        },
      };
      const answer = await send({ body: initializeBody(version) });
      expect(answer).toMatchObject(expected);
      expect(answer.headers).not.toHaveProperty('mcp-session-id');
      const headers = { 'mcp-session-id': await session(), 'mcp-protocol-version': version };
      expect(await send({ headers, body: { ...ping, id: 1 } })).toMatchObject(expected);
    });

    it('makes a counter-offer for a version that is yet to come', async () => {
      expect((await send({ body: initializeBody('2031-01-01') })).json).toMatchObject({
        result: { protocolVersion: '2025-11-25' },
      });
    });

    it('refuses an initialize that lacks something', async () => {
      expect(await send({ body: initializeBody(5) })).toMatchObject({ status: 400, json: { id: 1, error: { code: -32_602 } } });
    });

    it('refuses a second initialize in a session, and names the request that it refuses', async () => {
      const headers = { 'mcp-session-id': await session() };
      expect(await send({ headers, body: initializeBody('2025-11-25', 'second') })).toMatchObject({
        status: 400,
        json: { id: 'second', error: { code: -32_600 } },
      });
      expect((await send({ headers, body: ping })).status).toBe(200);
    });

    it('answers 400 without a session and 404 for one that is not there', async () => {
      expect(await send({ body: ping })).toMatchObject({ status: 400, json: { id: 7, error: { code: -32_600 } } });
      expect(await send({ body: ping, headers: { 'mcp-session-id': 'nothing' } })).toMatchObject({
        status: 404,
        json: { id: 7, error: { code: -33_001 } },
      });
      expect((await send({ method: 'DELETE' })).status).toBe(400);
      expect((await send({ method: 'DELETE', headers: { 'mcp-session-id': 'nothing' } })).status).toBe(404);
    });

    it('ends a session with DELETE', async () => {
      const headers = { 'mcp-session-id': await session() };
      expect((await send({ method: 'DELETE', headers })).status).toBe(200);
      expect((await send({ body: ping, headers })).status).toBe(404);
      expect((await send({ method: 'DELETE', headers })).status).toBe(404);
    });

    it.each(['resources/subscribe', 'resources/unsubscribe', 'tasks/list', 'no/such'])('does not know %s', async (method) => {
      const headers = { 'mcp-session-id': await session() };
      const params = { uri: 'tabularium://connections' };
      expect((await send({ headers, body: { ...ping, method, params } })).json).toMatchObject({
        id: 7,
        error: { code: -32_601 },
      });
    });

    it('requires a client that accepts JSON and streams, wildcards included', async () => {
      const headers = { 'mcp-session-id': await session() };
      expect((await send({ headers: { ...headers, accept: 'application/json' }, body: ping })).status).toBe(406);
      for (const accept of ['*/*', undefined, 'application/*, text/event-stream;q=0.5']) {
        expect((await send({ headers: { ...headers, accept }, body: ping })).status).toBe(200);
      }
    });

    it('ends unused sessions', async () => {
      const headers = { 'mcp-session-id': await session() };
      fixture.now += 3_600_000 - 1;
      expect((await send({ headers, body: ping })).status).toBe(200);
      fixture.now += 3_600_000;
      expect((await send({ headers, body: ping })).status).toBe(404);
    });

    it('cancels a call when the client says so', async () => {
      const headers = { 'mcp-session-id': await session() };
      fixture.session.gate = new Promise(() => undefined);
      const begun = Promise.withResolvers<void>();
      fixture.session.onBegin = () => begun.resolve();
      const reported = Promise.withResolvers<void>();
      fixture.server.onCall(() => reported.resolve());
      const asked = send({
        headers,
        body: { ...ping, method: 'tools/call', params: { name: 'list_tables', arguments: { connection: READING_ROOM } } },
      });
      await begun.promise;
      await send({ headers, body: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } } });
      await reported.promise;
      expect(fixture.reports).toMatchObject([{ outcome: 'cancelled' }]);
      await send({ method: 'DELETE', headers });
      await asked;
    });
  });

  describe('pages of lists', () => {
    it('hands out every tool once, over pages', async () => {
      await using small = new McpFixture({ limits: { pageEntries: 2 } });
      const address = await small.start();
      small.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'askEachTime' });
      small.exportFolders = ['/granted'];
      const own = small.mint({ scope: 'fullAccess' }).text;
      const names: string[] = [];
      let cursor: string | undefined;
      do {
        const answer = await rawRequest(address.port, {
          token: own,
          ...modernRequest('tools/list', cursor === undefined ? {} : { cursor }),
        });
        const { result } = answer.json as { result: { tools: { name: string }[]; nextCursor?: string } };
        expect(result.tools.length).toBeLessThanOrEqual(2);
        names.push(...result.tools.map(({ name }) => name));
        cursor = result.nextCursor;
      } while (cursor !== undefined);
      expect(names).toEqual(TOOLS.map(({ listed }) => listed.name));
    });

    it.each([
      '',
      'x',
      Buffer.from('["tools","nothing"]').toString('base64url'),
      Buffer.from('["prompts","list_tables"]').toString('base64url'),
    ])('refuses the cursor %j', async (cursor) => {
      expect((await send(modernRequest('tools/list', { cursor }))).json).toMatchObject({ error: { code: -32_602 } });
    });
  });

  describe('starting and stopping', () => {
    it('takes another port when the preferred one is in use', async () => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const taken = (other.address() as AddressInfo).port;
      await using second = new McpFixture();
      const address = await second.server.start({ port: taken });
      expect(address.port).not.toBe(taken);
      expect(address.url).toBe(`http://127.0.0.1:${address.port}/mcp`);
      expect((await rawRequest(address.port, { method: 'GET' })).status).toBe(405);
      await new Promise((resolve) => other.close(resolve));
    });

    it('refuses a port in use that a person has named, on which clients look for it', async () => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const taken = (other.address() as AddressInfo).port;
      await using second = new McpFixture();
      const [begun, ended] = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'clearInterval')];
      await expect(second.server.start({ port: taken, isRequired: true })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        message: `The MCP server cannot be served on port ${taken}: another program uses it.`,
      });
      expect(second.server.address).toBeUndefined();
      // No timer is left that would look after sessions in a database that is closed.
      const cleared = new Set<unknown>(ended.mock.calls.map(([timer]) => timer));
      const left = begun.mock.results.filter(({ value }) => !cleared.has(value));
      vi.restoreAllMocks();
      expect(left).toEqual([]);
      await new Promise((resolve) => other.close(resolve));
      expect(await second.server.start({ port: taken, isRequired: true })).toMatchObject({ port: taken });
    });

    it('starts once, stops once, and starts again at the same port', async () => {
      expect(await fixture.server.start()).toEqual({ url: `http://127.0.0.1:${port}/mcp`, port });
      const headers = { 'mcp-session-id': await session() };
      await Promise.all([fixture.server.stop(), fixture.server.stop()]);
      expect(fixture.server.address).toBeUndefined();
      await expect(send({ body: ping })).rejects.toMatchObject({ code: 'ECONNREFUSED' });
      expect((await fixture.server.start({ port })).port).toBe(port);
      expect((await send({ headers, body: ping })).status).toBe(200);
      expect((await send(modernRequest('server/discover'))).status).toBe(200);
    });

    it('lets a call in flight finish', async () => {
      await using patient = new McpFixture({ limits: { stopMilliseconds: 3_600_000 } });
      const address = await patient.start();
      const gate = Promise.withResolvers<void>();
      patient.session.gate = gate.promise;
      const begun = Promise.withResolvers<void>();
      patient.session.onBegin = () => begun.resolve();
      const asked = rawRequest(address.port, {
        token: patient.mint().text,
        ...modernRequest('tools/call', { name: 'list_tables', arguments: { connection: READING_ROOM } }),
      });
      await begun.promise;
      const stopped = patient.server.stop();
      gate.resolve();
      expect(toolAnswer(resultOf(await asked))).toMatchObject({ total: 6 });
      await stopped;
    });

    it('does not wait for ever for a call that hangs', async () => {
      fixture.session.gate = new Promise(() => undefined);
      const begun = Promise.withResolvers<void>();
      fixture.session.onBegin = () => begun.resolve();
      const asked = send(modernRequest('tools/call', { name: 'list_tables', arguments: { connection: READING_ROOM } }));
      await begun.promise;
      await fixture.server.stop();
      expect(await asked).toMatchObject({ status: 503, json: { id: 1, error: { code: -33_000 } } });
      expect(fixture.session.signals[0]?.aborted).toBe(true);
    });

    it('stops a call that takes too long, and notifies the client', async () => {
      await using quick = new McpFixture({ limits: { callMilliseconds: 50 } });
      quick.session.gate = new Promise(() => undefined);
      const address = await quick.start();
      const answer = await rawRequest(address.port, {
        token: quick.mint().text,
        ...modernRequest('tools/call', { name: 'list_tables', arguments: { connection: READING_ROOM } }),
      });
      expect(answer.json).toMatchObject({
        result: { isError: true, content: [{ text: expect.stringMatching(/^TIMEOUT: /) as string }] },
      });
      expect(quick.reports).toMatchObject([{ outcome: 'failed', code: 'TIMEOUT' }]);
    });
  });
});
