import { z } from 'zod';
import type { ConsolePlace } from '../facets/console.ts';
import type { ConsoleContext, SessionEvent, StatementParameter } from '../facets/consoleSession.ts';
import { nameSchema as name } from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';
import { columnKindSchema, resultEventSchema } from './schemas.ts';

// Values of the calls of console sessions. Bounds as in schemas.ts.

/** Sessions that a connection may have open at once. */
export const MOST_CONSOLE_SESSIONS = 8;
/** Parameters that a statement may have. */
const MOST_PARAMETERS = 1_000;

/** The number of a console session, which the host chooses. */
export const consoleNumberSchema = deferredSchema(() => z.number().int().min(1).max(Number.MAX_SAFE_INTEGER));

/** Checks a {@link ConsoleContext}. */
export const consoleContextSchema: z.ZodType<ConsoleContext> = deferredSchema(() =>
  z.object({
    namespace: z.array(name).max(10).optional(),
    role: name.optional(),
    transaction: z.enum(['none', 'open', 'failed']),
  }),
);

/** Checks the places of a console. */
export const consolePlacesSchema: z.ZodType<readonly ConsolePlace[]> = deferredSchema(() =>
  z.array(z.object({ namespace: z.array(name).min(1).max(10), statement: z.string().min(1).max(4_000) })).max(1_000),
);

/** Checks what is said of a session when it is opened. */
export const openedConsoleSchema = deferredSchema(() =>
  z.object({ context: consoleContextSchema, takesParameters: z.boolean(), explains: z.boolean() }),
);

const noticeText = deferredSchema(() => z.string().max(10_000));

/** Checks a {@link SessionEvent} that is not a {@link ResultEvent}. */
export const sessionNewsSchema: z.ZodType<Extract<SessionEvent, { type: 'notice' | 'progress' | 'context' }>> = deferredSchema(
  () =>
    z.discriminatedUnion('type', [
      z.object({
        type: z.literal('notice'),
        severity: z.enum(['debug', 'info', 'notice', 'warning']),
        message: noticeText,
        detail: noticeText.optional(),
        hint: noticeText.optional(),
        code: z.string().max(40).optional(),
      }),
      z.object({ type: z.literal('progress'), message: z.string().max(200), share: z.number().min(0).max(1).optional() }),
      z.object({ type: z.literal('context'), context: consoleContextSchema, beginsNext: z.literal(true).optional() }),
    ]),
);

/** Checks a {@link SessionEvent}. */
export const sessionEventSchema: z.ZodType<SessionEvent> = deferredSchema(() => z.union([resultEventSchema, sessionNewsSchema]));

/** Checks the list of {@link StatementParameter}s. */
export const statementParametersSchema: z.ZodType<readonly StatementParameter[]> = deferredSchema(() =>
  z.array(z.object({ name: z.string().min(1).max(100), type: name, kind: columnKindSchema })).max(MOST_PARAMETERS),
);

/** The values of parameters. */
export const parameterValuesSchema = deferredSchema(() =>
  z
    .array(
      z
        .string()
        .max(16 * 1024 * 1024)
        .nullable(),
    )
    .max(MOST_PARAMETERS),
);
