import type { StatementEffect } from '@tabularium/sdk';
import { consoleContextSchema, parameterValuesSchema, resultEventSchema, sessionNewsSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { errorReportSchema } from './errorReport.ts';
import { openingEvents } from './opening.ts';
import type { Shape } from './shape.ts';

// Statements for the window: running them, what was run, and what was saved to be run again.

/** The longest statement or document of statements. An import's lines travel in one, so it is large; transports take no larger body. */
const LONGEST_TEXT = 16 * 1024 * 1024;
const text = z.string().min(1).max(LONGEST_TEXT);
export const statementEffectSchema = z.enum(['read', 'write', 'destructive']) satisfies z.ZodType<StatementEffect>;

/**
 * `POST /api/run`: runs one statement. The answer's body is JSON lines, each a {@link RunLine}, as they arrive. Closing the connection stops
 * the statement. What fails before the first line has a status of 400 or above and an `ErrorReport` as JSON: `APPROVAL_REQUIRED` (409) for a
 * statement that does more than was agreed to; it was not run then.
 */
export const RUN_PATH = '/api/run';
export const runStatementSchema = z.object({
  connectionId: z.uuid(),
  /** The console session that it runs in; left out: in none. */
  sessionId: z.uuid().optional(),
  statement: text,
  /** The values of the statement's parameters, only in a session. */
  parameters: parameterValuesSchema.optional(),
  maxRows: z.number().int().min(1).max(500_000).default(1_000),
  /** The most that the person has agreed to: what `console.classify` said, once it was confirmed. */
  agreedTo: statementEffectSchema.default('read'),
  /** Whether the whole answer is wanted beside its rows: what the driver's `RunOptions.whole` gives. */
  whole: z.boolean().default(false),
});
export type RunStatement = z.output<typeof runStatementSchema>;
export type RunStatementInput = z.input<typeof runStatementSchema>;

/** One line of a running statement's answer. `failed` is the last one, where there is one. */
export const runLineSchema = z.union([
  resultEventSchema,
  /** Only in a session. */
  sessionNewsSchema,
  z.object({ type: z.literal('failed'), report: errorReportSchema }),
]);
export type RunLine = Shape<typeof runLineSchema>;

/** The events of a query of the command line. `refused` is the last one, where there is one: nothing was run. */
export const queryEventSchema = z.discriminatedUnion('type', [
  ...openingEvents,
  z.object({ type: z.literal('result'), event: resultEventSchema }),
  z.object({ type: z.literal('refused'), effect: statementEffectSchema, summaries: z.array(z.string()) }),
]);
export type QueryEvent = Shape<typeof queryEventSchema>;

export const splitTextSchema = z.object({ connectionId: z.uuid(), text: z.string().max(LONGEST_TEXT) });
export type SplitText = z.output<typeof splitTextSchema>;
export const describeStatementSchema = z.object({ connectionId: z.uuid(), statement: text });
export type DescribeStatement = z.output<typeof describeStatementSchema>;
export const classifyStatementSchema = describeStatementSchema.extend({
  /** The console session that it would run in. */
  sessionId: z.uuid().optional(),
});
export type ClassifyStatement = z.output<typeof classifyStatementSchema>;

/** A console session that was opened for a window. It ends when no window follows it any more. */
export const openedConsoleSessionSchema = z.object({
  sessionId: z.uuid(),
  context: consoleContextSchema,
  takesParameters: z.boolean(),
});
export type OpenedConsoleSession = Shape<typeof openedConsoleSessionSchema>;
export const openConsoleSessionSchema = z.object({ connectionId: z.uuid() });
export const consoleSessionIdSchema = z.object({ sessionId: z.uuid() });
export const endTransactionSchema = consoleSessionIdSchema.extend({ way: z.enum(['commit', 'rollBack']) });
export type EndTransaction = z.output<typeof endTransactionSchema>;
export const sessionStatementSchema = consoleSessionIdSchema.extend({ statement: text });
export type SessionStatement = z.output<typeof sessionStatementSchema>;

/** A console session as those see it who follow it. `ended` is the last state. */
export const consoleSessionStateSchema = z.discriminatedUnion('is', [
  z.object({ is: z.literal('open'), context: consoleContextSchema }),
  z.object({
    is: z.literal('ended'),
    /** `idle`: no statement ran in it for an hour; `closed`: the connection, or this tab, was closed; `lost`: the server or the driver ended it. */
    why: z.enum(['closed', 'idle', 'lost']),
    /** Whether a transaction was open. The server has rolled it back, unless `isUncertain`. */
    hadTransaction: z.boolean(),
    /** Whether a commit or a statement that writes was in progress, so that it isn't known which changes stay. */
    isUncertain: z.boolean(),
    /** This host has no such session: it was started after that, or has forgotten it. Any transaction of it is over. */
    isForgotten: z.literal(true).optional(),
  }),
]);
export type ConsoleSessionState = Shape<typeof consoleSessionStateSchema>;
export const completeTextSchema = z.object({
  connectionId: z.uuid(),
  text: z.string().max(1_000_000),
  /** Where the cursor is, in UTF-16 code units. */
  position: z.number().int().min(0),
  /** The console session that the text is for. */
  sessionId: z.uuid().optional(),
});
export type CompleteText = z.output<typeof completeTextSchema>;

/** The connection whose console is empty. */
export const consoleExamplesSchema = z.object({ connectionId: z.uuid() });

/** Asks for the places that the console's sessions can move to. */
export const readConsolePlacesSchema = z.object({ connectionId: z.uuid() });

/** One statement that was run, newest first. A secret in it is not kept. */
export const historyEntrySchema = z.object({
  id: z.number(),
  connectionId: z.string(),
  text: z.string(),
  /** Only the beginning was kept, or secrets were taken out, so that it is not what was run. */
  changed: z.boolean(),
  startedAt: z.string(),
  /** `interrupted`: the host ended while it ran. */
  outcome: z.enum(['running', 'ok', 'failed', 'cancelled', 'interrupted']),
  /** The status line of the answer, such as `200 OK`, or the error's message. */
  status: z.string().optional(),
  milliseconds: z.number().optional(),
  /** Rows that were read, or changed. */
  rows: z.number().optional(),
});
export type HistoryEntry = Shape<typeof historyEntrySchema>;

export const searchHistorySchema = z.object({
  /** Left out: of every connection. */
  connectionId: z.uuid().optional(),
  /** Words that must all be in the text, letter case aside. */
  search: z.string().max(400).default(''),
  limit: z.number().int().min(1).max(500).default(100),
  /** Only entries with a smaller id: the next page. */
  before: z.number().int().min(1).optional(),
});
export type SearchHistory = z.output<typeof searchHistorySchema>;
export const historyEntryIdSchema = z.object({ id: z.number().int().min(1) });
/** Left out: all of it. */
export const clearHistorySchema = z.object({ connectionId: z.uuid().optional() });

const savedName = z.string().trim().min(1, 'Give the request a name.').max(120);

/** A text that was saved under a name, for one connection or for all of them. It may hold `{{variables}}`. */
export const savedRequestSchema = z.object({
  id: z.string(),
  /** Null: for every connection. */
  connectionId: z.string().nullable(),
  name: z.string(),
  text: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type SavedRequest = Shape<typeof savedRequestSchema>;

/** Those of a connection and the global ones. */
export const savedRequestsSchema = z.object({ connectionId: z.uuid() });
export const saveRequestSchema = z.object({
  /** Left out: a new one. */
  id: z.uuid().optional(),
  connectionId: z.uuid().nullable(),
  name: savedName,
  text: z.string().max(1_000_000),
});
export type SaveRequest = z.output<typeof saveRequestSchema>;
export const savedRequestIdSchema = z.object({ id: z.uuid() });

/** Without `__proto__`: the inputs of tools drop a member of that name, so it could not be filled. */
const VARIABLE = /\{\{\s*(?!__proto__\s*\})([A-Za-z_][A-Za-z0-9_]{0,79})\s*\}\}/g;

/** The names of the variables in a text, each once, in order. */
export function variablesOf(requestText: string): readonly string[] {
  return [...new Set([...requestText.matchAll(VARIABLE)].map(([, name]) => String(name)))];
}

/** The length of {@link fillVariables}' text, without making it: a short text with long values can be larger than the memory. */
export function filledLength(requestText: string, values: Readonly<Record<string, string>>): number {
  return [...requestText.matchAll(VARIABLE)].reduce(
    (length, [whole, name]) =>
      length + (fillVariables(whole, values) === whole ? 0 : (values[String(name)] ?? '').length - whole.length),
    requestText.length,
  );
}

/** The text with its variables replaced, to the letter; a variable without a value stays as it is. */
export function fillVariables(requestText: string, values: Readonly<Record<string, string>>): string {
  return requestText.replaceAll(VARIABLE, (whole, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? whole) : whole,
  );
}
