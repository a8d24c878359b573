import { z } from 'zod';
import { connectionAccessSchema } from './access.ts';
import { groupNameSchema, savedConnectionSchema, settingsValuesSchema } from './connection.ts';
import { hostSentenceSchema, textOriginSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';

// Connections as a file: to carry them to another machine or to another person. It never holds a secret, nor where one is kept, but for the
// name of an environment variable.

export const CONNECTION_FILE_FORMAT = 'tabularium-connections';
export const CONNECTION_FILE_VERSION = 1;
/** The largest file that is read: thousands of connections. */
export const LARGEST_CONNECTION_FILE = 8 * 1024 * 1024;

/** One connection in a file. */
export const filedConnectionSchema = z.strictObject({
  name: savedConnectionSchema.shape.name,
  driver: savedConnectionSchema.shape.driver,
  settings: settingsValuesSchema,
  /** Secret fields whose value the host takes from its environment; the others are asked for when the connection is first opened. */
  secretsFromEnvironment: z
    .record(z.string().max(40), z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,120}$/, "isn't the name of a variable"))
    .default({}),
  access: connectionAccessSchema.default({ externalClients: 'readOnly', aiPolicy: 'askEachTime' }),
  color: savedConnectionSchema.shape.color,
  group: groupNameSchema.optional(),
});
export type FiledConnection = z.output<typeof filedConnectionSchema>;

/** A place in a file; both counted from 1. */
export const filePositionSchema = z.object({ line: z.number(), column: z.number() });
export type FilePosition = Shape<typeof filePositionSchema>;

/** A fault of a file, or of one connection of it. */
export const fileProblemSchema = filePositionSchema.extend({ message: z.string(), sentence: hostSentenceSchema });
export type FileProblem = Shape<typeof fileProblemSchema>;

/** One connection of a file, before anything is saved. */
export const importCandidateSchema = z.object({
  /** Its place in the file, counted from 0. */
  index: z.number(),
  name: z.string(),
  driver: z.string(),
  driverTitle: z.string().optional(),
  group: z.string().optional(),
  /** Where it leads, as far as its manifest lets a host know. */
  address: z.string().optional(),
  /** Labels of secret fields that will have to be entered. */
  secretsToEnter: z.array(z.string()),
  /** Names of environment variables whose values it would send to its server. */
  fromEnvironment: z.array(z.string()),
  /** The saved connection that has its name. */
  conflict: z.object({ id: z.string(), name: z.string() }).optional(),
  /** A name that is free, for it to be saved beside that one. */
  freeName: z.string(),
  /** Why it cannot be saved; empty when it can. */
  problems: z.array(fileProblemSchema),
});
export type ImportCandidate = Shape<typeof importCandidateSchema>;

/** The connections that a file would add. `problems` are those of the file as a whole; then there are no candidates. */
export const importPreviewSchema = z.object({
  candidates: z.array(importCandidateSchema),
  problems: z.array(fileProblemSchema),
});
export type ImportPreview = Shape<typeof importPreviewSchema>;

/** The choice for a connection whose name is taken. */
export const onConflictSchema = z.enum(['skip', 'rename', 'replace']);
export type OnConflict = z.output<typeof onConflictSchema>;

export const previewImportSchema = z.object({ text: z.string().max(LARGEST_CONNECTION_FILE) });
export const importConnectionsSchema = z.object({
  text: z.string().max(LARGEST_CONNECTION_FILE),
  /** The connections to import, by their place in the file. The others stay out. */
  choices: z.array(z.object({ index: z.number().int().nonnegative(), onConflict: onConflictSchema })).max(10_000),
});
export type ImportConnections = z.output<typeof importConnectionsSchema>;

/** The outcome of one connection of a file. */
export const importOutcomeSchema = z.object({
  /** Its place in the file, counted from 0. */
  index: z.number(),
  name: z.string(),
  outcome: z.enum(['added', 'renamed', 'replaced', 'skipped', 'failed']),
  connectionId: z.string().optional(),
  /** Environment variables whose values it sends to its server. Absent: none. */
  fromEnvironment: z.array(z.string()).readonly().optional(),
  /** Why it failed. */
  message: z.string().optional(),
  origin: textOriginSchema.optional(),
});
export type ImportOutcome = z.output<typeof importOutcomeSchema>;

export const exportConnectionsSchema = z.object({ connectionIds: z.array(z.uuid()).max(10_000).optional() });
export const duplicateConnectionSchema = z.object({
  connectionId: z.uuid(),
  name: savedConnectionSchema.shape.name,
  withSecrets: z.boolean(),
});
export const groupConnectionsSchema = z.object({
  connectionIds: z.array(z.uuid()).min(1).max(10_000),
  /** Absent: into none. */
  group: groupNameSchema.optional(),
});
