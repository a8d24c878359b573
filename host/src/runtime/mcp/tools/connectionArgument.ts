import { z } from 'zod';

/** The argument that names the connection, for every tool. */
export const connectionArgument = z.string().min(1).max(200).describe('Its id or name.');

export const namespaceOutput = z
  .array(z.string())
  .describe('What contains the table, outermost first; absent where nothing does.');
