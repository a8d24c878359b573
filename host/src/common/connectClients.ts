import { z } from 'zod';
import { textOriginSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';

/** A client of the MCP server, and what to put into its configuration. */
export const connectableClientSchema = z.object({
  id: z.string(),
  title: z.string(),
  format: z.enum(['json', 'yaml', 'command']),
  transport: z.enum(['stdio', 'http']),
  text: z.string(),
  /** Whether it gets its token by signing in with OAuth. */
  signsIn: z.boolean().optional(),
  /** Its file, where we know it and can write it. */
  file: z.string().optional(),
});
export type ConnectableClient = Shape<typeof connectableClientSchema>;

/** The changes of the client's file when the entry is written. Empty: it is there already. */
export const configurationChangeSchema = z.object({ file: z.string(), diff: z.string() });
export type ConfigurationChange = Shape<typeof configurationChangeSchema>;

/** The file as it was is kept under `backup`; absent where there was none. */
export const configurationWrittenSchema = z.object({ file: z.string(), backup: z.string().optional() });
export type ConfigurationWritten = Shape<typeof configurationWrittenSchema>;

/** The bridge as a client would see it. */
export const bridgeCheckSchema = z.discriminatedUnion('ok', [
  z.object({ ok: z.literal(true), tools: z.array(z.string()), milliseconds: z.number() }),
  z.object({ ok: z.literal(false), layer: z.string(), message: z.string(), origin: textOriginSchema.optional() }),
]);
export type BridgeCheck = Shape<typeof bridgeCheckSchema>;
