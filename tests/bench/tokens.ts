import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { TOOLS } from '../../host/src/runtime/mcp/tools/registry.ts';
import type { Budget } from './budget.ts';
import { atMost } from './budget.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * A model reads the list of all tools, as a caller with permission for each of them gets it, 50 rows of the sample, and a browse that names only the
 * table, for a token of full access. The count covers the JSON of the results, as a client that forwards everything would send it.
 */
export async function tokenBudgets(surroundings: Surroundings): Promise<readonly Budget[]> {
  const runtime = await surroundings.newRuntime();
  try {
    await surroundings.connect(runtime);
    const url = await runtime.integrations.start(0);
    if (url === undefined) throw new Error('The MCP server did not start.');
    const { text } = runtime.tokens.mint({ name: 'Bench', scope: 'fullAccess' });
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization: `Bearer ${text}` } } }),
    );
    try {
      const browse = (args: Record<string, unknown>) =>
        client.callTool({ name: 'browse_table', arguments: { connection: 'Bench', table: 'products', ...args } });
      const fifty = await browse({ maxRows: 50 });
      const open = await browse({});
      return [
        atMost('tokens of tools/list', tokensOf(TOOLS.map(({ listed }) => listed)), 4_000, 'tokens'),
        atMost('tokens of 50 rows of products', tokensOf(fifty), 6_000, 'tokens'),
        atMost('tokens of a browse that says only the table', tokensOf(open), 12_000, 'tokens'),
      ];
    } finally {
      await client.close();
    }
  } finally {
    await runtime[Symbol.asyncDispose]();
  }
}

function tokensOf(value: unknown): number {
  return countTokens(JSON.stringify(value));
}
