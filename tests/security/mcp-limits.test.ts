import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { McpFixture } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { initializeBody, modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';

const MEGABYTE = 1024 * 1024;
const ping = { jsonrpc: '2.0', id: 7, method: 'ping' };

/** Sends a text over a socket of its own, and gives what comes back until the server closes it. */
function overSocket(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let received = '';
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

describe('limits of the MCP endpoint', () => {
  it('takes a body of 16 MB, and answers a larger one with 413 before it has come', async () => {
    await using fixture = new McpFixture();
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const { headers, body } = modernRequest('tools/call', { name: 'list_connections', arguments: {} });
    const whole = JSON.stringify(body);
    const filled = whole + ' '.repeat(16 * MEGABYTE - whole.length);
    expect((await rawRequest(port, { token, headers: headers ?? {}, body: filled })).status).toBe(200);

    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path: '/mcp',
          method: 'POST',
          agent: false,
          headers: {
            ...headers,
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'content-length': 16 * MEGABYTE + 1,
          },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
          sent.destroy();
        },
      );
      sent.on('error', reject);
      sent.write(whole);
    });
    expect(answer).toBe(413);
  });

  const wide = `{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":1`).join(',')}}`;
  it.each([
    ['members of an object', wide],
    ['objects', `[${'{},'.repeat(400_000)}{}]`],
    ['lists in lists', `${'['.repeat(200)}${']'.repeat(200)}`],
    ['values beside the arguments', `[${'1,'.repeat(500_000)}1]`],
  ])('refuses a body with too many %s before the protocol library reads it', async (what, json) => {
    await using fixture = new McpFixture();
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const methods: readonly (readonly [string, Record<string, unknown>])[] = [
      ['tools/call', { name: 'list_connections', arguments: {}, hostile: 0 }],
      // Long lists of numbers are what rows with vectors have.
      ...(what.endsWith('arguments') ? [] : [['tools/call', { name: 'execute_query', arguments: { hostile: 0 } }] as const]),
      ['tools/list', { hostile: 0 }],
      ['prompts/get', { name: 'explain_table', arguments: { hostile: 0 } }],
      ['subscriptions/listen', { notifications: { resourceSubscriptions: { hostile: 0 } } }],
      ['completion/complete', { context: { arguments: { hostile: 0 } } }],
      ['initialize', { protocolVersion: '2025-11-25', capabilities: { hostile: 0 } }],
    ];
    for (const [method, params] of methods) {
      const { headers, body } = modernRequest(method, params);
      const whole = JSON.stringify(body);
      for (const text of [whole, whole.replace('"_meta":{', '"_meta":{"hostile":0,')]) {
        const sent = { token, headers: headers ?? {}, body: text.replace('"hostile":0', () => `"hostile":${json}`) };
        expect(await rawRequest(port, sent), method).toMatchObject({ status: 413 });
      }
    }
  });

  it.each([
    ['prompts/get', { name: 'explain_table', arguments: { connection: 5 } }, 'params.arguments.connection'],
    ['prompts/get', { name: 'explain_table', arguments: 'x' }, 'params.arguments'],
    ['prompts/get', { name: 'explain_table', arguments: { ['k'.repeat(100_000)]: 5 } }, 'params.arguments.kkk'],
    ['prompts/get', {}, 'params.name'],
    ['tools/call', { name: 5 }, 'params.name'],
    ['tools/call', { name: 'list_connections', arguments: 5 }, 'params.arguments'],
    ['tools/list', { cursor: 5 }, 'params.cursor'],
    ['resources/list', { cursor: {} }, 'params.cursor'],
    ['resources/templates/list', { cursor: [] }, 'params.cursor'],
    ['prompts/list', { cursor: null }, 'params.cursor'],
    ['resources/read', { uri: 5 }, 'params.uri'],
    ['completion/complete', { ref: 5 }, 'params.ref'],
    ['completion/complete', { ref: { type: 'x' }, argument: { name: 'a', value: '' } }, 'params.ref.type'],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'explain_table' }, argument: { name: 5, value: '' } },
      'params.argument.name',
    ],
  ])('answers %s with wrong parameters %o with one sentence', async (method, params, place) => {
    await using fixture = new McpFixture();
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const { headers, body } = modernRequest(method, params);
    const { json } = await rawRequest(port, { token, headers: headers ?? {}, body: JSON.stringify(body) });
    expect(json).toMatchObject({ id: 1, error: { code: -32_602 } });
    const { message } = (json as { readonly error: { readonly message: string } }).error;
    expect(message.startsWith(`Invalid params: ${place}`)).toBe(true);
    expect(message).toMatch(/ Correct it and send the request again\.$/);
    expect(message).not.toMatch(/[\n{}]/);
    expect(message.length).toBeLessThan(400);
  });

  it.each([
    [
      'members',
      `[${Array.from({ length: 40 }, (_, row) => `{${Array.from({ length: 3_000 }, (_, at) => `"r${row}c${at}":1`).join(',')}}`).join(',')}]`,
    ],
    ['elements', `[{"v":[${'1,'.repeat(1_000_001)}1]}]`],
  ])('refuses the arguments of a tool with too many %s', async (what, rows) => {
    await using fixture = new McpFixture();
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const call = modernRequest('tools/call', { name: 'insert_rows', arguments: { connection: 'none', table: 't', rows: 0 } });
    const body = JSON.stringify(call.body).replace('"rows":0', () => `"rows":${rows}`);
    const answer = await rawRequest(port, { token, headers: call.headers ?? {}, body });
    expect(answer).toMatchObject({ status: 413, json: { error: { code: -33_005 } } });
    expect(JSON.stringify(answer.json)).toContain(what);
  });

  it.each([
    ['one principal', { heldBodyBytesPerPrincipal: 100_000 }],
    ['all', { heldBodyBytes: 100_000 }],
  ])('holds no more bytes of bodies than %s may, and gives them back', async (_, limits) => {
    await using fixture = new McpFixture({ limits });
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const headers = { host: '127.0.0.1', 'content-type': 'application/json', authorization: `Bearer ${token}` };
    const large = JSON.stringify({ ...ping, params: { _meta: { x: 'x'.repeat(60_000) } } });
    const statusOf = (): Promise<number | undefined> => rawRequest(port, { token, body: large }).then(({ status }) => status);
    expect(await statusOf()).not.toBe(429);
    const held = request({
      host: '127.0.0.1',
      port,
      path: '/mcp',
      method: 'POST',
      headers: { ...headers, 'content-length': 80_000 },
    });
    held.on('error', () => undefined);
    held.write('{');
    await expect.poll(statusOf).toBe(429);
    // Of unknown length: refused while it arrives.
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }, (got) => {
        got.resume();
        resolve(got.statusCode);
      });
      sent.on('error', reject);
      sent.write('x'.repeat(50_000));
    });
    expect(answer).toBe(429);
    held.destroy();
    await expect.poll(statusOf).not.toBe(429);
  });

  it('takes 1,000 rows of many columns and long lists', async () => {
    await using fixture = new McpFixture();
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const row = Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`column${index}`, index]));
    const rows = Array.from({ length: 1_000 }, () => ({ ...row, vector: Array.from({ length: 768 }, () => 0.5) }));
    const call = modernRequest('tools/call', { name: 'insert_rows', arguments: { connection: 'none', table: 't', rows } });
    const answer = await rawRequest(port, { token, headers: call.headers ?? {}, body: JSON.stringify(call.body) });
    expect(answer.status).toBe(200);
  });

  it('repeats in an error no more than 600 characters of what it was sent', async () => {
    await using fixture = new McpFixture();
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const { headers, body } = modernRequest('tools/call', { name: 'list_connections', arguments: {} });
    const long = JSON.stringify(body).replace('"list_connections"', () => JSON.stringify('x'.repeat(MEGABYTE)));
    const answer = await rawRequest(port, { token, headers: headers ?? {}, body: long });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer).length).toBeLessThan(4_000);
  });

  it('answers a body of unknown length with 413 as soon as it is too large', async () => {
    await using fixture = new McpFixture({ limits: { bodyBytes: 1_000 } });
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const chunk = 'x'.repeat(600);
    const received = await overSocket(
      port,
      [
        'POST /mcp HTTP/1.1',
        'Host: 127.0.0.1',
        'Content-Type: application/json',
        `Authorization: Bearer ${token}`,
        'Transfer-Encoding: chunked',
        '',
        ...[chunk, chunk].flatMap((part) => [part.length.toString(16), part]),
        '',
      ].join('\r\n'),
    );
    expect(received).toMatch(/^HTTP\/1\.1 413 /);
    expect(received).toContain('"code":-33005');
  });

  it('reads no body of somebody whom it does not know', async () => {
    await using fixture = new McpFixture();
    const { port } = await fixture.start();
    const received = new Promise<number | undefined>((resolve, reject) => {
      const sent = request(
        {
          host: '127.0.0.1',
          port,
          path: '/mcp',
          method: 'POST',
          agent: false,
          headers: { 'content-type': 'application/json', 'content-length': 1_000 },
        },
        (response) => {
          response.resume();
          resolve(response.statusCode);
          sent.destroy();
        },
      );
      sent.on('error', reject);
      sent.flushHeaders();
    });
    expect(await received).toBe(401);
  });

  it.each([
    ['headers that do not end', (_: string) => 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: '],
    [
      'a body that does not end',
      (token: string) =>
        `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAuthorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{"jsonrpc":`,
    ],
  ])('ends %s', async (_, text) => {
    await using fixture = new McpFixture({
      limits: { headersMilliseconds: 50, requestMilliseconds: 100, checkMilliseconds: 20 },
    });
    const { port } = await fixture.start();
    expect(await overSocket(port, text(fixture.mint().text))).toMatch(/^HTTP\/1\.1 408 /);
    expect(fixture.internalErrors).toEqual([]);
  });

  it('takes no headers beyond 16 KB', async () => {
    await using fixture = new McpFixture();
    const { port } = await fixture.start();
    const answer = await overSocket(port, `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
  });

  it('does not fall over JSON that is nested without end', async () => {
    await using fixture = new McpFixture();
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
    const { headers } = modernRequest('tools/call', { name: 'list_connections' });
    const body = JSON.stringify(modernRequest('tools/call', { name: 'list_connections', arguments: { x: 0 } }).body).replace(
      '"x":0',
      `"x":${deep}`,
    );
    const answer = await rawRequest(port, { token, headers: headers ?? {}, body });
    expect(answer.json).toMatchObject({ error: {} });
    expect((await rawRequest(port, { token, ...modernRequest('server/discover') })).status).toBe(200);
  });

  it('closes the oldest connection without an authenticated request beyond its number', async () => {
    await using fixture = new McpFixture({ limits: { connections: 2 } });
    const { port } = await fixture.start();
    const first = connect(port, '127.0.0.1');
    const second = connect(port, '127.0.0.1');
    await Promise.all([first, second].map((socket) => once(socket, 'connect')));
    await delay(100);
    first.resume();
    const closed = once(first, 'close');
    expect((await rawRequest(port, { body: ping })).status).toBe(401);
    await closed;
    expect(second.destroyed).toBe(false);
    second.destroy();
  });

  it('ends sessions of the client that has most of them when there are too many', async () => {
    await using fixture = new McpFixture({ limits: { sessions: 3 } });
    const { port } = await fixture.start();
    const [ada, ben] = [fixture.mint().text, fixture.mint().text];
    const open = async (token: string): Promise<{ 'mcp-session-id': string }> => {
      fixture.now += 1;
      const answer = await rawRequest(port, { token, body: initializeBody('2025-11-25') });
      return { 'mcp-session-id': String(answer.headers['mcp-session-id']) };
    };
    const bens = await open(ben);
    for (let count = 0; count < 10; count += 1) await open(ada);
    expect((await rawRequest(port, { token: ben, headers: bens, body: ping })).status).toBe(200);
  });

  it('gives a principal its number of sessions, and ends the one used longest ago for a new one', async () => {
    await using fixture = new McpFixture({ limits: { sessionsPerPrincipal: 2, sessions: 3 } });
    const { port } = await fixture.start();
    const [ada, ben] = [fixture.mint().text, fixture.mint().text];
    const open = async (token: string): Promise<{ 'mcp-session-id': string }> => {
      fixture.now += 1;
      const answer = await rawRequest(port, { token, body: initializeBody('2025-11-25') });
      return { 'mcp-session-id': String(answer.headers['mcp-session-id']) };
    };
    const status = async (token: string, headers: { 'mcp-session-id': string }): Promise<number> => {
      fixture.now += 1;
      return (await rawRequest(port, { token, headers, body: ping })).status;
    };
    const first = await open(ada);
    const second = await open(ada);
    expect(await status(ada, first)).toBe(200);
    const third = await open(ada);
    expect(await Promise.all([first, second, third].map((headers) => status(ada, headers)))).toEqual([200, 404, 200]);
    const bens = await open(ben);
    await open(ben);
    expect(await status(ben, bens)).toBe(200);
  });

  it('does not end a session in use for a new one, and says so', async () => {
    await using fixture = new McpFixture({ limits: { sessionsPerPrincipal: 1, stopMilliseconds: 50 } });
    const { port } = await fixture.start();
    const { text: token } = fixture.mint();
    const opened = await rawRequest(port, { token, body: initializeBody('2025-11-25') });
    fixture.session.gate = new Promise(() => undefined);
    const begun = Promise.withResolvers<void>();
    fixture.session.onBegin = () => begun.resolve();
    const busy = rawRequest(port, {
      token,
      headers: { 'mcp-session-id': opened.headers['mcp-session-id'] },
      body: { ...ping, method: 'tools/call', params: { name: 'list_tables', arguments: { connection: 'Archive' } } },
    });
    await begun.promise;
    expect(await rawRequest(port, { token, body: initializeBody('2025-11-25', 5) })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '1' },
      json: { id: 5, error: { code: -33_010 } },
    });
    await fixture.server.stop();
    await busy;
  });
});
