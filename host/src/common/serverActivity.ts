import { endRequestSchema, runningEntriesSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { textOriginSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';

// Sessions and statements at a server, for the window and the command line.

/** The entries of a server at one moment. */
export const serverActivitySchema = z.object({
  list: runningEntriesSchema,
  /** Whether the server's statistics of statements can be asked for. */
  hasStatistics: z.boolean(),
  /** Why nothing is ended here, whatever the driver could do; absent where that is not so. */
  readOnly: textOriginSchema.pick({ sentence: true }).extend({ reason: z.string() }).optional(),
});
export type ServerActivity = Shape<typeof serverActivitySchema>;

/** The entry as it was shown: the driver ends nothing else. */
export const endEntrySchema = z.object({ connectionId: z.uuid(), request: endRequestSchema });
