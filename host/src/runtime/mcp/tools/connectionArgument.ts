import { z } from 'zod';

/** How every tool is told which connection is meant. */
export const connectionArgument = z
  .string()
  .min(1)
  .max(200)
  .describe('The connection, by the id or the name that list_connections gives.');

export const namespaceOutput = z
  .array(z.string())
  .describe('The names of what contains the table, outermost first; often empty.');
