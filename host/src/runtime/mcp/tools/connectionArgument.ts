import { z } from 'zod';

/** The argument that names the connection by id or name, for every tool: `list_connections` says so once, and no model reads it two dozen times. */
export const connectionArgument = z.string().min(1).max(200);

export const namespaceOutput = z
  .array(z.string())
  .describe('What contains the table, outermost first; absent where nothing does.');
