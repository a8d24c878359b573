import {
  filterSchema,
  findingSchema,
  pageHeadSchema,
  pageRequestSchema,
  rowsRequestSchema,
  serverInfoSchema,
  tableRefSchema,
} from '@tabularium/sdk/protocol';
import type {
  Filter,
  PageRequest,
  ReadRows,
  RowBatch,
  RowCount,
  TableDescription,
  TableRef,
  TableSummary,
} from '@tabularium/sdk';
import { manifestSchema } from '@tabularium/sdk/manifest';
import { downgradeConsentSchema } from './driversApi.ts';
import { z } from 'zod';
import { openingSteps } from './opening.ts';
import { hostSentenceSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';
import { connectionInputSchema } from './connection.ts';
import { languageChoiceSchema } from './languages.ts';
import { confirmationCodeSchema } from './secretQuestion.ts';

// Requests of the window to the runtime, beyond those that the model already names. Every input is checked against its schema on arrival.

/** How the window looks; kept by the host so that every window of a home looks the same. */
export const preferencesSchema = z.object({
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  density: z.enum(['comfortable', 'compact']).default('comfortable'),
  /** Words of the window; a change is seen after a reload. */
  language: languageChoiceSchema.default('system').catch('system'),
  /** Rows per page, where the driver's manifest offers that size. */
  pageSize: z.number().int().min(1).max(10_000).optional(),
  /** Whether registries are asked once a day for a newer version of the application. */
  lookForNewerVersions: z.boolean().default(false),
});
export type Preferences = z.output<typeof preferencesSchema>;

/** A version of the application that is newer than this one, and the name of the registry that has it. */
export const newerVersionSchema = z.object({ version: z.string(), registry: z.string() });
export type NewerVersion = Shape<typeof newerVersionSchema>;

/** The facts about the application that the window shows. */
export const applicationInfoSchema = z.object({
  version: z.string(),
  home: z.string(),
  sdkContract: z.string(),
  secureStore: z.object({
    available: z.boolean(),
    name: z.string(),
    reason: z.string().optional(),
    sentence: hostSentenceSchema.optional(),
    /** The next step, where one can't be saved and should. */
    advice: z.string().optional(),
    /** The administrator chose that none is saved: nothing is wrong. */
    isReadOnly: z.literal(true).optional(),
  }),
  /** Absent while the MCP server is not running. */
  mcpUrl: z.string().optional(),
  /** Absent while none was found, or none is looked for. */
  newerVersion: newerVersionSchema.optional(),
});
export type ApplicationInfo = Shape<typeof applicationInfoSchema>;

/** The space on the disk of the data directory. */
export const diskSchema = z.object({
  folder: z.string(),
  /** Free for this user, as the file system says; a quota may leave less. */
  freeBytes: z.number(),
  /** Whether something could be written there just now. */
  hasSpace: z.boolean(),
});
export type Disk = Shape<typeof diskSchema>;

export const connectionIdSchema = z.object({ connectionId: z.uuid() });

/** A connection to try without saving it. With `connectionId`, secrets that are left out are taken from that saved connection. */
export const testConnectionSchema = z.object({
  connectionId: z.uuid().optional(),
  input: connectionInputSchema,
  /** Of the {@link SecretQuestion} that a person has answered with yes, for this one test. */
  code: confirmationCodeSchema.optional(),
});

export const updateConnectionSchema = z.object({
  connectionId: z.uuid(),
  input: connectionInputSchema,
  /** Of the {@link SecretQuestion} that a person has answered with yes. */
  code: confirmationCodeSchema.optional(),
});

export const confirmSecretsSchema = z.object({ connectionId: z.uuid(), code: confirmationCodeSchema });

export const openConnectionSchema = z.object({
  connectionId: z.uuid(),
  /** Values for secret fields that the host lacks, kept until the host stops. */
  secrets: z.record(z.string().max(40), z.string().min(1).max(10_000)).default({}),
});

/** An open connection. */
export const openConnectionInfoSchema = z.object({
  connectionId: z.string(),
  server: serverInfoSchema,
  findings: z.array(findingSchema),
  facets: z.array(z.string()),
  /** The namespaces whose tables are listed at first; absent where every table is. */
  initialNamespaces: z.array(z.array(z.string())).optional(),
  /** The optional parts of the console, where there is one. */
  console: z
    .object({
      /** Whether its tabs have sessions. */
      sessions: z.boolean(),
      /** Whether a statement is an HTTP request, which other tools can send. */
      requests: z.boolean(),
    })
    .optional(),
  manifest: manifestSchema,
  driverVersion: z.string(),
});
export type OpenConnectionInfo = Shape<typeof openConnectionInfoSchema>;

/** The events of opening a connection, in order; the last one is `open`. A failure ends the stream with an error. */
export const openProgressSchema = z.discriminatedUnion('step', [
  ...openingSteps,
  z.object({ step: z.literal('open'), connection: openConnectionInfoSchema }),
]);
export type OpenProgress = Shape<typeof openProgressSchema>;

export const installDriverSchema = z.object({
  driver: z.string().min(1).max(40),
  version: z.string().max(80).optional(),
  allowDowngrade: downgradeConsentSchema,
});

export const describeTableSchema = z.object({
  connectionId: z.uuid(),
  table: tableRefSchema,
  /** Reads the structure from the server instead of from the cache. */
  reload: z.boolean().default(false),
});

export const countRowsSchema = z.object({ connectionId: z.uuid(), table: tableRefSchema, filter: filterSchema });

/**
 * `POST /api/page`: the one call beside the typed router, because its answer is passed on as the driver encoded it. The body of the answer is
 * one line of JSON, {@link PageAnswerHead}, a line feed, and then the bytes of the row batch. An error has a status of 400 or above and an
 * `ErrorReport` as JSON.
 */
export const PAGE_PATH = '/api/page';
export const readPageSchema = z.object({ connectionId: z.uuid(), request: pageRequestSchema });

/** The first line of an answer to {@link PAGE_PATH}. */
export const pageAnswerHeadSchema = z.intersection(
  pageHeadSchema,
  z.object({
    /** Milliseconds from the host's asking the driver to its answer. */
    milliseconds: z.number(),
    /** Host and port of the node that answered; absent where the connection has only one. */
    node: z.string().optional(),
  }),
);
export type PageAnswerHead = Shape<typeof pageAnswerHeadSchema>;

/** `POST /api/rows`: rows by their keys, every value whole. The answer is as that of {@link PAGE_PATH}, its first line a {@link RowsAnswerHead}. */
export const ROWS_PATH = '/api/rows';
export const tableRowsSchema = z.object({ connectionId: z.uuid(), request: rowsRequestSchema });

/** The first line of an answer to {@link ROWS_PATH}. */
export type RowsAnswerHead = Omit<ReadRows, 'batch'>;

/** Where the typed router is served. */
export const ROUTER_PATH = '/api/trpc';

export type { SecretQuestion } from './secretQuestion.ts';
export type { Filter, PageRequest, RowBatch, RowCount, TableDescription, TableRef, TableSummary };
