import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RunningApplication } from '../../host/src/bridge/application.ts';
import { Bridge } from '../../host/src/bridge/bridge.ts';
import { Output } from '../../host/src/bridge/output.ts';
import { READING_ROOM, VAULT } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { BridgeHome, modern } from '../support/bridgeHome.ts';
import type { AnyMessage } from '../support/bridgeHome.ts';
import { EVENTS_TYPE, JSON_TYPE, ProvingApplication } from '../support/provingApplication.ts';
import type { Seen } from '../support/provingApplication.ts';

// The messages of a client for a failure between it and the database. Each sentence here is one of the troubleshooting page.

let home: BridgeHome;
const applications: ProvingApplication[] = [];

beforeEach(async () => {
  home = await BridgeHome.create();
});
afterEach(async () => {
  await home[Symbol.asyncDispose]();
  for (const application of applications.splice(0)) await application[Symbol.asyncDispose]();
});

async function application(
  answer: (seen: Seen, ...rest: Parameters<RequestListener>) => void,
  proves?: (challenge: number) => boolean,
): Promise<ProvingApplication> {
  const started = await ProvingApplication.start(home, answer, proves === undefined ? {} : { proves });
  applications.push(started);
  return started;
}

function expectFailure(answer: AnyMessage, stderr: string, layer: string, code: number, sentence: string): void {
  expect(answer.error).toMatchObject({ code, data: { layer } });
  expect(answer.error?.message).toContain(sentence);
  expect(stderr).toContain(`tabularium-mcp: ${layer}: `);
  expect(stderr).toContain(sentence);
}

/** The same bridge in this process, for what cannot be brought about from outside, or not in a test's time. */
function bridgeInside({
  open = () => undefined,
  silenceMilliseconds = 30_000,
}: {
  open?: () => void;
  silenceMilliseconds?: number;
}): {
  ask: (message: object) => Promise<unknown>;
  log: readonly string[];
  stop: () => Promise<void>;
} {
  const written = new PassThrough();
  const log: string[] = [];
  const bridge = new Bridge({
    application: new RunningApplication({ folder: home.folder, open }),
    folder: home.folder,
    output: new Output(written),
    log: (line) => log.push(line),
    silenceMilliseconds,
  });
  const ask = async (message: object): Promise<unknown> => {
    const line = once(createInterface({ input: written }), 'line');
    bridge.receive(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
    return JSON.parse(String(await line)) as unknown;
  };
  return { ask, log, stop: () => bridge.stop() };
}

it('the bridge has a fault of its own', async () => {
  const { ask, log, stop } = bridgeInside({
    open: () => {
      throw new Error('spawn EAGAIN');
    },
  });
  const message = 'The bridge failed: spawn EAGAIN. The request may have been carried out. Relaunch this client.';
  expect(await ask(modern(1, 'tools/list'))).toEqual({
    jsonrpc: '2.0',
    id: 1,
    error: { code: -33_000, message, data: { layer: 'transport' } },
  });
  expect(log).toEqual([`transport: ${message} (tools/list)`]);
  await stop();
});

describe('the connection', () => {
  it('is lost before the request is sent', async () => {
    // It proves itself when it is looked for, and to no connection after that.
    const { seen } = await application(
      (_seen, _request, response) => response.writeHead(500).end(),
      (challenge) => challenge % 2 === 1,
    );
    const bridge = home.startBridge();
    const answer = await bridge.ask(modern(1, 'subscriptions/listen', { notifications: {} }));
    expectFailure(answer, bridge.stderr, 'transport', -33_000, 'was lost before the request was sent. Send it again.');
    expect(seen).toEqual([]);
    expect(applications[0]?.challenges).toBe(4);
  });

  it('is lost after the request was sent', async () => {
    await application((_seen, request) => request.socket.destroy());
    const bridge = home.startBridge();
    const answer = await bridge.ask(modern(1, 'tools/call', { name: 'burn' }));
    expectFailure(
      answer,
      bridge.stderr,
      'transport',
      -33_000,
      'was lost after the request had been sent, so it may have been carried out.',
    );
  });

  it.each<[string, RequestListener]>([
    ['before it answers', () => undefined],
    ['in the middle of an answer', (_request, response) => response.writeHead(200, EVENTS_TYPE).flushHeaders()],
  ])('stays silent for too long, %s', async (_name, begin) => {
    const { seen } = await application((_seen, request, response) => begin(request, response));
    // Less patience than a bridge has.
    const { ask, log, stop } = bridgeInside({ silenceMilliseconds: 250 });
    expect(await ask(modern(1, 'tools/list'))).toMatchObject({
      id: 1,
      error: {
        code: -33_000,
        message: 'Tabularium sent nothing for 0.25 seconds, so the bridge gave up. The request may have been carried out.',
        data: { layer: 'transport' },
      },
    });
    expect(log).toEqual([expect.stringMatching(/^transport: Tabularium sent nothing for 0\.25 seconds.* \(tools\/list\)$/)]);
    // Not even what only reads is sent again: who is silent is not helped by more.
    expect(seen).toHaveLength(1);
    await stop();
  });
});

describe('the server', () => {
  it('does not open a session again', async () => {
    let initialized = 0;
    await application(({ body }, _request, response) => {
      const { id, method } = JSON.parse(body) as { id?: number; method: string };
      if (method !== 'initialize') return response.writeHead(id === undefined ? 202 : 404, JSON_TYPE).end();
      initialized += 1;
      if (initialized === 1) {
        const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } };
        return response
          .writeHead(200, { ...JSON_TYPE, 'mcp-session-id': 's' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      }
      const error = { code: -32_602, message: 'Unsupported protocol version' };
      return response.writeHead(400, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    });
    const bridge = home.startBridge();
    await bridge.initialize();
    const answer = await bridge.ask({ id: 1, method: 'tools/list' });
    expectFailure(
      answer,
      bridge.stderr,
      'server',
      -33_000,
      'The MCP server does not open the session again. Relaunch this client.',
    );
    expect(initialized).toBe(2);
  });

  it('answers with a status that says nothing of the request', async () => {
    await application((_seen, _request, response) =>
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oops</h1>'),
    );
    const bridge = home.startBridge();
    const answer = await bridge.ask(modern(1, 'tools/list'));
    expectFailure(
      answer,
      bridge.stderr,
      'server',
      -33_000,
      'The MCP server answered with HTTP 500, which says nothing of the request.',
    );
    expect(bridge.lines.join('')).not.toContain('Oops');
  });

  it('has had too many requests', async () => {
    await home.startHost({ requestsPerMinute: () => 2 });
    const bridge = home.startBridge();
    let last: AnyMessage | undefined;
    for (let id = 0; id < 5 && last?.error === undefined; id += 1) last = await bridge.ask(modern(id, 'tools/list'));
    if (last === undefined) throw new Error('nothing was asked');
    expectFailure(last, bridge.stderr, 'server', -33_010, 'Rate limited: too many requests. Try again in');
  });
});

describe('policy', () => {
  it('forbids a connection that is not open to clients', async () => {
    await home.startHost();
    const bridge = home.startBridge();
    const answer = await bridge.ask(modern(1, 'tools/call', { name: 'list_tables', arguments: { connection: VAULT } }));
    expectFailure(answer, bridge.stderr, 'policy', -33_007, 'Forbidden:');
  });

  it('lets clients read alone', async () => {
    await home.startHost();
    const bridge = home.startBridge();
    const write = { name: 'execute_query', arguments: { connection: READING_ROOM, statement: 'write one' } };
    expect(JSON.stringify(await bridge.ask(modern(1, 'tools/call', write)))).toContain(
      'External clients can only read this connection',
    );
  });
});

describe('the client', () => {
  it('sends an invalid message, and one that is too large', async () => {
    const { seen } = await application((_seen, _request, response) => response.writeHead(500).end());
    const bridge = home.startBridge();
    bridge.send('nonsense');
    bridge.send('[]');
    bridge.send(JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'tools/call', params: { text: 'x'.repeat(17 * 1024 * 1024) } }));
    await bridge.answer(9);
    expect(bridge.messages.map(({ error }) => [error?.code, error?.message, error?.data])).toEqual([
      [-32_700, 'Parse error: the line is not valid JSON in UTF-8.', { layer: 'transport' }],
      [-32_600, 'Invalid request: each line must be one JSON-RPC message.', { layer: 'transport' }],
      [-33_005, 'The message is larger than 16777216 bytes.', { layer: 'transport' }],
    ]);
    expect(seen).toEqual([]);
  });

  it('sends a line beyond every bound, and is answered all the same', async () => {
    const bridge = home.startBridge();
    bridge.child.stdin.write('x'.repeat(65 * 1024 * 1024));
    expect((await bridge.until(() => bridge.messages[0])).error).toMatchObject({ code: -33_005, data: { layer: 'transport' } });
    bridge.send('');
    bridge.send('nonsense');
    expect((await bridge.until(() => bridge.messages[1])).error?.code).toBe(-32_700);
  });
});
