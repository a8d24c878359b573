import { driverTextsSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { connectionAccessSchema } from './access.ts';
import { hostSentenceSchema, textOriginSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';

/** Where the value of a connection's secret field is. The value itself is never part of a connection. */
export const secretReferenceSchema = z.discriminatedUnion('kind', [
  /** In the operating system's secure store. */
  z.object({ kind: z.literal('store') }),
  /** In the host's memory, until it stops. */
  z.object({ kind: z.literal('session') }),
  /** In an environment variable of the host's process. */
  z.object({ kind: z.literal('environment'), variable: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,120}$/) }),
]);
export type SecretReference = z.output<typeof secretReferenceSchema>;

/** Values of the form's fields, secrets left out. */
export const settingsValuesSchema = z.record(z.string().max(40), z.union([z.string().max(100_000), z.number(), z.boolean()]));
export type SettingsValues = z.output<typeof settingsValuesSchema>;

/** The name of a group of connections. */
export const groupNameSchema = z.string().trim().min(1).max(80);

/** A saved connection, as stored and as shown. */
export const savedConnectionSchema = z.object({
  id: z.uuid(),
  /** Unique without regard to letter case. */
  name: z.string().trim().min(1).max(120),
  /** The database type. */
  driver: z.string().min(1).max(40),
  settings: settingsValuesSchema,
  /** Each secret field that has a value, and where the value is. */
  secrets: z.record(z.string().max(40), secretReferenceSchema),
  access: connectionAccessSchema,
  /** One of the palette's colour names. */
  color: z.enum(['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink']).default('gray'),
  /** Connections with the same group are listed together. */
  group: groupNameSchema.optional(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type SavedConnection = z.output<typeof savedConnectionSchema>;

/** A saved connection whose row is damaged, or was written by a newer version. It can be removed, and nothing else. */
export const unreadableConnectionSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** The fields that can't be read. */
  fields: z.array(z.string()),
});
export type UnreadableConnection = z.output<typeof unreadableConnectionSchema>;

/** A new value for a secret field: where it is to be kept, and the value where the host is to keep it. */
export const secretInputSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('store'), value: z.string().min(1).max(10_000) }),
  z.object({ kind: z.literal('session'), value: z.string().min(1).max(10_000) }),
  z.object({ kind: z.literal('environment'), variable: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,120}$/) }),
  /** Forget the value that is there. */
  z.object({ kind: z.literal('remove') }),
]);
export type SecretInput = z.output<typeof secretInputSchema>;

/** In a form that is not saved yet also a sign-in that the host holds for it: its value never leaves the host. */
export const formSecretInputSchema = z.discriminatedUnion('kind', [
  ...secretInputSchema.options,
  z.object({ kind: z.literal('signedIn'), ticket: z.uuid(), keepIn: z.enum(['store', 'session']) }),
]);
export type FormSecretInput = z.output<typeof formSecretInputSchema>;

export const renameConnectionSchema = z.object({ connectionId: z.uuid(), name: savedConnectionSchema.shape.name });

/** The input to save a connection. A secret that is left out stays as it is. */
export const connectionInputSchema = z.object({
  name: z.string().trim().min(1, 'Give the connection a name.').max(120),
  driver: z.string().min(1).max(40),
  settings: settingsValuesSchema,
  secrets: z.record(z.string().max(40), formSecretInputSchema).default({}),
  access: connectionAccessSchema.default({ externalClients: 'readOnly', aiPolicy: 'askEachTime' }),
  color: savedConnectionSchema.shape.color,
  group: savedConnectionSchema.shape.group,
});
export type ConnectionInput = z.output<typeof connectionInputSchema>;

/** An input that holds every secret itself, as from a file: no sign-in of a form. */
export const storedInputSchema = connectionInputSchema.extend({
  secrets: z.record(z.string().max(40), secretInputSchema).default({}),
});
export type StoredInput = z.output<typeof storedInputSchema>;

/** One line of Test Connection, in order: name lookup, TCP, TLS, then what the driver found. */
export const testStepSchema = z.object({
  id: z.string(),
  label: z.string(),
  outcome: z.enum(['running', 'ok', 'warning', 'failed', 'skipped']),
  message: z.string(),
  /** Of a driver's finding: the translations of label and message in its manifest. */
  texts: driverTextsSchema.optional(),
  /** The message as a window of another language finds it; absent where the message is a driver's, or a name with its version. */
  sentence: hostSentenceSchema.optional(),
  /** Of a step that failed: the error, whose message and advice the step's message has. */
  failure: textOriginSchema
    .extend({
      message: z.string(),
      advice: z.string(),
      texts: driverTextsSchema.optional(),
      /** The field of the form that it is about, where it says so. */
      field: z.string().optional(),
    })
    .optional(),
  /** Of the driver, where the step is about it. */
  driverVersion: z.string().optional(),
  milliseconds: z.number().optional(),
});
export type TestStep = Shape<typeof testStepSchema>;

/** A connection that was saved as it was given; `warnings` name variables that the host's environment lacks. */
export const addedConnectionSchema = z.object({ connection: savedConnectionSchema, warnings: z.array(z.string()) });
