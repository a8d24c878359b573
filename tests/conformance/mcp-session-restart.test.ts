import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { READING_ROOM, McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { initializeBody, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import type { RawAnswer } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { RunningApplication } from '../support/runningApplication.ts';
import { MCP_LIMITS } from '../../host/src/runtime/mcp/server/limits.ts';

const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

describe('a session of an older protocol version, when the MCP server starts again', () => {
  let fixture: McpFixture;
  let port: number;
  let token: string;

  beforeEach(async () => {
    fixture = new McpFixture();
    ({ port } = await fixture.start());
    token = fixture.mint().text;
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  const restart = async (): Promise<void> => {
    await fixture.server.stop();
    await fixture.server.start({ port });
  };
  const begin = async (body = initializeBody('2025-11-25'), as = token): Promise<string> => {
    const answer = await rawRequest(port, { token: as, body });
    expect(answer.status).toBe(200);
    return String(answer.headers['mcp-session-id']);
  };
  const send = (id: string, body: unknown = ping, as = token): Promise<RawAnswer> =>
    rawRequest(port, { token: as, headers: { 'mcp-session-id': id }, body });

  it('continues for the official client 1.x, which never begins another one', async () => {
    const client = new FirstClient({ name: 'test', version: '1' });
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    await client.connect(new FirstTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
    const before = await client.listTools();
    for (let round = 0; round < 3; round += 1) {
      await restart();
      expect(await client.listTools()).toEqual(before);
    }
    await client.close();
  });

  it('remembers that the client can ask its person', async () => {
    fixture.setAccess(READING_ROOM, { externalClients: 'readWrite', aiPolicy: 'askEachTime' });
    const questions: string[] = [];
    const client = new ModernClient({ name: 'test', version: '1' }, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action: 'decline' };
    });
    const writer = fixture.mint({ scope: 'fullAccess' }).text;
    const url = new URL(`http://127.0.0.1:${port}/mcp`);
    await client.connect(new ModernTransport(url, { requestInit: { headers: { authorization: `Bearer ${writer}` } } }));
    await restart();
    const args = { connection: READING_ROOM, statement: 'destroy it' };
    const answer = await client.callTool({ name: 'confirm_destructive_operation', arguments: args });
    expect(questions).toHaveLength(1);
    expect(answer.isError).toBe(true);
    await client.close();
  });

  it('keeps the level of its log messages', async () => {
    const id = await begin();
    await send(id, { ...ping, method: 'logging/setLevel', params: { level: 'error' } });
    await restart();
    const call = {
      ...ping,
      method: 'tools/call',
      params: { name: 'describe_table', arguments: { connection: READING_ROOM, table: 'nowhere' } },
    };
    expect((await send(id, call)).text).not.toContain('notifications/message');
    expect((await send(await begin(), call)).text).toContain('notifications/message');
  });

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'logging/setLevel', params: { level: 'x'.repeat(100_000) } }],
    ['a notification of a real level', { jsonrpc: '2.0', method: 'logging/setLevel', params: { level: 'debug' } }],
    ['a level that does not exist', { ...ping, method: 'logging/setLevel', params: { level: 'x'.repeat(100_000) } }],
  ])('stores no level of %s, and keeps the one that was set', async (_, body) => {
    const id = await begin();
    await send(id, { ...ping, method: 'logging/setLevel', params: { level: 'error' } });
    await send(id, body);
    expect(fixture.database.prepare('SELECT log_level FROM mcp_sessions').all()).toEqual([{ log_level: 'error' }]);
  });

  it('is begun once for requests at the same time', async () => {
    const id = await begin();
    await restart();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(id)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(fixture.internalErrors).toEqual([]);
  });

  it('is unknown to every other token', async () => {
    const id = await begin();
    const other = fixture.mint().text;
    await restart();
    expect((await send(id, ping, other)).status).toBe(404);
    expect((await send(id)).status).toBe(200);
    expect((await send(id, ping, other)).status).toBe(404);
  });

  it('stays ended if its client ended it, its token was revoked or its person disconnected it', async () => {
    const ended = await begin();
    await rawRequest(port, { method: 'DELETE', token, headers: { 'mcp-session-id': ended } });
    const guest = fixture.mint();
    const disconnected = await begin(undefined, guest.text);
    await send(disconnected, { ...ping, method: 'tools/list' }, guest.text);
    await fixture.server.disconnect(guest.info.id);
    const revoked = fixture.mint();
    await begin(undefined, revoked.text);
    fixture.tokens.revoke(revoked.info.id);
    await restart();
    expect((await send(ended)).status).toBe(404);
    expect((await send(disconnected, ping, guest.text)).status).toBe(404);
    expect(fixture.database.prepare('SELECT count(*) AS n FROM mcp_sessions').get()).toEqual({ n: 0 });
  });

  it('ends when it was not used for long, also while the server was away', async () => {
    const id = await begin();
    await fixture.server.stop();
    fixture.now += MCP_LIMITS.sessionIdleMilliseconds;
    await fixture.server.start({ port });
    expect((await send(id)).status).toBe(404);
  });

  it('does not continue with the file alone: it has no id and no token', async () => {
    const id = await begin();
    const text = JSON.stringify(fixture.database.prepare('SELECT * FROM mcp_sessions').all());
    expect(text).not.toContain(id);
    expect(text).not.toContain(token);
  });

  it.each(['{', '{"method":"ping"}', '[]', ''])('is as good as none if its row is damaged: %j', async (damage) => {
    const [id, other] = [await begin(), await begin(initializeBody('2025-06-18'))];
    fixture.database.prepare('UPDATE mcp_sessions SET initialize = ? WHERE instr(initialize, ?) > 0').run(damage, '2025-11-25');
    await restart();
    expect((await send(id)).status).toBe(404);
    expect((await send(other)).status).toBe(200);
    expect(fixture.internalErrors).toEqual([]);
  });

  it('is not stored for a client whose declaration is endless, and the number of stored ones is bounded', async () => {
    const long = initializeBody('2025-11-25');
    Object.assign(long['params'] as object, { capabilities: { experimental: { a: { b: 'x'.repeat(20_000) } } } });
    const id = await begin(long);
    expect((await send(id)).status).toBe(200);
    await restart();
    expect((await send(id)).status).toBe(404);
    for (let count = 0; count < MCP_LIMITS.sessionsPerPrincipal + 5; count += 1) await begin();
    expect(fixture.database.prepare('SELECT count(*) AS n FROM mcp_sessions').get()).toEqual({
      n: MCP_LIMITS.sessionsPerPrincipal,
    });
  });
});

describe('a session of an older protocol version, when the host is killed', () => {
  it('continues with the next host, for the official client 1.x', async () => {
    await using application = await RunningApplication.start();
    const { url } = application;
    const token = await application.mint('readOnly');
    const client = new FirstClient({ name: 'test', version: '1' });
    await client.connect(new FirstTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } }));
    const before = await client.callTool({ name: 'list_connections', arguments: {} });
    await application.kill();
    await expect(client.callTool({ name: 'list_connections', arguments: {} })).rejects.toThrow();
    await application.startHost(Number(url.port));
    expect(await client.callTool({ name: 'list_connections', arguments: {} })).toEqual(before);
    await client.close();
  });
});
