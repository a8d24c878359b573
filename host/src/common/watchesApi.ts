import { z } from 'zod';
import { consoleSessionStateSchema } from './console.ts';
import { developedDriverSchema } from './development.ts';
import { editedTableSchema, stageEventSchema, tableWithEditsSchema } from './editing.ts';
import { newSecretSchema, pendingApprovalSchema, pendingConsentSchema } from './integrations.ts';
import { MOST_WATCHED } from './mostWatched.ts';
import { operationRunSchema } from './operations.ts';
import { importInfoSchema } from './imports.ts';
import { revisionsSchema } from './revisions.ts';
import { transferInfoSchema } from './transfer.ts';

// Apart from the types: the worker of the windows needs those alone, and is small without a validator.

export const watchTopicSchema = z.discriminatedUnion('is', [
  z.object({ is: z.literal('approvals') }),
  z.object({ is: z.literal('newSecrets') }),
  z.object({ is: z.literal('consents') }),
  z.object({ is: z.literal('transfers') }),
  z.object({ is: z.literal('operations') }),
  z.object({ is: z.literal('imports') }),
  z.object({ is: z.literal('development') }),
  z.object({ is: z.literal('revisions') }),
  z.object({ is: z.literal('stagedTables') }),
  editedTableSchema.extend({ is: z.literal('stage') }),
  z.object({ is: z.literal('consoleSession'), sessionId: z.uuid() }),
]);
export const followSchema = z.object({ topics: z.array(watchTopicSchema).min(1).max(MOST_WATCHED) });

/** The values of each topic, by its name. */
export const watchedValuesSchema = z.object({
  /** The requests that wait for a person. */
  approvals: z.array(pendingApprovalSchema),
  /** Answers with a new secret that a person has not dismissed. */
  newSecrets: z.array(newSecretSchema),
  /** The clients that sign in and wait for a person. */
  consents: z.array(pendingConsentSchema),
  transfers: z.array(transferInfoSchema),
  operations: z.array(operationRunSchema),
  imports: z.array(importInfoSchema),
  development: z.array(developedDriverSchema),
  /** They begin again with each host. */
  revisions: revisionsSchema,
  /** The tables with staged changes, of all connections. */
  stagedTables: z.array(tableWithEditsSchema),
  /** The staged changes of a table. */
  stage: stageEventSchema,
  /** A console session of this window. It is closed when it is followed no longer. */
  consoleSession: consoleSessionStateSchema,
});

const ended = z.object({ topic: watchTopicSchema, ended: z.literal(true) });
const [
  approvals,
  newSecrets,
  consents,
  transfers,
  operations,
  imports,
  development,
  revisions,
  stagedTables,
  stage,
  consoleSession,
] = watchTopicSchema.options;
const values = watchedValuesSchema.shape;
/** One piece of news. `ended`: nothing more will come of this topic in this stream; the others continue. */
export const watchEventSchema = z.union([
  z.object({ topic: approvals, value: values.approvals }),
  z.object({ topic: newSecrets, value: values.newSecrets }),
  z.object({ topic: consents, value: values.consents }),
  z.object({ topic: transfers, value: values.transfers }),
  z.object({ topic: operations, value: values.operations }),
  z.object({ topic: imports, value: values.imports }),
  z.object({ topic: development, value: values.development }),
  z.object({ topic: revisions, value: values.revisions }),
  z.object({ topic: stagedTables, value: values.stagedTables }),
  z.object({ topic: stage, value: values.stage }),
  z.object({ topic: consoleSession, value: values.consoleSession }),
  ended,
]);
