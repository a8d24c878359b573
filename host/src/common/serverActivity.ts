import type { RunningEntry } from '@tabularium/sdk';
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

/** How many entries wait for each of those that others wait for, by its id. */
export function blockedCounts(entries: readonly RunningEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { lockWait } of entries) for (const id of lockWait?.blockedBy ?? []) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

/** Those that do something or hold it up: an idle entry that others wait for is the one that is looked for. */
export function busyEntries(entries: readonly RunningEntry[]): readonly RunningEntry[] {
  const blocked = blockedCounts(entries);
  return entries.filter(({ id, state }) => state !== 'idle' || blocked.has(id));
}
