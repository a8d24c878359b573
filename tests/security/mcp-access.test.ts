import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { ARCHIVE, DIARY, McpFixture, READING_ROOM, VAULT } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { initializeBody, modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { defineTool } from '../../host/src/runtime/mcp/tools/tool.ts';
import type { RawAnswer, RawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import { resultOf, toolAnswer } from '../support/toolAnswer.ts';

const HOUR = 3_600_000;
const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };
const discover = modernRequest('server/discover');
const callTables = (connection: string): RawRequest =>
  modernRequest('tools/call', { name: 'list_tables', arguments: { connection } });

let fixture: McpFixture;
let port: number;

beforeEach(async () => {
  fixture = new McpFixture();
  ({ port } = await fixture.start());
});
afterEach(() => fixture[Symbol.asyncDispose]());

const send = (token: string | undefined, request: RawRequest = discover): Promise<RawAnswer> =>
  rawRequest(port, { ...request, ...(token === undefined ? {} : { token }) });
const challenge = (): string =>
  `Bearer realm="Tabularium", resource_metadata="http://127.0.0.1:${port}/.well-known/oauth-protected-resource/mcp"`;
const never = (letter: string): string => `tbm_${letter.repeat(43)}`;

describe('who may knock', () => {
  it.each([
    'evil.example',
    'evil.example:23508',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '127.0.0.2',
    '0.0.0.0',
    '[::2]',
    'localhost@evil.example',
    'evil.example@localhost',
    'localhost/evil.example',
    'localhost.',
    '2130706433',
  ])('refuses the host %j with 403, token or not', async (host) => {
    const { text } = fixture.mint();
    for (const token of [undefined, text]) {
      const answer = await send(token, { ...discover, headers: { ...discover.headers, host } });
      expect([400, 403]).toContain(answer.status);
    }
  });

  it.each(['localhost', '127.0.0.1', '[::1]', 'localhost:9', '127.0.0.1:40000', 'LOCALHOST:1'])(
    'takes the host %j',
    async (host) => {
      const { text } = fixture.mint();
      expect((await send(text, { ...discover, headers: { ...discover.headers, host } })).status).toBe(200);
    },
  );

  it.each([
    'https://evil.example',
    'http://localhost.evil.example',
    'null',
    'file://',
    'http://127.0.0.1@evil.example',
    'http://evil@localhost',
    'http://localhost/x',
    '',
  ])('refuses the origin %j with 403, token or not', async (origin) => {
    const { text } = fixture.mint();
    for (const token of [undefined, text]) {
      for (const method of ['POST', 'GET', 'OPTIONS', 'DELETE']) {
        const answer = await send(token, {
          method,
          headers: { ...discover.headers, origin },
          ...(method === 'POST' ? { body: discover.body } : {}),
        });
        expect(answer.status).toBe(403);
        expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
      }
    }
  });

  it('takes loopback origins, and those that are listed, character by character', async () => {
    await using listing = new McpFixture({ allowedOrigins: () => ['https://client.example'] });
    const address = await listing.start();
    const { text } = listing.mint();
    const status = async (origin: string): Promise<number> =>
      (await rawRequest(address.port, { token: text, ...discover, headers: { ...discover.headers, origin } })).status;
    expect(await status('http://localhost:6274')).toBe(200);
    expect(await status('http://127.0.0.1:1')).toBe(200);
    expect(await status('https://client.example')).toBe(200);
    expect(await status('https://client.example:444')).toBe(403);
    expect(await status('http://client.example')).toBe(403);
  });

  it('answers the preflight of a listed origin, and lets its page read what comes', async () => {
    await using listing = new McpFixture({ allowedOrigins: () => ['https://Client.Example:443'] });
    const address = await listing.start();
    const { text } = listing.mint();
    const origin = 'https://client.example';
    const asked = await rawRequest(address.port, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
    });
    expect(asked).toMatchObject({
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'POST, DELETE',
        'access-control-allow-headers': expect.stringContaining('Authorization') as string,
        vary: 'Origin',
      },
    });
    expect(asked.headers).not.toHaveProperty('access-control-allow-credentials');
    for (const [token, status] of [
      [text, 200],
      [undefined, 401],
    ] as const) {
      const headers = { ...discover.headers, origin };
      const answer = await rawRequest(address.port, { ...discover, headers, ...(token === undefined ? {} : { token }) });
      expect(answer).toMatchObject({ status, headers: { 'access-control-allow-origin': origin, vary: 'Origin' } });
    }
  });

  it.each([
    ['an origin of this machine that is not listed', 'http://localhost:6274', 405],
    ['an origin that is neither', 'https://evil.example', 403],
  ])('answers no preflight of %s', async (_, origin, status) => {
    await using listing = new McpFixture({ allowedOrigins: () => ['https://client.example'] });
    const { port: listening } = await listing.start();
    const headers = { origin, 'access-control-request-method': 'POST' };
    const answer = await rawRequest(listening, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('listens on 127.0.0.1 alone', async () => {
    await expect(rawRequest(port, { ...discover, headers: discover.headers ?? {} })).resolves.toMatchObject({ status: 401 });
    await expect(fetch(`http://[::1]:${port}/mcp`)).rejects.toThrow();
  });
});

describe('tokens', () => {
  const unauthenticated = { status: 401, json: { jsonrpc: '2.0', error: { code: -33_009 } } };

  it.each([
    ['no token', undefined],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['an empty one', 'Bearer '],
    ['two', 'Bearer a b'],
  ])('requires a token: %s', async (_, authorization) => {
    const answer = await rawRequest(port, { ...discover, headers: { ...discover.headers, authorization } });
    expect(answer).toMatchObject({ ...unauthenticated, headers: { 'www-authenticate': challenge() } });
    expect(answer.json).not.toHaveProperty('id');
  });

  it('says why a token does not do', async () => {
    const expiring = fixture.mint({ expiresAt: new Date(fixture.now + HOUR) }).text;
    const revoked = fixture.mint();
    fixture.tokens.revoke(revoked.info.id);
    fixture.now += HOUR;
    for (const [text, why] of [
      [expiring, 'The token has expired'],
      [revoked.text, 'The token has been revoked'],
      [never('A'), 'The token is unknown'],
    ] as const) {
      const answer = await send(text);
      expect(answer).toMatchObject({
        ...unauthenticated,
        headers: { 'www-authenticate': `${challenge()}, error="invalid_token", error_description="${why}"` },
      });
      expect(answer.text).not.toContain(text);
    }
  });

  it('requires it in the header and ignores other places', async () => {
    const { text } = fixture.mint();
    expect(await send(undefined, { ...discover, path: `/mcp?access_token=${text}&token=${text}` })).toMatchObject(
      unauthenticated,
    );
    expect(await send(undefined, { ...discover, headers: { ...discover.headers, cookie: `token=${text}` } })).toMatchObject(
      unauthenticated,
    );
  });

  it('asks for it again at every request of a session', async () => {
    const { text } = fixture.mint();
    const opened = await send(text, { body: initializeBody('2025-11-25') });
    const headers = { 'mcp-session-id': opened.headers['mcp-session-id'] };
    expect(await send(undefined, { headers, body: ping })).toMatchObject(unauthenticated);
    expect(await send(never('A'), { headers, body: ping })).toMatchObject(unauthenticated);
    expect((await send(text, { headers, body: ping })).status).toBe(200);
  });

  it('hides a session from everybody but its principal', async () => {
    const owner = fixture.mint().text;
    const other = fixture.mint({ scope: 'fullAccess' }).text;
    const opened = await send(owner, { body: initializeBody('2025-11-25') });
    const headers = { 'mcp-session-id': opened.headers['mcp-session-id'] };
    const unknown = await send(other, { headers: { 'mcp-session-id': 'nothing' }, body: ping });
    const foreign = await send(other, { headers, body: ping });
    expect(foreign).toMatchObject({ status: 404, text: unknown.text });
    expect((await send(other, { method: 'DELETE', headers })).status).toBe(404);
    expect((await send(owner, { headers, body: ping })).status).toBe(200);
  });

  it('keeps a bridge session through the rotation of its token', async () => {
    const opened = await send(fixture.tokens.mintBridge(HOUR).text, { body: initializeBody('2025-11-25') });
    const headers = { 'mcp-session-id': opened.headers['mcp-session-id'] };
    expect((await send(fixture.tokens.mintBridge(HOUR).text, { headers, body: ping })).status).toBe(200);
  });

  it('acts for the sender of each request, not for the opener of the session', async () => {
    const { text } = fixture.mint();
    const opened = await send(text, { body: initializeBody('2025-11-25') });
    const headers = { 'mcp-session-id': opened.headers['mcp-session-id'] };
    const before = fixture.tokens.verify(text);
    if (before.outcome !== 'valid') throw new Error('The token is not valid.');
    vi.spyOn(fixture.tokens, 'verify').mockReturnValue({ ...before, principal: { ...before.principal, connections: [] } });
    const answer = await send(text, { headers, body: { ...ping, method: 'tools/call', params: { name: 'list_connections' } } });
    expect(toolAnswer(resultOf(answer))).toEqual({ connections: [] });
  });

  it('lets a session set the level of its log, and names a level that does not exist as a wrong parameter', async () => {
    const { text } = fixture.mint();
    const opened = await send(text, { body: initializeBody('2025-11-25') });
    const headers = { 'mcp-session-id': opened.headers['mcp-session-id'] };
    const setLevel = (level: unknown) =>
      send(text, { headers, body: { ...ping, method: 'logging/setLevel', params: { level } } });
    expect((await setLevel('warning')).json).toMatchObject({ result: {} });
    for (const level of ['loud', 5, undefined]) expect((await setLevel(level)).json).toMatchObject({ error: { code: -32_602 } });
  });

  it('cuts the running requests of a token when it is revoked, and no others', async () => {
    const cut = fixture.mint();
    const other = fixture.mint();
    const opened = await send(cut.text, { body: initializeBody('2025-11-25') });
    const gate = Promise.withResolvers<void>();
    fixture.session.gate = gate.promise;
    const begun = Promise.withResolvers<void>();
    fixture.session.onBegin = () => {
      if (fixture.session.calls.length === 3) begun.resolve();
    };
    const inSession = {
      headers: { 'mcp-session-id': opened.headers['mcp-session-id'] },
      body: { ...ping, method: 'tools/call', params: { name: 'list_tables', arguments: { connection: READING_ROOM } } },
    };
    const ended = [send(cut.text, callTables(READING_ROOM)), send(cut.text, inSession)];
    const going = send(other.text, callTables(READING_ROOM));
    await begun.promise;
    fixture.tokens.revoke(cut.info.id);
    // The client gets the reason in place of its results: as the answer, and as the last event of a stream that had begun.
    const message = expect.stringContaining('the token has been revoked') as string;
    for (const { json } of await Promise.all(ended))
      expect(json).toMatchObject({ id: expect.any(Number) as number, error: { code: -33_009, message } });
    expect(fixture.session.signals.filter(({ aborted }) => aborted)).toHaveLength(2);
    gate.resolve();
    expect(toolAnswer(resultOf(await going))).toMatchObject({ total: 6 });
    expect((await send(cut.text)).status).toBe(401);
  });
});

describe('the lockout', () => {
  const locked = { status: 429, json: { jsonrpc: '2.0', error: { code: -33_010 } } };

  it('begins after five wrong tokens within a minute, says for how long, and ends', async () => {
    for (const letter of 'ABCDE') expect((await send(never(letter))).status).toBe(401);
    expect(await send(never('F'))).toMatchObject({ ...locked, headers: { 'retry-after': '300' } });
    fixture.now += 299_001;
    expect(await send(never('G'))).toMatchObject({ ...locked, headers: { 'retry-after': '1' } });
    fixture.now += 999;
    expect((await send(never('H'))).status).toBe(401);
  });

  it('does not begin when the five are further apart', async () => {
    for (const letter of 'ABCDEFGH') {
      expect((await send(never(letter))).status).toBe(401);
      fixture.now += 15_000;
    }
  });

  it('never locks out a token that is good', async () => {
    const used = fixture.mint().text;
    expect((await send(used)).status).toBe(200);
    for (const letter of 'ABCDEF') await send(never(letter));
    expect(await send(never('G'))).toMatchObject(locked);
    expect((await send(used)).status).toBe(200);
    expect((await send(fixture.mint().text)).status).toBe(200);
  });

  it('is not brought about by five stale bridges in parallel, nor by who sends nothing', async () => {
    const good = fixture.mint().text;
    const expired = fixture.mint({ expiresAt: new Date(fixture.now + 1) });
    fixture.now += 1;
    const stale = Array.from({ length: 5 }, () => fixture.tokens.mintBridge(HOUR).text);
    fixture.tokens.mintBridge(HOUR);
    const answers = await Promise.all(
      [...stale, ...stale, ...stale, expired.text, expired.text, undefined, undefined, undefined, undefined, undefined].map(
        (text) => send(text),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect((await send(never('A'))).status).toBe(401);
    expect((await send(good)).status).toBe(200);
  });

  it('ends when the server is restarted', async () => {
    for (const letter of 'ABCDEF') await send(never(letter));
    expect(await send(never('G'))).toMatchObject(locked);
    await fixture.server.stop();
    await fixture.server.start({ port });
    expect((await send(never('G'))).status).toBe(401);
  });
});

describe('what a token may reach', () => {
  const names = async (text: string): Promise<string[]> => {
    const answer = await send(text, modernRequest('tools/call', { name: 'list_connections', arguments: {} }));
    const { connections } = toolAnswer(resultOf(answer)) as { connections: { name: string }[] };
    return connections.map(({ name }) => name);
  };

  it('is what its allowlist names, and the rest is as if it were not there', async () => {
    const limited = fixture.mint({ scope: 'fullAccess', connections: [ARCHIVE, VAULT, DIARY] }).text;
    expect(await names(limited)).toEqual(['Archive']);
    expect(toolAnswer(resultOf(await send(limited, callTables(ARCHIVE))))).toMatchObject({ total: 6 });
    const absent = await send(limited, callTables('There is none'));
    for (const hidden of [READING_ROOM, 'Reading room', VAULT, 'Vault', DIARY, 'diary']) {
      const answer = await send(limited, callTables(hidden));
      expect(answer).toMatchObject({ status: 200, text: absent.text, json: { error: { code: -33_007 } } });
    }
    expect(fixture.session.calls).toEqual(['listTables']);
  });

  it('is nothing for an empty allowlist', async () => {
    const nothing = fixture.mint({ connections: [] }).text;
    expect(await names(nothing)).toEqual([]);
    expect((await send(nothing, callTables(ARCHIVE))).json).toMatchObject({ error: { code: -33_007 } });
  });

  it('follows the settings of the connection at once', async () => {
    const { text } = fixture.mint();
    expect(await names(text)).toEqual(['Archive', 'Reading room']);
    const index = fixture.connections.findIndex(({ id }) => id === READING_ROOM);
    const before = fixture.connections[index];
    if (before === undefined) throw new Error('The fixture has lost a connection.');
    for (const access of [
      { externalClients: 'blocked', aiPolicy: 'alwaysAllow' },
      { externalClients: 'readWrite', aiPolicy: 'never' },
    ] as const) {
      fixture.connections[index] = { ...before, access };
      expect(await names(text)).toEqual(['Archive']);
      expect((await send(text, callTables(READING_ROOM))).json).toMatchObject({ error: { code: -33_007 } });
    }
    fixture.connections[index] = before;
    expect(await names(text)).toEqual(['Archive', 'Reading room']);
  });

  it('says who may only read', async () => {
    const readOnly = async (text: string): Promise<unknown> => {
      const answer = await send(text, modernRequest('tools/call', { name: 'list_connections', arguments: {} }));
      const { connections } = toolAnswer(resultOf(answer)) as { connections: { name: string; readOnly: boolean }[] };
      return Object.fromEntries(connections.map(({ name, readOnly: only }) => [name, only]));
    };
    expect(await readOnly(fixture.mint({ scope: 'readOnly' }).text)).toEqual({ Archive: true, 'Reading room': true });
    expect(await readOnly(fixture.mint({ scope: 'readWrite' }).text)).toEqual({ Archive: false, 'Reading room': true });
    expect(await readOnly(fixture.tokens.mintBridge(HOUR).text)).toEqual({ Archive: false, 'Reading room': true });
  });
});

describe('what a tool asks of the policy', () => {
  const change = defineTool({
    name: 'change',
    title: 'Change',
    description: 'Changes something, as the tools that are to come will.',
    input: z.strictObject({ connection: z.string(), effect: z.enum(['read', 'write', 'destructive', 'confirm']) }),
    output: z.object({ changed: z.boolean() }),
    hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
    async run({ connection, effect }, context) {
      const action = effect === 'confirm' ? ({ kind: 'confirmDestructive' } as const) : ({ kind: 'run', effect } as const);
      return context.change(connection, {
        known: action,
        prepare: async () => ({ action, summary: 'Change it', text: effect, plan: undefined }),
        run: async ({ session }) => {
          await session.listTables({ signal: context.signal });
          return { changed: true };
        },
      });
    },
  });

  it('decides before it calls the driver, and gives the model the reason', async () => {
    await using changing = new McpFixture({ tools: [change] });
    const address = await changing.start();
    const writer = changing.mint({ scope: 'readWrite' }).text;
    const reader = changing.mint({ scope: 'readOnly' }).text;
    const full = changing.mint({ scope: 'fullAccess' }).text;
    const bridge = changing.tokens.mintBridge(HOUR).text;
    const index = changing.connections.findIndex(({ id }) => id === ARCHIVE);
    const archive = changing.connections[index];
    if (archive === undefined) throw new Error('The fixture has lost a connection.');

    const outcome = async (token: string, connection: string, effect: string): Promise<string> => {
      const request = modernRequest('tools/call', { name: 'change', arguments: { connection, effect } });
      const before = changing.session.calls.length;
      const { json } = await rawRequest(address.port, { token, ...request });
      const { result } = json as { result: { isError?: boolean; content: [{ text: string }] } };
      expect(changing.session.calls.length - before).toBe(result.isError === true ? 0 : 1);
      return result.isError === true ? result.content[0].text : 'done';
    };

    expect(await outcome(writer, READING_ROOM, 'read')).toBe('done');
    expect(await outcome(writer, READING_ROOM, 'write')).toMatch(
      /^READ_ONLY: External clients can only read this connection\. Change the level/,
    );
    expect(await outcome(full, READING_ROOM, 'confirm')).toMatch(/^READ_ONLY: External clients can only read this connection/);
    expect(await outcome(reader, ARCHIVE, 'write')).toMatch(/^READ_ONLY: This token is read-only\./);
    expect(await outcome(writer, ARCHIVE, 'write')).toBe('done');
    expect(await outcome(full, ARCHIVE, 'destructive')).toMatch(
      /^ACCESS_FORBIDDEN: .* Call confirm_destructive_operation with it, using a token with full access/,
    );
    expect(await outcome(writer, ARCHIVE, 'confirm')).toMatch(/^ACCESS_FORBIDDEN: Only a token with full access/);
    expect(await outcome(bridge, ARCHIVE, 'confirm')).toMatch(/^ACCESS_FORBIDDEN: Clients of the stdio bridge can't/);
    expect(await outcome(full, ARCHIVE, 'confirm')).toBe('done');
    changing.connections[index] = { ...archive, access: { externalClients: 'readWrite', aiPolicy: 'askEachTime' } };
    expect(await outcome(writer, ARCHIVE, 'write')).toMatch(/^APPROVAL_REQUIRED: .* Always allow/s);
    expect(await outcome(full, ARCHIVE, 'confirm')).toMatch(/^APPROVAL_REQUIRED: /);
    expect(await outcome(writer, ARCHIVE, 'read')).toBe('done');
    expect(changing.reports.map(({ outcome: how }) => how).filter((how) => how !== 'done' && how !== 'refused')).toEqual([]);
  });
});
