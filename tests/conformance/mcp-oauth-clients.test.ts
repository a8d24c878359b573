import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { get } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ACCESS_MILLISECONDS } from '../../host/src/runtime/mcp/oauth/oauthGrantStore.ts';
import { McpFixture, READING_ROOM } from '../../host/src/runtime/mcp/server/mcpFixture.test-helper.ts';
import { MemoryProvider } from '../support/memoryProvider.ts';

const REDIRECT = 'http://127.0.0.1:33418/callback';

/** As much of an official client as both generations have. */
interface OfficialClient {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  close(): Promise<void>;
}

interface Attempt {
  readonly connected: Promise<OfficialClient>;
  readonly finish: (back: URLSearchParams) => Promise<void>;
}

const GENERATIONS: readonly (readonly [name: string, atOnce: number, start: (url: URL, provider: MemoryProvider) => Attempt])[] =
  [
    [
      '2.x, protocol 2026-07-28',
      5,
      (url, provider) => {
        const client = new Client({ name: 'modern', version: '2' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
        const transport = new StreamableHTTPClientTransport(url, { authProvider: provider as never });
        return { connected: client.connect(transport).then(() => client), finish: (back) => transport.finishAuth(back) };
      },
    ],
    [
      '2.x, a session',
      5,
      (url, provider) => {
        const client = new Client({ name: 'session', version: '2' });
        const transport = new StreamableHTTPClientTransport(url, { authProvider: provider as never });
        return { connected: client.connect(transport).then(() => client), finish: (back) => transport.finishAuth(back) };
      },
    ],
    [
      '1.x',
      // It gives up when a 401 arrives after another request has refreshed.
      1,
      (url, provider) => {
        const client = new FirstClient({ name: 'first', version: '1' });
        const transport = new FirstTransport(url, { authProvider: provider });
        return {
          connected: client.connect(transport as never).then(() => client as OfficialClient),
          finish: (back) => transport.finishAuth(String(back.get('code'))),
        };
      },
    ],
  ];

/** Where a page leads. `fetch` would say that it isn't the tab of a browser. */
function locationOf(url: URL): Promise<URL> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      response.resume();
      resolve(new URL(String(response.headers.location), url));
    }).on('error', reject);
  });
}

describe.each(GENERATIONS)('the official client %s', (_, atOnce, start) => {
  let fixture: McpFixture;

  beforeEach(async () => {
    fixture = new McpFixture();
    fixture.oauthEnabled = true;
    await fixture.start();
  });
  afterEach(async () => {
    await fixture[Symbol.asyncDispose]();
  });

  async function signIn(): Promise<OfficialClient> {
    const url = new URL(fixture.address.url);
    const provider = new MemoryProvider('An official client', REDIRECT);
    const first = start(url, provider);
    const refused = expect(first.connected).rejects.toThrow();
    const wait = await locationOf(new URL(await provider.begun.promise));
    await refused;
    const [pending] = fixture.consents.pending();
    expect(
      fixture.consents.answer(String(pending?.id), { allow: true, scope: 'readOnly', connections: [READING_ROOM], days: 7 }),
    ).toBe(true);
    await first.finish((await locationOf(wait)).searchParams);
    return start(url, provider).connected;
  }

  it('stays signed in when its token expires under requests that run side by side', async () => {
    const client = await signIn();
    const call = (): Promise<unknown> => client.callTool({ name: 'list_connections', arguments: {} });
    await call();
    for (let hour = 0; hour < 3; hour += 1) {
      // A session without a request for an hour ends.
      fixture.now += ACCESS_MILLISECONDS / 2;
      await call();
      fixture.now += ACCESS_MILLISECONDS / 2;
      const answers = await Promise.all(Array.from({ length: atOnce }, call));
      for (const answer of answers) expect(JSON.stringify(answer)).toContain('Reading room');
    }
    expect(fixture.tokens.list().filter(({ revokedAt }) => revokedAt !== undefined)).toEqual([]);
    await client.close();
  });
});
