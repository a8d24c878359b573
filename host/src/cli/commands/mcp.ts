import { z } from 'zod';
import { defineCommand } from './command.ts';

/** Where the MCP server of the running host is. Null: it does not run. */
export const mcpAddress = defineCommand({
  input: z.object({}),
  output: z.object({ url: z.string().nullable() }),
  run: async (services) => ({ url: services.mcpUrl() ?? null }),
});
