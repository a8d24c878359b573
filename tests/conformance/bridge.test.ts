import { Client as ModernClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { READING_ROOM, VAULT } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { BRIDGE, BridgeHome } from '../support/bridgeHome.ts';
import type { BridgeHost } from '../support/bridgeHome.ts';

// The official clients over the bridge: both generations, all three versions.

interface AnyClient {
  listTools(): Promise<{ tools: readonly { readonly name: string }[] }>;
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

let home: BridgeHome;
let host: BridgeHost;
const clients: AnyClient[] = [];

beforeEach(async () => {
  home = await BridgeHome.create();
  host = await home.startHost();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await home[Symbol.asyncDispose]();
});

const parameters = () => ({ command: process.execPath, args: [BRIDGE], env: home.env(), stderr: 'pipe' as const });

async function modernClient(mode: 'legacy' | 'auto' | { pin: string }): Promise<ModernClient> {
  const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  clients.push(client);
  await client.connect(new ModernTransport(parameters()));
  return client;
}

async function firstClient(): Promise<FirstClient> {
  const client = new FirstClient({ name: 'test', version: '1' });
  clients.push(client);
  await client.connect(new FirstTransport(parameters()));
  return client;
}

const connectors: [string, () => Promise<AnyClient>][] = [
  ['the first generation', firstClient],
  ['the second, as it comes', () => modernClient('legacy')],
  ['the second, choosing by itself', () => modernClient('auto')],
  ['the second, pinned to 2026-07-28', () => modernClient({ pin: '2026-07-28' })],
];

describe.each(connectors)('%s', (_name, connect) => {
  it('lists tools, calls them, and gets the code of a refusal', async () => {
    const client = await connect();
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('list_connections');
    expect(await client.callTool({ name: 'list_connections' })).toMatchObject({ content: [{ type: 'text' }] });
    await expect(client.callTool({ name: 'list_tables', arguments: { connection: VAULT } })).rejects.toMatchObject({
      code: -33_007,
      data: { layer: 'policy' },
    });
  });

  it('has many calls in flight at once', async () => {
    const client = await connect();
    const results = await Promise.all(
      Array.from({ length: 40 }, () => client.callTool({ name: 'list_tables', arguments: { connection: READING_ROOM } })),
    );
    expect(results).toHaveLength(40);
    expect(host.fixture.reports.filter(({ outcome }) => outcome === 'done')).toHaveLength(40);
  });

  it('cancels a call in the application', async () => {
    const client = await connect();
    host.fixture.session.gate = new Promise(() => undefined);
    const begun = new Promise<void>((resolve) => {
      host.fixture.session.onBegin = resolve;
    });
    const stop = new AbortController();
    const call = client as unknown as { callTool(...args: unknown[]): Promise<unknown> };
    const params = { name: 'list_tables', arguments: { connection: READING_ROOM } };
    const outcome = (
      client instanceof FirstClient
        ? call.callTool(params, undefined, { signal: stop.signal })
        : call.callTool(params, { signal: stop.signal })
    ).catch((error: unknown) => error);
    await begun;
    stop.abort(new Error('enough'));
    await outcome;
    await expect.poll(() => host.fixture.session.signals.at(-1)?.aborted).toBe(true);
  });

  it('continues after Tabularium was restarted', async () => {
    const client = await connect();
    await client.listTools();
    await host.fixture.server.stop();
    host = await home.startHost();
    expect(await client.callTool({ name: 'list_connections' })).toMatchObject({ content: [{ type: 'text' }] });
    expect(host.fixture.reports).toMatchObject([{ tool: 'list_connections', outcome: 'done' }]);
  });

  it('continues while tokens are rotated and expire', async () => {
    const client = await connect();
    const tokens = [(await home.handshake()).token];
    for (let round = 0; round < 3; round += 1) {
      host.fixture.now += 46 * 60_000;
      await host.handshake.rotateWhenDue();
      tokens.push((await home.handshake()).token);
      await client.callTool({ name: 'list_connections' });
    }
    expect(new Set(tokens).size).toBe(4);
    expect(host.fixture.reports.every(({ outcome }) => outcome === 'done')).toBe(true);
    expect(host.fixture.reports).toHaveLength(3);
  });

  it('reads why when nothing runs', async () => {
    await host[Symbol.asyncDispose]();
    const failure = await connect()
      .then((client) => client.listTools())
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect((failure as Error).message).toContain("Tabularium isn't running.");
  });
});
