import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { BRIDGE } from '../support/bridgeHome.ts';
import type { Actor } from './actor.ts';

/** AI clients that start the bridge, ask something and go. */
export function bridgeActor(): Actor {
  return {
    name: 'bridges',
    every: 10_000,
    async step({ application, connection }) {
      const client = new Client({ name: 'soak bridge', version: '1' });
      const env = { TABULARIUM_HOME: application.home, HOME: application.home, PATH: '/nonexistent' };
      try {
        await client.connect(new StdioClientTransport({ command: process.execPath, args: [BRIDGE], env, stderr: 'ignore' }));
        await client.listTools();
        const answer = (await client.callTool({ name: 'list_tables', arguments: { connection } })) as {
          readonly isError?: boolean;
          readonly content: unknown;
        };
        if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
      } finally {
        await client.close();
      }
    },
  };
}
