import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { modernRequest, rawRequest } from '../../host/src/runtime/mcp/server/rawRequest.test-helper.ts';

const discover = modernRequest('server/discover');

it("answers requests beyond the rate with -33010 and the time to wait, for each token separately, at the owner's current setting", async () => {
  let perMinute = 10;
  await using fixture = new McpFixture({ requestsPerMinute: () => perMinute });
  const { port } = await fixture.start();
  const { text } = fixture.mint();
  const other = fixture.mint({ name: 'Other' }).text;
  const send = (token: string) => rawRequest(port, { token, ...discover });
  for (let count = 0; count < 10; count += 1) expect((await send(text)).status).toBe(200);
  expect(await send(text)).toMatchObject({
    status: 429,
    headers: { 'retry-after': '6' },
    json: { error: { code: -33_010, data: { retryAfterSeconds: 6 } } },
  });
  expect((await send(other)).status).toBe(200);
  fixture.now += 6_000;
  expect((await send(text)).status).toBe(200);
  expect((await send(text)).status).toBe(429);
  perMinute = 1_000;
  fixture.now += 60_000;
  for (let count = 0; count < 50; count += 1) expect((await send(text)).status).toBe(200);
});

it('limits concurrent calls, except endless streams', async () => {
  await using fixture = new McpFixture({ limits: { requestsAtOnce: 3 } });
  const { port } = await fixture.start();
  const { text } = fixture.mint();
  const begun = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const gate = Promise.withResolvers<void>();
  fixture.session.gate = gate.promise;
  fixture.session.onBegin = () => begun[fixture.session.calls.length - 1]?.resolve();
  const call = modernRequest('tools/call', { name: 'list_tables', arguments: { connection: READING_ROOM } });
  const under = begun.map(() => rawRequest(port, { token: text, ...call }));
  await Promise.all(begun.map(({ promise }) => promise));
  expect(await rawRequest(port, { token: text, ...discover })).toMatchObject({ status: 429, json: { error: { code: -33_010 } } });
  gate.resolve();
  for (const answer of await Promise.all(under)) expect(answer.status).toBe(200);
  expect((await rawRequest(port, { token: text, ...discover })).status).toBe(200);
});

it('ends a stream with its token', async () => {
  await using fixture = new McpFixture();
  const { url } = await fixture.start();
  // The clock of the fixture is the server's; timers are real ones.
  const { text } = fixture.mint({ expiresAt: new Date(fixture.now + 1_500) });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${text}` } } }),
  );
  const stream = await client.listen({ resourcesListChanged: true });
  fixture.now += 1_500;
  await stream.closed;
  await expect(client.listTools()).rejects.toThrow(/401|expired/);
  await client.close();
});
