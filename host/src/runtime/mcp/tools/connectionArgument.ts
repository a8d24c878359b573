import { z } from 'zod';

/** The argument that names the connection, for every tool. */
export const connectionArgument = z
  .string()
  .min(1)
  .max(200)
  .describe('The connection, by the id or the name that list_connections gives.');

export const namespaceOutput = z
  .array(z.string())
  .describe('The names of what contains the table, outermost first; often empty.');
