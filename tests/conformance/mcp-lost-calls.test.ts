import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { READING_ROOM, McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { initializeBody, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import type { RawAnswer } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';

const LIST_TABLES = { name: 'list_tables', arguments: { connection: READING_ROOM } };
const call = (id: unknown = 7) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: LIST_TABLES });

let fixture: McpFixture;
let port: number;
let token: string;

beforeEach(async () => {
  fixture = new McpFixture({ limits: { stopMilliseconds: 50 } });
  ({ port } = await fixture.start());
  token = fixture.mint().text;
});
afterEach(() => fixture[Symbol.asyncDispose]());

/** Everything that is listed from now on waits for ever. @returns when the next call has begun */
function hold(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  fixture.session.gate = new Promise(() => undefined);
  fixture.session.onBegin = resolve;
  return promise;
}

async function restart(): Promise<void> {
  await fixture.server.stop();
  fixture.session.gate = undefined;
  await fixture.server.start({ port });
}

describe('a call in flight when the MCP server stops', () => {
  it.each([
    [
      '1.x',
      async (url: URL, headers: Record<string, string>) => {
        const client = new FirstClient({ name: 'test', version: '1' });
        await client.connect(new FirstTransport(url, { requestInit: { headers } }));
        return client;
      },
    ],
    [
      '2.x',
      async (url: URL, headers: Record<string, string>) => {
        const client = new ModernClient({ name: 'test', version: '1' });
        await client.connect(new ModernTransport(url, { requestInit: { headers } }));
        return client;
      },
    ],
  ])('fails soon in the official client %s once the server is back, and the client continues', async (_, connect) => {
    const client = await connect(new URL(`http://127.0.0.1:${port}/mcp`), { authorization: `Bearer ${token}` });
    const begun = hold();
    const lost = client.callTool(LIST_TABLES).then(
      () => 'answered',
      (error: unknown) => error,
    );
    await begun;
    // The head of the answer leaves a turn after the call has begun.
    await delay(100);
    await restart();
    expect(await lost).toMatchObject({
      code: -33_000,
      message: expect.stringContaining('The call may have been carried out') as string,
    });
    expect(await client.callTool(LIST_TABLES)).toMatchObject({ content: [expect.anything()] });
    await client.close();
  });
});

describe('the answer of a call that is asked for again', () => {
  const begin = async (version = '2025-11-25', as = token): Promise<Record<string, string>> => {
    const answer = await rawRequest(port, { token: as, body: initializeBody(version) });
    expect(answer.status).toBe(200);
    return { 'mcp-session-id': String(answer.headers['mcp-session-id']), 'mcp-protocol-version': version };
  };

  /** Reads a stream until it has begun, and breaks it. @returns its first part */
  const breakOff = (session: Record<string, string>, body: unknown): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        ...session,
      };
      const sent = request({ host: '127.0.0.1', port, method: 'POST', path: '/mcp', headers, agent: false }, (response) => {
        response.on('error', () => undefined);
        response.once('data', (part: Buffer) => {
          response.destroy();
          resolve(part.toString());
        });
        response.once('end', () => resolve(''));
      });
      sent.on('error', reject);
      sent.end(JSON.stringify(body));
    });
  const eventIdOf = (text: string): string => /^id: (\S+)$/m.exec(text)?.[1] ?? '';
  const ask = (session: Record<string, string>, lastEventId: string, as = token): Promise<RawAnswer> =>
    rawRequest(port, { method: 'GET', token: as, headers: { ...session, 'last-event-id': lastEventId } });

  it.each([7, 'seven', '„é“\n\u0000', 0])('names the call %j once, also where the server did not stop', async (id) => {
    const session = await begin();
    void hold();
    const event = eventIdOf(await breakOff(session, call(id)));
    expect(event).toMatch(/^[\w-]+$/);
    // The server sees the broken connection a little later than the client.
    await expect
      .poll(async () => (await ask(session, event)).json)
      .toMatchObject({ jsonrpc: '2.0', id, error: { code: -33_000 } });
    expect((await ask(session, event)).status).toBe(405);
  });

  it('is not there for a call that was answered, whatever the client keeps', async () => {
    const session = await begin();
    const gate = Promise.withResolvers<void>();
    fixture.session.gate = gate.promise;
    fixture.session.onBegin = () => void delay(100).then(() => gate.resolve());
    const answer = await rawRequest(port, { token, headers: session, body: call() });
    expect(answer.json).toMatchObject({ id: 7, result: {} });
    expect((await ask(session, eventIdOf(answer.text))).status).toBe(405);
  });

  it('lets an answer that is there at once leave without an event more', async () => {
    const answer = await rawRequest(port, { token, headers: await begin(), body: { jsonrpc: '2.0', id: 7, method: 'ping' } });
    expect(answer.json).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
    expect(eventIdOf(answer.text)).toBe('');
  });

  it('is nothing for clients of 2025-06-18: they cannot read an event without data', async () => {
    const session = await begin('2025-06-18');
    const gate = Promise.withResolvers<void>();
    fixture.session.gate = gate.promise;
    fixture.session.onBegin = () => void delay(100).then(() => gate.resolve());
    const answer = await rawRequest(port, { token, headers: session, body: call() });
    expect(answer.json).toMatchObject({ id: 7, result: {} });
    expect(eventIdOf(answer.text)).toBe('');
  });

  it('is for the session and the token of the call alone', async () => {
    const session = await begin();
    void hold();
    const event = eventIdOf(await breakOff(session, call()));
    const other = fixture.mint().text;
    expect((await ask(session, event, other)).status).toBe(404);
    expect((await ask(await begin(), event)).status).toBe(405);
    expect((await rawRequest(port, { method: 'GET', token, headers: { 'last-event-id': event } })).status).toBe(400);
    expect((await rawRequest(port, { method: 'GET', headers: { ...session, 'last-event-id': event } })).status).toBe(401);
  });

  it.each(['', 'x', 'bnVsbA', '"][', Buffer.from('["a",{}]').toString('base64url'), 'A'.repeat(5_000)])(
    'is not there for the id %j',
    async (id) => {
      expect((await ask(await begin(), id)).status).toBe(405);
      expect(fixture.internalErrors).toEqual([]);
    },
  );
});
