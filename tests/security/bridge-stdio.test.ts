import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { BridgeHome, modern } from '../support/bridgeHome.ts';
import type { BridgeProcess } from '../support/bridgeHome.ts';
import { EVENTS_TYPE, JSON_TYPE, ProvingApplication } from '../support/provingApplication.ts';
import type { Seen } from '../support/provingApplication.ts';

// The bytes on the bridge's pipes: unchanged, each request answered once or failed by name, nothing else on stdout.

let home: BridgeHome;
const closing: (() => Promise<unknown>)[] = [];

beforeEach(async () => {
  home = await BridgeHome.create();
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  for (const close of closing.splice(0)) await close();
});

/** An application that proves itself, and answers as a test requires. */
async function application(answer: (seen: Seen, ...rest: Parameters<RequestListener>) => void): Promise<ProvingApplication> {
  const started = await ProvingApplication.start(home, answer);
  closing.push(async () => started[Symbol.asyncDispose]());
  return started;
}

describe('the bytes', () => {
  it('go both ways as they are: order of keys, exact numbers, spaces, escapes', async () => {
    const sent =
      '{ "params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/protocolVersion":"2026-07-28"},' +
      '"big":90071992547409931234, "z":1.50,"a":"\\u00e9\\/" },"method":"tools/list", "id":1,"jsonrpc":"2.0"}';
    const returned = '{"result":{"n":12345678901234567890, "f":1.10,"t":"\\u00fc\\/"},"id":1,"jsonrpc":"2.0"}';
    const { seen } = await application((_seen, _request, response) => response.writeHead(200, JSON_TYPE).end(returned));
    const bridge = home.startBridge();
    bridge.send(sent);
    await bridge.answer(1);
    expect(seen[0]?.body).toBe(sent);
    expect(bridge.lines).toEqual([returned]);
  });

  it('stay one line for one message, whatever the server writes', async () => {
    await application((_seen, _request, response) =>
      response
        .writeHead(200, EVENTS_TYPE)
        .end('event: message\r\ndata: {"jsonrpc":"2.0",\r\ndata: "id":1,"result":{}}\r\n\r\n: still here\n\n'),
    );
    const bridge = home.startBridge();
    bridge.send(modern(1, 'tools/list'));
    await bridge.answer(1);
    expect(bridge.lines).toEqual(['{"jsonrpc":"2.0", "id":1,"result":{}}']);
  });

  it('stay one line also where an answer is written over several', async () => {
    await application((_seen, _request, response) =>
      response.writeHead(200, JSON_TYPE).end('{\n  "jsonrpc": "2.0",\r\n  "id": 1,\n  "result": {}\n}'),
    );
    const bridge = home.startBridge();
    bridge.send(modern(1, 'tools/list'));
    await bridge.answer(1);
    expect(bridge.lines).toEqual(['{   "jsonrpc": "2.0",    "id": 1,   "result": {} }']);
  });

  it('say in headers what they say in the body, wrapped where a header could not hold it', async () => {
    const { seen } = await application(({ body }, _request, response) => {
      response
        .writeHead(200, JSON_TYPE)
        .end(JSON.stringify({ jsonrpc: '2.0', id: (JSON.parse(body) as { id: number }).id, result: {} }));
    });
    const bridge = home.startBridge();
    const names = ['plain', 'zwölf', 'a\r\nb: c', ' edge ', '=?base64?eA==?=', ''];
    for (const [index, name] of names.entries()) await bridge.ask(modern(index, 'tools/call', { name }));
    await bridge.ask(modern('r', 'resources/read', { uri: 'a://b' }));
    const wrapped = (name: string): string => `=?base64?${Buffer.from(name).toString('base64')}?=`;
    expect(seen.map(({ headers }) => headers['mcp-name'])).toEqual([
      'plain',
      wrapped('zwölf'),
      wrapped('a\r\nb: c'),
      wrapped(' edge '),
      wrapped('=?base64?eA==?='),
      '',
      'a://b',
    ]);
    expect(new Set(seen.map(({ headers }) => headers['mcp-protocol-version']))).toEqual(new Set(['2026-07-28']));
    expect(seen.at(-1)?.headers['mcp-method']).toBe('resources/read');
  });

  it('may be ten megabytes, both ways, and several at once', async () => {
    const large = 'x'.repeat(10 * 1024 * 1024);
    const { seen } = await application(({ body }, _request, response) => {
      const { id, params } = JSON.parse(body) as { id: number; params: { arguments: { text: string } } };
      response.writeHead(200, id === 2 ? EVENTS_TYPE : JSON_TYPE);
      const answer = JSON.stringify({ jsonrpc: '2.0', id, result: { text: params.arguments.text } });
      response.end(id === 2 ? `data: ${answer}\n\n` : answer);
    });
    const bridge = home.startBridge();
    const call = (id: number) => modern(id, 'tools/call', { name: 'echo', arguments: { text: large } });
    for (const id of [1, 2, 3]) bridge.send(call(id));
    for (const id of [1, 2, 3]) expect((await bridge.answer(id)).result?.['text']).toHaveLength(large.length);
    expect(seen).toHaveLength(3);
  });

  it("that aren't messages are answered as such, and never forwarded", async () => {
    const { seen } = await application((_seen, _request, response) => response.writeHead(500).end());
    const bridge = home.startBridge();
    for (const line of ['nonsense', '[]', '7', '{"jsonrpc":"2.0"}', '']) bridge.send(line);
    const tooLarge = JSON.stringify({
      jsonrpc: '2.0',
      id: 9,
      method: 'tools/call',
      params: { text: 'x'.repeat(17 * 1024 * 1024) },
    });
    bridge.send(tooLarge);
    await bridge.answer(9);
    expect(bridge.messages.map(({ id, error }) => [id, error?.code])).toEqual([
      [undefined, -32_700],
      [undefined, -32_600],
      [undefined, -32_600],
      [undefined, -32_600],
      [9, -33_005],
    ]);
    expect(seen).toEqual([]);
  });

  it('wait in the client while the application does not read', async () => {
    const messages = 20;
    const deaf = await ProvingApplication.start(home, () => undefined, { reads: false });
    closing.push(async () => deaf[Symbol.asyncDispose]());
    const bridge = home.startBridge();
    const text = 'x'.repeat(15 * 1024 * 1024);
    let taken = 0;
    const write = async (): Promise<void> => {
      for (; taken < messages; taken += 1) {
        const line = JSON.stringify({ jsonrpc: '2.0', ...modern(taken, 'tools/call', { name: 'x', text }) });
        if (!bridge.child.stdin.write(`${line}\n`)) await once(bridge.child.stdin, 'drain');
      }
    };
    void write().catch(() => undefined);
    // Once reading stops, every buffer on the way is full.
    let last = -1;
    await expect
      .poll(
        () => {
          const still = taken > 0 && taken === last;
          last = taken;
          return still;
        },
        { interval: 1_500 },
      )
      .toBe(true);
    expect(taken).toBeLessThan(messages / 2);
  });

  it('wait in the application while the client does not read', async () => {
    const total = 200;
    let written = 0;
    await application((_seen, _request, response) => {
      response.writeHead(200, EVENTS_TYPE);
      const message = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x'.repeat(1024 * 1024) } })}\n\n`;
      const next = (): void => {
        if (written === total) {
          response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\n\n`);
          return;
        }
        written += 1;
        if (response.write(message)) setImmediate(next);
        else response.once('drain', next);
      };
      next();
    });
    const bridge = home.startBridge();
    bridge.child.stdout.pause();
    bridge.send(modern(1, 'tools/call', { name: 'flood' }));
    // Once writing stops, all pipes on the way are full.
    let last = -1;
    await expect
      .poll(
        () => {
          const still = written > 0 && written === last;
          last = written;
          return still;
        },
        { interval: 500 },
      )
      .toBe(true);
    expect(written).toBeLessThan(64);
    const resident = Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${bridge.child.pid}/status`, 'utf8'))?.[1]);
    expect(resident).toBeLessThan(160 * 1024);
    bridge.child.stdout.resume();
    await bridge.until(() => bridge.lines[total]);
    expect(bridge.lines.at(-1)).toContain('"id":1');
  });
});

describe('streams without end', () => {
  it('keep no request waiting, however many there are', async () => {
    const { seen } = await application(({ body }, _request, response) => {
      const { id, method } = JSON.parse(body) as { id: string; method: string };
      if (method === 'subscriptions/listen') return response.writeHead(200, EVENTS_TYPE).flushHeaders();
      return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
    });
    const bridge = home.startBridge();
    const streams = 80;
    for (let count = 0; count < streams; count += 1) bridge.send(modern(`s${count}`, 'subscriptions/listen'));
    await expect.poll(() => seen.length).toBe(streams);
    expect((await bridge.ask(modern(1, 'tools/list'))).result).toBeDefined();
  });
});

describe('a connection that is lost', () => {
  const drop = (
    failures: number,
    answer: object = { tools: [{ name: 'look', annotations: { readOnlyHint: true } }, { name: 'burn' }] },
  ) => {
    let left = failures;
    return application(({ body }, request, response) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      if (method !== 'tools/list' && left > 0) {
        left -= 1;
        request.socket.destroy();
        return;
      }
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: answer }));
    });
  };
  const attempts = (seen: readonly Seen[], name: string): number => seen.filter(({ body }) => body.includes(`"${name}"`)).length;

  it('after sending is tried again for reads, and for nothing else', async () => {
    const { seen } = await drop(1);
    const bridge = home.startBridge();
    await bridge.ask(modern(1, 'tools/list'));
    expect((await bridge.ask(modern(2, 'tools/call', { name: 'look' }))).result).toBeDefined();
    expect(attempts(seen, 'look')).toBe(2);
  });

  it('after sending fails by name for what may write', async () => {
    const { seen } = await drop(1);
    const bridge = home.startBridge();
    await bridge.ask(modern(1, 'tools/list'));
    expect((await bridge.ask(modern(2, 'tools/call', { name: 'burn' }))).error).toMatchObject({
      code: -33_000,
      message: expect.stringContaining('it may have been carried out') as string,
      data: { layer: 'transport' },
    });
    expect(attempts(seen, 'burn')).toBe(1);
    // A tool that was never listed may write too.
    expect((await bridge.ask(modern(3, 'tools/call', { name: 'unheard-of' }))).result).toBeDefined();
  });

  it('is taken for lost where the application is about to stop: reads are sent again, and nothing else', async () => {
    let stopping = 1;
    const { seen } = await application(({ body }, _request, response) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      if (method !== 'tools/list' && stopping > 0) {
        stopping -= 1;
        const error = { code: -33_000, message: 'Tabularium is stopping.' };
        return response.writeHead(503, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      }
      const tools = [{ name: 'look', annotations: { readOnlyHint: true } }, { name: 'burn' }];
      return response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: { tools } }));
    });
    const bridge = home.startBridge();
    await bridge.ask(modern(1, 'tools/list'));
    expect((await bridge.ask(modern(2, 'tools/call', { name: 'look' }))).result).toBeDefined();
    expect(attempts(seen, 'look')).toBe(2);
    stopping = 1;
    expect((await bridge.ask(modern(3, 'tools/call', { name: 'burn' }))).error?.message).toBe('Tabularium is stopping.');
    expect(attempts(seen, 'burn')).toBe(1);
  });

  it('is not tried for ever', async () => {
    const { seen } = await drop(10);
    const bridge = home.startBridge();
    await bridge.ask(modern(1, 'tools/list'));
    expect((await bridge.ask(modern(2, 'tools/call', { name: 'look' }))).error?.data).toEqual({ layer: 'transport' });
    expect(attempts(seen, 'look')).toBe(2);
  });

  it('in the middle of a response is reported, and no event is repeated', async () => {
    let calls = 0;
    await application((_seen, request, response) => {
      calls += 1;
      response.writeHead(200, EVENTS_TYPE);
      response.write(
        'data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\n',
        () => setTimeout(() => request.socket.destroy(), 50),
      );
    });
    const bridge = home.startBridge();
    expect((await bridge.ask(modern(1, 'tools/list'))).error?.data).toEqual({ layer: 'transport' });
    expect(bridge.messages.filter(({ method }) => method === 'notifications/progress')).toHaveLength(1);
    expect(calls).toBe(1);
  });
});

describe('a refused token', () => {
  it('is exchanged for the one in the file, once, whatever the call', async () => {
    const { seen } = await application(({ headers, body }, _request, response) => {
      const { id } = JSON.parse(body) as { id: number };
      if (headers.authorization === 'Bearer new') {
        response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
        return;
      }
      response.writeHead(401, JSON_TYPE);
      const answer = JSON.stringify({
        jsonrpc: '2.0',
        error: { code: -33_009, message: 'Unauthenticated: the token has expired.' },
      });
      if (headers.authorization === 'Bearer old')
        void home
          .handshake()
          .then((now) => home.forge({ ...now, token: 'new' }))
          .then(() => response.end(answer));
      else response.end(answer);
    });
    await home.forge({ ...(await home.handshake()), token: 'old' });
    const bridge = home.startBridge();
    expect((await bridge.ask(modern(1, 'tools/call', { name: 'burn' }))).result).toBeDefined();
    expect(seen.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
    await home.forge({ ...(await home.handshake()), token: 'wrong', expiresAt: new Date(Date.now() + 30_000).toISOString() });
    const other = home.startBridge();
    expect(await other.ask(modern(5, 'tools/list'))).toMatchObject({
      id: 5,
      error: { code: -33_009, data: { layer: 'server' } },
    });
    expect(seen).toHaveLength(4);
    expect(other.stderr).toContain('tabularium-mcp: server: Unauthenticated');
  });
});

describe('the end', () => {
  const hang = () => application((_seen, _request, response) => void response.writeHead(200, EVENTS_TYPE).flushHeaders());

  it('waits for calls in flight, and closes the session', async () => {
    await home.startHost();
    const bridge = home.startBridge();
    bridge.send({
      id: 'i',
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    bridge.send({ method: 'notifications/initialized' });
    for (let id = 0; id < 20; id += 1) bridge.send({ id, method: 'tools/call', params: { name: 'list_connections' } });
    expect(await bridge.end()).toBe(0);
    expect(bridge.lines).toHaveLength(21);
    expect(bridge.stderr).toBe('');
  });

  it('ends the session on the server', async () => {
    const { seen } = await application(({ method, body }, _request, response) => {
      if (method === 'DELETE') return response.writeHead(204).end();
      const { id } = JSON.parse(body) as { id?: string };
      if (id === undefined) return response.writeHead(202).end();
      const result = { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
      return response
        .writeHead(200, { ...JSON_TYPE, 'mcp-session-id': 's-1' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
    });
    const bridge = home.startBridge();
    await bridge.initialize('2025-06-18');
    expect(await bridge.end()).toBe(0);
    expect(seen.at(-1)).toMatchObject({
      method: 'DELETE',
      headers: { 'mcp-session-id': 's-1', 'mcp-protocol-version': '2025-06-18' },
    });
  });

  it('ends endless streams automatically', async () => {
    const { seen } = await hang();
    const bridge = home.startBridge();
    bridge.send(modern(1, 'subscriptions/listen'));
    await expect.poll(() => seen.length).toBe(1);
    expect(await bridge.end()).toBe(0);
    expect(bridge.lines).toEqual([]);
  });

  it('comes with a signal, too', async () => {
    const { seen } = await hang();
    const bridge = home.startBridge();
    bridge.send(modern(1, 'tools/list'));
    await expect.poll(() => seen.length).toBe(1);
    bridge.child.kill('SIGTERM');
    expect(await bridge.ended).toBe(0);
  });

  it('comes when the reader has gone', async () => {
    await application((_seen, _request, response) =>
      response.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":1,"result":{}}'),
    );
    const bridge: BridgeProcess = home.startBridge();
    bridge.child.stdout.destroy();
    bridge.send(modern(1, 'tools/list'));
    expect(await bridge.ended).toBe(0);
  });

  it('needs no token in arguments or environment', async () => {
    await home.startHost();
    const bridge = home.startBridge();
    await bridge.ask(modern(1, 'tools/list'));
    const { token, proofSecret } = await home.handshake();
    for (const name of ['cmdline', 'environ']) {
      const shown = await readFile(`/proc/${bridge.child.pid}/${name}`, 'utf8');
      expect(shown).not.toContain(token);
      expect(shown).not.toContain(proofSecret);
    }
  });

  it('is not brought about by the signal that opens an inspector', async () => {
    await home.startHost();
    const bridge = home.startBridge();
    await bridge.ask(modern(1, 'tools/list'));
    bridge.child.kill('SIGUSR1');
    await bridge.ask(modern(2, 'tools/list'));
    expect(bridge.stderr).toBe('');
  });
});

describe('a session', () => {
  it('is opened again for a call of any kind, since what a lost session refuses never ran', async () => {
    let host = await home.startHost();
    const bridge = home.startBridge();
    await bridge.initialize('2025-06-18');
    await host[Symbol.asyncDispose]();
    host = await home.startHost();
    const call = { id: 'c', method: 'tools/call', params: { name: 'list_tables', arguments: { connection: READING_ROOM } } };
    expect((await bridge.ask(call)).result).toBeDefined();
    expect(host.fixture.reports).toMatchObject([{ tool: 'list_tables', outcome: 'done', client: { name: 'lines' } }]);
    expect(bridge.lines).toHaveLength(2);
  });
});

describe('many requests at once', () => {
  it('are all answered, no more in flight than the server takes, however few it takes in a minute', async () => {
    let inFlight = 0;
    let most = 0;
    let refused = 0;
    await application(({ body }, _request, response) => {
      const { id } = JSON.parse(body) as { id: number };
      inFlight += 1;
      most = Math.max(most, inFlight);
      setImmediate(() => {
        inFlight -= 1;
        if (id % 100 === 7 && refused < 15) {
          refused += 1;
          response
            .writeHead(429, { ...JSON_TYPE, 'retry-after': '1' })
            .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -33_010, message: 'Rate limited: too many requests.' } }));
        } else response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      });
    });
    const bridge = home.startBridge();
    const ids = Array.from({ length: 1_400 }, (_, index) => index);
    for (const id of ids) bridge.send(modern(id, 'tools/list'));
    for (const id of ids) expect((await bridge.answer(id)).result).toEqual({});
    expect(bridge.lines).toHaveLength(ids.length);
    expect(refused).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(32);
  });
});
