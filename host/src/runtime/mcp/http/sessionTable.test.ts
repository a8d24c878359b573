import { Server } from '@modelcontextprotocol/server';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { mcpSessionsMigration } from '../../storage/migrations/mcpSessions.ts';
import { McpSessionStore } from './mcpSessionStore.ts';
import type { ExternalClient } from '../access/externalClient.ts';
import { MCP_LIMITS } from '../server/limits.ts';
import { CallerContext } from '../server/protocolServer.ts';
import { initializeBody } from '../server/rawRequest.test-helper.ts';
import { SessionTable } from './sessionTable.ts';

const ada: ExternalClient = { id: 'ada', tokenId: 'ada', kind: 'user', name: 'Ada', scope: 'readOnly', connections: 'all' };

const authInfo = new CallerContext().wrap({ principal: ada });

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

  describe('with a store', () => {
    const database = new DatabaseSync(':memory:');
    database.exec(mcpSessionsMigration.sql);
    const { sessionIdleMilliseconds: idle } = MCP_LIMITS;
    const again = (): SessionTable =>
      new SessionTable({
        createServer: () => new Server({ name: 'test', version: '1' }, { capabilities: {} }),
        limits: MCP_LIMITS,
        store: new McpSessionStore(database, () => now),
        now: () => now,
      });
    afterAll(() => database.close());

    // A use within a minute of the one before is not written.
    it.each([1, 30, 59, 60, 61, 119, 3_599])(
      'a session in use survives reaping and a restart: used after %i s',
      async (seconds) => {
        const begun = (now = 1_000_000_000);
        table = again();
        const id = await open();
        const use = async (): Promise<void> => {
          const session = await table.find(id, ada, authInfo);
          if (session === undefined) throw new Error('The session is not there.');
          table.use(session)();
        };
        await use();
        now = begun + seconds * 1_000;
        await use();
        for (now = begun + idle - 60_000; now <= begun + idle; now += 20_000) table.reap();
        now = begun + seconds * 1_000 + idle - 1;
        await use();
        await table.close();
        table = again();
        expect(await table.find(id, ada, authInfo)).toBeDefined();
      },
    );

    it('a session whose request runs for hours survives reaping and a restart', async () => {
      const begun = (now = 2_000_000_000);
      table = again();
      const id = await open();
      const session = await table.find(id, ada, authInfo);
      if (session === undefined) throw new Error('The session is not there.');
      const release = table.use(session);
      for (now = begun; now < begun + 3 * idle; now += 60_000) table.reap();
      release();
      await table.close();
      table = again();
      expect(await table.find(id, ada, authInfo)).toBeDefined();
    });

    it('an idle session leaves the store', async () => {
      now = 3_000_000_000;
      table = again();
      await open();
      now += idle;
      table.reap();
      expect(database.prepare('SELECT count(*) AS n FROM mcp_sessions WHERE last_used_at >= 3000000000').get()).toEqual({ n: 0 });
    });
  });
});
