import { Server } from '@modelcontextprotocol/server';
import { afterEach, describe, expect, it } from 'vitest';
import type { ExternalClient } from '../access/externalClient.ts';
import { MCP_LIMITS } from '../server/limits.ts';
import { CallerContext } from '../server/protocolServer.ts';
import { initializeBody } from '../server/rawRequest.test-helper.ts';
import { SessionTable } from './sessionTable.ts';

const ada: ExternalClient = { id: 'ada', tokenId: 'ada', kind: 'user', name: 'Ada', scope: 'readOnly', connections: 'all' };

const authInfo = new CallerContext().wrap(ada);

describe('SessionTable', () => {
  let now = 0;
  let table: SessionTable;
  afterEach(() => table.close());

  const open = async (): Promise<string> => {
    const response = await table.open(
      ada,
      new Request('http://127.0.0.1/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      }),
      { parsedBody: initializeBody('2025-11-25'), authInfo },
    );
    await response?.text();
    return response?.headers.get('mcp-session-id') ?? '';
  };

  it('drops unused sessions, and keeps those in use', async () => {
    const servers: Server[] = [];
    table = new SessionTable({
      createServer: () => {
        const server = new Server({ name: 'test', version: '1' }, { capabilities: {} });
        servers.push(server);
        return server;
      },
      limits: MCP_LIMITS,
      now: () => now,
    });
    const idle = await open();
    const busy = await open();
    const session = await table.find(busy, ada, authInfo);
    if (session === undefined) throw new Error('The session is not there.');
    const release = table.use(session);
    now += MCP_LIMITS.sessionIdleMilliseconds;
    table.reap();
    expect(table.size).toBe(1);
    expect(await table.find(idle, ada, authInfo)).toBeUndefined();
    expect(await table.find(busy, ada, authInfo)).toBe(session);
    release();
    now += MCP_LIMITS.sessionIdleMilliseconds - 1;
    table.reap();
    expect(table.size).toBe(1);
    now += 1;
    table.reap();
    expect(table.size).toBe(0);
    expect(servers.map(({ transport }) => transport)).toEqual([undefined, undefined]);
  });
});
