import { z } from 'zod';
import { tokenScopeSchema } from './access.ts';
import { textOriginSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';

/** The owner's settings for external clients. */
export const integrationSettingsSchema = z.object({
  /** Whether the MCP server runs. */
  enabled: z.boolean().default(true),
  /** The port that is tried first. */
  port: z.number().int().min(1).max(65_535).default(23_508),
  /** `client`: where a client can put a question to its person, that counts; `window`: only this window counts. */
  approvals: z.enum(['client', 'window']).default('client'),
  /** Requests a minute and client; more are answered with -33010. */
  requestsPerMinute: z.number().int().min(10).max(1_000_000).default(1_200),
  /** Whether the activity log keeps statements; else their digest alone. */
  logStatements: z.boolean().default(false),
  /** Origins of web pages that may call, besides those of this machine: exactly as a browser sends them. */
  allowedOrigins: z
    .array(z.string().regex(/^https?:\/\/[^\s/@?#]+$/, 'An origin is a scheme, a host and perhaps a port.'))
    .max(20)
    .default([]),
  /** Whether clients may ask for access with OAuth, which a person allows in the window. */
  oauth: z.boolean().default(false),
  /** The folders that clients may export files to. */
  exportFolders: z.array(z.string().min(1).max(4_096)).max(20).default([]),
});
export type IntegrationSettings = Shape<typeof integrationSettingsSchema>;

/** The MCP server as it is now. */
export const mcpStateSchema = z.object({
  running: z.boolean(),
  /** Where it is reached; absent while it is off. */
  url: z.string().optional(),
  port: z.number().optional(),
  /** Why it is not running although it is switched on. */
  problem: z.string().optional(),
  problemOrigin: textOriginSchema.optional(),
});
export type McpState = Shape<typeof mcpStateSchema>;

/** A token as the window lists it. */
export const tokenSummarySchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scope: tokenScopeSchema,
  connections: z.union([z.literal('all'), z.array(z.string())]),
  createdAt: z.string(),
  lastUsedAt: z.string().optional(),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
  /** Whether a person allowed it when a client signed in with OAuth. The client's texts change every hour. */
  byOAuth: z.boolean().optional(),
});
export type TokenSummary = Shape<typeof tokenSummarySchema>;

/** A new token. Its text is shown this once. */
export const mintedTokenSchema = z.object({ token: tokenSummarySchema, text: z.string() });
export type NewToken = Shape<typeof mintedTokenSchema>;

export const mintTokenSchema = z.object({
  name: z.string(),
  scope: tokenScopeSchema,
  /** Ids; left out: every connection. */
  connections: z.array(z.string().max(2_000)).min(1).max(1_000).optional(),
  expiresAt: z.iso.datetime().optional(),
});
export type MintTokenInput = z.output<typeof mintTokenSchema>;

/** A request that waits for a person. */
export const pendingApprovalSchema = z.object({
  id: z.string(),
  /** The token's name. */
  principalName: z.string(),
  principalKind: z.enum(['bridge', 'user']),
  /** The client's own name. */
  client: z.object({ name: z.string(), version: z.string() }).optional(),
  connectionId: z.string(),
  connectionName: z.string(),
  tool: z.string(),
  effect: z.enum(['read', 'write', 'destructive']),
  summary: z.string(),
  /** The exact statement or requests, whole. */
  text: z.string(),
  /** Of everything that is shown and executed. It comes back with the answer. */
  digest: z.string(),
  askedAt: z.string(),
  expiresAt: z.string(),
});
export type PendingApproval = Shape<typeof pendingApprovalSchema>;

/** How many days a client that signs in may keep its access. */
export const CONSENT_DAYS = [1, 7, 30, 90] as const;

/** A client that signs in with OAuth and waits for a person. */
export const pendingConsentSchema = z.object({
  id: z.string(),
  /** Six digits that the browser shows too. */
  number: z.string(),
  /** The client's own name. */
  clientName: z.string(),
  /** Where the browser is led back to, on this machine. */
  redirect: z.string(),
  /** Scopes by the client's wish; the person decides. */
  scopes: z.array(z.string()),
  expiresAt: z.string(),
});
export type PendingConsent = Shape<typeof pendingConsentSchema>;

export const consentAnswerSchema = z.discriminatedUnion('allow', [
  z.object({ allow: z.literal(false) }),
  z.object({
    allow: z.literal(true),
    scope: tokenScopeSchema,
    /** Ids; left out: every connection. */
    connections: z.array(z.string().max(2_000)).min(1).max(1_000).optional(),
    days: z.literal(CONSENT_DAYS),
  }),
]);
export type ConsentAnswer = z.output<typeof consentAnswerSchema>;

/** Whether the question still waited. */
export const consentAnsweredSchema = z.object({ taken: z.boolean() });
export type ConsentAnswered = Shape<typeof consentAnsweredSchema>;

/** An answer with a secret that an external client had created, such as a new API key. */
export const newSecretSchema = z.object({
  id: z.string(),
  /** The token's name. */
  principalName: z.string(),
  connectionName: z.string(),
  /** The statement in a few words. */
  summary: z.string(),
  /** The answer, as the database gave it. */
  text: z.string(),
  createdAt: z.string(),
});
export type NewSecret = Shape<typeof newSecretSchema>;

export const approvalAnswerSchema = z.enum(['once', 'connection', 'deny']);
export type ApprovalAnswer = z.output<typeof approvalAnswerSchema>;

/** The effect of an answer: `late`: the request had ended; an approval holds for the same request made again, once. */
export const approvalAnsweredSchema = z.object({
  outcome: z.enum(['taken', 'late', 'gone']),
});
export type ApprovalAnswered = Shape<typeof approvalAnsweredSchema>;

/** A standing approval. */
export const approvalGrantSchema = z.object({
  id: z.string(),
  principalId: z.string(),
  principalName: z.string(),
  connectionId: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().optional(),
});
export type ApprovalGrantInfo = Shape<typeof approvalGrantSchema>;

/** The kind of a call. */
export const ACTIVITY_KINDS = ['tool', 'resource', 'prompt', 'authentication', 'administration'] as const;
export const ACTIVITY_OUTCOMES = ['done', 'asked', 'refused', 'invalid', 'failed', 'cancelled', 'limited'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
export type ActivityOutcome = (typeof ACTIVITY_OUTCOMES)[number];

/** One line of the activity log. */
export const activityEntrySchema = z.object({
  sequence: z.number(),
  time: z.string(),
  kind: z.enum(ACTIVITY_KINDS),
  tokenId: z.string().optional(),
  tokenName: z.string().optional(),
  client: z.string().optional(),
  connectionId: z.string().optional(),
  connectionName: z.string().optional(),
  /** The tool, resource or prompt. */
  action: z.string(),
  outcome: z.enum(ACTIVITY_OUTCOMES),
  code: z.string().optional(),
  milliseconds: z.number().optional(),
  /** How a change was approved. */
  approvedBy: z.string().optional(),
  /** SHA-256 of the statement, where there was one. */
  statementDigest: z.string().optional(),
  /** Kept only when the setting said so at the time. */
  statement: z.string().optional(),
});
export type ActivityEntry = Shape<typeof activityEntrySchema>;

export const activityFilterSchema = z.object({
  search: z.string().max(200).default(''),
  kind: z.enum(ACTIVITY_KINDS).optional(),
  outcome: z.enum(ACTIVITY_OUTCOMES).optional(),
  connectionId: z.string().optional(),
  tokenId: z.string().optional(),
  /** Entries before this one, for the next page. */
  before: z.number().int().positive().optional(),
  limit: z.number().int().min(1).max(500).default(100),
});
export type ActivityFilter = z.output<typeof activityFilterSchema>;

export const activityPageSchema = z.object({
  /** Newest first. */
  entries: z.array(activityEntrySchema),
  /** Whether older ones that fit are there. */
  more: z.boolean(),
});
export type ActivityPage = Shape<typeof activityPageSchema>;

/** Whether the log is as it was written. */
export const activityVerificationSchema = z.object({
  whole: z.boolean(),
  entries: z.number(),
  /** The first entry that does not fit. */
  brokenAt: z.number().optional(),
});
export type ActivityVerification = Shape<typeof activityVerificationSchema>;

/** A client that was here lately. */
export const connectedClientSchema = z.object({
  tokenId: z.string(),
  tokenName: z.string(),
  tokenKind: z.enum(['bridge', 'user']),
  /** Its own name. */
  name: z.string().optional(),
  version: z.string().optional(),
  protocolVersion: z.string().optional(),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
  requests: z.number(),
  /** Requests and streams that run now, of all clients with this token. */
  inFlight: z.number(),
});
export type ConnectedClient = Shape<typeof connectedClientSchema>;
