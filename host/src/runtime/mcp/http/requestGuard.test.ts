import { Server } from '@modelcontextprotocol/server';
import { createServer } from 'node:http';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ChangeBus } from '../server/changeBus.ts';
import { MCP_LIMITS } from '../server/limits.ts';
import { CallerContext } from '../server/protocolServer.ts';
import { modernRequest, rawRequest } from '../server/rawRequest.test-helper.ts';
import type { RawAnswer, RawRequest } from '../server/rawRequest.test-helper.ts';
import { RequestGuard } from './requestGuard.ts';

/** A front over a protocol server that has change notifications, and one tool that answers when it is let go. */
describe('stopping the front', () => {
  let guard: RequestGuard;
  let http: HttpServer;
  let port: number;
  let letGo: () => void;
  let begun: Promise<void>;

  beforeEach(async () => {
    const gate = Promise.withResolvers<void>();
    const begin = Promise.withResolvers<void>();
    letGo = gate.resolve;
    begun = begin.promise;
    guard = new RequestGuard({
      tokens: {
        verify: () => ({
          outcome: 'valid',
          principal: { id: 'a', tokenId: 'a', kind: 'user', name: 'A', scope: 'readOnly', connections: 'all' },
        }),
      },
      callers: new CallerContext(),
      bus: new ChangeBus({ list: () => [], onChange: () => () => undefined }),
      requestsPerMinute: () => MCP_LIMITS.requestsPerMinute,
      createServer: () => {
        const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: { listChanged: true } } });
        server.setRequestHandler('tools/call', async () => {
          begin.resolve();
          await gate.promise;
          return { content: [{ type: 'text', text: 'let go' }] };
        });
        return server;
      },
      // A longer wait means that the awaited event can't come.
      limits: { ...MCP_LIMITS, stopMilliseconds: 3_600_000 },
      allowedOrigins: () => [],
      onInternalError: (error) => {
        throw error;
      },
    });
    http = createServer((request, response) => void guard.handle(request, response));
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    ({ port } = http.address() as AddressInfo);
  });
  afterEach(async () => {
    letGo();
    await guard.stop();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });

  const send = (request: RawRequest): Promise<RawAnswer> => rawRequest(port, { token: 'any', ...request });
  const call = (): Promise<RawAnswer> => send(modernRequest('tools/call', { name: 'wait' }));

  it('waits for calls, and ends subscriptions as the protocol requires', async () => {
    const subscribing = modernRequest('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'sub');
    const stream = await fetch(`http://127.0.0.1:${port}/mcp`, {
      method: 'POST',
      headers: {
        ...(subscribing.headers as Record<string, string>),
        'content-type': 'application/json',
        authorization: 'Bearer any',
      },
      body: JSON.stringify(subscribing.body),
    });
    const reader = (stream.body as ReadableStream<Uint8Array>).getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader.read()).value);
    expect(await read()).toContain('"notifications":{"toolsListChanged":true}');
    const asked = call();
    await begun;
    const stopped = guard.stop();
    letGo();
    expect((await asked).json).toMatchObject({ result: { content: [{ text: 'let go' }] } });
    await stopped;
    expect(await read()).toContain('"id":"sub"');
    expect((await reader.read()).done).toBe(true);
  });

  it('takes nothing new while it waits, nor afterwards', async () => {
    const asked = call();
    await begun;
    const stopped = guard.stop();
    const refused = { status: 503, json: { error: { code: -33_000 } } };
    expect(await send(modernRequest('server/discover'))).toMatchObject(refused);
    letGo();
    expect((await asked).status).toBe(200);
    await stopped;
    expect(await send(modernRequest('server/discover'))).toMatchObject(refused);
  });
});
