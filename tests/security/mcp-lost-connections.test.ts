import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { initializeBody, MODERN_META, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import type { RawAnswer } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';
import type { McpLimits } from '../../host/src/runtime/mcp/server/limits.ts';

/** The server learns some turns later that a client has hung up; then its part is done, or is not. */
async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 200; turns += 1) await turn();
}

/** Calls in a session of 2025-11-25 continue when their client hangs up, so they count until they have ended. */
async function openFixture(limits: Partial<McpLimits>) {
  const fixture = new McpFixture({ limits });
  const { port } = await fixture.start();
  const { text: token } = fixture.mint();
  const begun = await rawRequest(port, { token, body: initializeBody('2025-11-25') });
  const headers = { 'mcp-session-id': String(begun.headers['mcp-session-id']), 'mcp-protocol-version': '2025-11-25' };
  await rawRequest(port, { token, headers, body: { jsonrpc: '2.0', method: 'notifications/initialized' } });
  const gate = Promise.withResolvers<void>();
  fixture.session.gate = gate.promise;
  let count = 0;
  const call = (padding = ''): object => {
    count += 1;
    const params = { name: 'list_tables', arguments: { connection: READING_ROOM } };
    return { jsonrpc: '2.0', id: `${count}${padding}`, method: 'tools/call', params };
  };
  return {
    fixture,
    letGo: gate.resolve,
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
    /** Calls, waits until the driver has the call, and hangs up. */
    async hangUp(padding?: string): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      fixture.session.onBegin = resolve;
      const leaving = new AbortController();
      const answer = fetch(fixture.address.url, {
        method: 'POST',
        signal: leaving.signal,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          ...headers,
        },
        body: JSON.stringify(call(padding)),
      }).then((response) => response.text());
      await promise;
      leaving.abort();
      await answer.catch(() => undefined);
      await someTurns();
    },
    call: (padding?: string): Promise<RawAnswer> => rawRequest(port, { token, headers, body: call(padding) }),
  };
}

it('a call whose client hung up counts among the requests at once until it has ended', async () => {
  await using opened = await openFixture({ requestsAtOnce: 3 });
  const { fixture, hangUp, letGo, call } = opened;
  for (let count = 0; count < 3; count += 1) await hangUp();
  expect(fixture.session.signals.some(({ aborted }) => aborted)).toBe(false);
  expect(await call()).toMatchObject({ status: 429, json: { error: { code: -33_010 } } });
  expect(fixture.server.clients()).toMatchObject([{ inFlight: 3 }]);
  letGo();
  await expect.poll(async () => (await call()).status).toBe(200);
  expect(fixture.server.clients()).toMatchObject([{ inFlight: 0 }]);
});

it('the body of a call whose client hung up is held until the call has ended', async () => {
  await using opened = await openFixture({ heldBodyBytesPerPrincipal: 100_000 });
  const { hangUp, letGo, call } = opened;
  const padding = ' '.repeat(40_000);
  await hangUp(padding);
  await hangUp(padding);
  expect(await call(padding)).toMatchObject({ status: 429, json: { error: { code: -33_010 } } });
  letGo();
  await expect.poll(async () => (await call(padding)).status).toBe(200);
});

it('stopping waits for a call whose client hung up', async () => {
  await using opened = await openFixture({ stopMilliseconds: 60_000 });
  const { fixture, hangUp, letGo } = opened;
  await hangUp();
  let stopped = false;
  const stopping = fixture.server.stop().then(() => (stopped = true));
  await someTurns();
  expect(stopped).toBe(false);
  letGo();
  await stopping;
  expect(fixture.reports.at(-1)).toMatchObject({ tool: 'list_tables', outcome: 'done' });
});

it('stopping ends a call whose client hung up when its time is over', async () => {
  await using opened = await openFixture({ stopMilliseconds: 50 });
  const { fixture, hangUp } = opened;
  await hangUp();
  await fixture.server.stop();
  expect(fixture.session.signals.at(-1)?.aborted).toBe(true);
  expect(fixture.reports.at(-1)).toMatchObject({ tool: 'list_tables', outcome: 'cancelled' });
});

it('a call without a session that its driver does not stop at once counts until it has ended', async () => {
  await using opened = await openFixture({ requestsAtOnce: 1 });
  const { fixture } = opened;
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  fixture.session.listTables = async () => {
    begun.resolve();
    await gate.promise;
    return [];
  };
  const { text: token } = fixture.mint();
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'list_tables' };
  const params = { name: 'list_tables', arguments: { connection: READING_ROOM }, _meta: MODERN_META };
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  const leaving = new AbortController();
  const answer = fetch(fixture.address.url, {
    method: 'POST',
    signal: leaving.signal,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${token}`,
      ...headers,
    },
    body: JSON.stringify(body),
  });
  await begun.promise;
  leaving.abort();
  await answer.catch(() => undefined);
  await someTurns();
  const again = (): Promise<RawAnswer> => rawRequest(fixture.address.port, { token, headers, body });
  expect(await again()).toMatchObject({ status: 429 });
  gate.resolve();
  await expect.poll(async () => (await again()).status).toBe(200);
});
