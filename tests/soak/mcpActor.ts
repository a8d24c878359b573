import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Actor } from './actor.ts';

const CALLS_OF_A_CLIENT = 60;

/** An MCP client over HTTP that reads; every now and then another one takes its place. */
export function mcpActor(number: number): Actor {
  let client: Client | undefined;
  let calls = 0;
  return {
    name: `MCP client ${number}`,
    every: 400,
    async step({ application, connection, token }) {
      if (calls % CALLS_OF_A_CLIENT === 0 || client === undefined) {
        await client?.close();
        client = new Client({ name: 'soak', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
        const requestInit = { headers: { authorization: `Bearer ${token}` } };
        await client.connect(new StreamableHTTPClientTransport(new URL(application.mcp), { requestInit }));
      }
      calls += 1;
      const table = { connection, table: 'products' };
      const tools = [
        { name: 'list_tables', arguments: { connection } },
        { name: 'browse_table', arguments: { ...table, maxRows: 50, offset: (calls * 50) % 5_000 } },
        { name: 'count_rows', arguments: table },
        { name: 'describe_table', arguments: table },
      ];
      const tool = tools[calls % tools.length];
      if (tool === undefined) return;
      const answer = (await client.callTool(tool)) as { readonly isError?: boolean; readonly content: unknown };
      if (answer.isError === true) throw new Error(`${tool.name}: ${JSON.stringify(answer.content)}`);
    },
    close: async () => client?.close(),
  };
}
