import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { BridgeHome, MODERN_META, modern } from '../support/bridgeHome.ts';
import type { BridgeHost } from '../support/bridgeHome.ts';

// Events during a request in flight: streams, questions to the person, cancellations, refusals of policy.

let home: BridgeHome;
let host: BridgeHost;

beforeEach(async () => {
  home = await BridgeHome.create();
  host = await home.startHost();
});
afterEach(() => home[Symbol.asyncDispose]());

/** A client that can be asked, in either way of working. */
const asking = { elicitation: { form: {} } };
const write = { name: 'execute_query', arguments: { connection: READING_ROOM, statement: 'write one' } };

function openForWriting(): void {
  for (const connection of host.fixture.connections) {
    Object.assign(connection.access, { externalClients: 'readWrite', aiPolicy: 'askEachTime' });
  }
}

describe('a stream without end', () => {
  it('emits the events it was opened for while other requests run, and ends with the server', async () => {
    const bridge = home.startBridge();
    bridge.send(modern('sub', 'subscriptions/listen', { notifications: { toolsListChanged: true, resourcesListChanged: true } }));
    const acknowledged = await bridge.until(() =>
      bridge.messages.find(({ method }) => method === 'notifications/subscriptions/acknowledged'),
    );
    expect(acknowledged.params?.['_meta']).toEqual({ 'io.modelcontextprotocol/subscriptionId': 'sub' });
    expect((await bridge.ask(modern(1, 'tools/list'))).result).toBeDefined();
    await host.fixture.server.stop();
    expect((await bridge.answer('sub')).result).toMatchObject({ resultType: 'complete' });
  });

  it('is closed by a cancellation, without an answer', async () => {
    const bridge = home.startBridge();
    bridge.send(modern('sub', 'subscriptions/listen', { notifications: { resourcesListChanged: true } }));
    await bridge.until(() => bridge.lines[0]);
    bridge.send({ method: 'notifications/cancelled', params: { requestId: 'sub' } });
    expect((await bridge.ask(modern(1, 'tools/list'))).result).toBeDefined();
    expect(bridge.messages.filter(({ id }) => id === 'sub')).toEqual([]);
  });
});

describe('a question to the person', () => {
  it('goes to a client of 2025 in the middle of its call, and its answer back', async () => {
    openForWriting();
    const bridge = home.startBridge();
    const params = { protocolVersion: '2025-11-25', capabilities: asking, clientInfo: { name: 'asks', version: '1' } };
    await bridge.ask({ id: 'init', method: 'initialize', params });
    bridge.send({ method: 'notifications/initialized' });
    bridge.send({ id: 1, method: 'tools/call', params: write });
    const question = await bridge.until(() => bridge.messages.find(({ method }) => method === 'elicitation/create'));
    expect(question.id).toBeDefined();
    bridge.send({ id: question.id, result: { action: 'decline' } });
    expect(await bridge.answer(1)).toBeDefined();
    expect(host.fixture.session.calls.filter((call) => call.startsWith('CHANGE'))).toEqual([]);
  });
});

describe('a refusal of policy', () => {
  it('reports a read-only connection in the words of the server', async () => {
    const bridge = home.startBridge();
    const answer = await bridge.ask(modern(1, 'tools/call', write));
    expect(JSON.stringify(answer)).toContain('External clients can only read this connection');
    expect(host.fixture.session.calls.filter((call) => call.startsWith('CHANGE'))).toEqual([]);
  });

  it('keeps the one tool that destroys from the bridge', async () => {
    for (const connection of host.fixture.connections) {
      Object.assign(connection.access, { externalClients: 'readWrite', aiPolicy: 'alwaysAllow' });
    }
    const bridge = home.startBridge();
    const call = { name: 'confirm_destructive_operation', arguments: { connection: READING_ROOM, statement: 'destroy all' } };
    const answer = await bridge.ask(modern(1, 'tools/call', call));
    expect(answer.error ?? answer.result?.['isError']).toBeTruthy();
    expect(host.fixture.session.calls.filter((entry) => entry.startsWith('CHANGE'))).toEqual([]);
  });
});

describe('progress', () => {
  it.each(['2026-07-28', '2025-11-25', '2025-06-18'])(
    'comes before the answer, each message on its own line (%s)',
    async (version) => {
      const bridge = home.startBridge();
      const call = { name: 'search_schema', arguments: { connection: READING_ROOM, term: 'number' } };
      if (version === '2026-07-28') {
        const { id, method, params } = modern(1, 'tools/call', call);
        bridge.send({ id, method, params: { ...params, _meta: { ...MODERN_META, progressToken: 'pt' } } });
      } else {
        await bridge.initialize(version);
        bridge.send({ id: 1, method: 'tools/call', params: { ...call, _meta: { progressToken: 'pt' } } });
      }
      expect((await bridge.answer(1)).result).toBeDefined();
      const reported = bridge.messages.filter(({ method }) => method === 'notifications/progress');
      // The first step is always reported.
      expect(reported[0]?.params).toMatchObject({ progressToken: 'pt', progress: 1 });
      expect(reported.every(({ params: said }) => said?.['progressToken'] === 'pt')).toBe(true);
      expect(bridge.messages.at(-1)?.id).toBe(1);
    },
  );

  it("is not sent to a client that hasn't requested for it", async () => {
    const bridge = home.startBridge();
    const call = { name: 'search_schema', arguments: { connection: READING_ROOM, term: 'number' } };
    expect((await bridge.ask(modern(1, 'tools/call', call))).result).toBeDefined();
    expect(bridge.lines).toHaveLength(1);
  });
});
