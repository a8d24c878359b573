import { z } from 'zod';
import type { EndOutcome, EndRequest, RunningEntries, RunningEntry, SlowStatements } from '../facets/activity.ts';
import {
  driverTextListSchema,
  driverTextSchema,
  driverTextsSchema,
  messageSchema,
  nameSchema,
  safeCountSchema,
} from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';

// Values of the activity facet's calls, held to the documented types. Bounds as in schemas.ts.

/** Entries of one list at most. */
export const MOST_RUNNING_ENTRIES = 2_000;
/** Characters of a statement in a list at most. */
export const MOST_RUNNING_CHARACTERS = 8_000;

const id = deferredSchema(() => z.string().min(1).max(200));
const measure = deferredSchema(() => z.number().min(0));
const text = deferredSchema(() => z.string().max(MOST_RUNNING_CHARACTERS));
const way = deferredSchema(() => z.enum(['cancel', 'terminate']));
const notes = deferredSchema(() => z.array(messageSchema).max(20));

/** Checks a {@link RunningEntry}. */
export const runningEntrySchema: z.ZodType<RunningEntry> = deferredSchema(() =>
  z.object({
    id,
    number: z.string().max(40).optional(),
    kind: z.enum(['session', 'statement', 'background']),
    state: z.enum(['running', 'waiting', 'idle', 'inTransaction', 'failedTransaction', 'hidden']),
    activity: z.string().max(200).optional(),
    user: nameSchema.optional(),
    application: nameSchema.optional(),
    client: nameSchema.optional(),
    namespace: nameSchema.optional(),
    statement: z.object({ id, text, isCut: z.boolean() }).optional(),
    milliseconds: measure.optional(),
    transactionMilliseconds: measure.optional(),
    sessionMilliseconds: measure.optional(),
    lockWait: z
      .object({ lock: nameSchema, blockedBy: z.array(id).max(100), others: z.array(z.string().max(200)).max(20) })
      .optional(),
    own: z.boolean(),
    ways: z.array(way).max(2),
    reason: messageSchema.optional(),
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks {@link RunningEntries}: no two entries have one id. */
export const runningEntriesSchema: z.ZodType<RunningEntries> = deferredSchema(() =>
  z.object({
    entries: z
      .array(runningEntrySchema)
      .max(MOST_RUNNING_ENTRIES)
      .refine((entries) => new Set(entries.map((entry) => entry.id)).size === entries.length, {
        error: 'Two entries of the list have one id.',
      }),
    leftOut: safeCountSchema.optional(),
    notes,
    noteTexts: driverTextListSchema.optional(),
  }),
);

/** Checks an {@link EndRequest}. */
export const endRequestSchema: z.ZodType<EndRequest> = deferredSchema(() => z.object({ id, way, statement: id.optional() }));

/** Checks an {@link EndOutcome}. */
export const endOutcomeSchema: z.ZodType<EndOutcome> = deferredSchema(() =>
  z.object({ outcome: z.enum(['ended', 'gone', 'asked']) }),
);

const slowStatementSchema = deferredSchema(() =>
  z.object({
    text,
    isCut: z.boolean(),
    user: nameSchema.optional(),
    namespace: nameSchema.optional(),
    calls: measure,
    totalMilliseconds: measure,
    meanMilliseconds: measure,
    maxMilliseconds: measure.optional(),
    rows: measure.optional(),
  }),
);

/** Checks {@link SlowStatements}. */
export const slowStatementsSchema: z.ZodType<SlowStatements> = deferredSchema(() =>
  z.discriminatedUnion('available', [
    z.object({
      available: z.literal(true),
      statements: z.array(slowStatementSchema).max(100),
      notes,
      noteTexts: driverTextListSchema.optional(),
    }),
    z.object({ available: z.literal(false), reason: messageSchema, text: driverTextSchema.optional().catch(undefined) }),
  ]),
);
