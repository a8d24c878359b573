import { z } from 'zod';
import { tokenScopeSchema } from './access.ts';
import type { TokenScope } from './access.ts';

/** What the owner chose for programs outside. */
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
  /** The folders that clients may export files to. */
  exportFolders: z.array(z.string().min(1).max(4_096)).max(20).default([]),
});
export type IntegrationSettings = z.output<typeof integrationSettingsSchema>;

/** The MCP server as it is now. */
export interface McpState {
  readonly running: boolean;
  /** Where it is reached; absent while it is off. */
  readonly url?: string;
  readonly port?: number;
  /** Why it is not running although it is switched on. */
  readonly problem?: string;
}

/** A token as the window lists it. */
export interface TokenSummary {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly scope: TokenScope;
  readonly connections: 'all' | readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

export const mintTokenSchema = z.object({
  name: z.string(),
  scope: tokenScopeSchema,
  /** Ids; left out: every connection. */
  connections: z.array(z.string().max(2_000)).min(1).max(1_000).optional(),
  expiresAt: z.iso.datetime().optional(),
});
export type MintTokenInput = z.output<typeof mintTokenSchema>;

/** A request that waits for a person. */
export interface PendingApproval {
  readonly id: string;
  /** The token's name. */
  readonly principalName: string;
  readonly principalKind: 'bridge' | 'user';
  /** What the client calls itself. */
  readonly client?: { readonly name: string; readonly version: string };
  readonly connectionId: string;
  readonly connectionName: string;
  readonly tool: string;
  readonly effect: 'read' | 'write' | 'destructive';
  readonly summary: string;
  /** The exact statement or requests, whole. */
  readonly text: string;
  /** Of everything that is shown and executed. It comes back with the answer. */
  readonly digest: string;
  readonly askedAt: string;
  readonly expiresAt: string;
}

/** An answer with a secret that an external client had created, such as a new API key. */
export interface NewSecret {
  readonly id: string;
  /** The token's name. */
  readonly principalName: string;
  readonly connectionName: string;
  /** The statement in a few words. */
  readonly summary: string;
  /** The answer, as the database gave it. */
  readonly text: string;
  readonly createdAt: string;
}

export const approvalAnswerSchema = z.enum(['once', 'connection', 'deny']);
export type ApprovalAnswer = z.output<typeof approvalAnswerSchema>;

/** What became of an answer: `late`: the request had ended; an approval holds for the same request made again, once. */
export interface ApprovalAnswered {
  readonly outcome: 'taken' | 'late' | 'gone';
}

/** A standing approval. */
export interface ApprovalGrantInfo {
  readonly id: string;
  readonly principalId: string;
  readonly principalName: string;
  readonly connectionId: string;
  readonly createdAt: string;
  readonly lastUsedAt?: string;
}

/** What a call was. */
export const ACTIVITY_KINDS = ['tool', 'resource', 'prompt', 'authentication', 'administration'] as const;
export const ACTIVITY_OUTCOMES = ['done', 'asked', 'refused', 'invalid', 'failed', 'cancelled', 'limited'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];
export type ActivityOutcome = (typeof ACTIVITY_OUTCOMES)[number];

/** One line of the activity log. */
export interface ActivityEntry {
  readonly sequence: number;
  readonly time: string;
  readonly kind: ActivityKind;
  readonly tokenId?: string;
  readonly tokenName?: string;
  readonly client?: string;
  readonly connectionId?: string;
  readonly connectionName?: string;
  /** The tool, resource or prompt. */
  readonly action: string;
  readonly outcome: ActivityOutcome;
  readonly code?: string;
  readonly milliseconds?: number;
  /** How a change was approved. */
  readonly approvedBy?: string;
  /** SHA-256 of the statement, where there was one. */
  readonly statementDigest?: string;
  /** Kept only when the setting said so at the time. */
  readonly statement?: string;
}

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

export interface ActivityPage {
  /** Newest first. */
  readonly entries: readonly ActivityEntry[];
  /** Whether older ones that fit are there. */
  readonly more: boolean;
}

/** Whether the log is as it was written. */
export interface ActivityVerification {
  readonly whole: boolean;
  readonly entries: number;
  /** The first entry that does not fit. */
  readonly brokenAt?: number;
}

/** A client that was here lately. */
export interface ConnectedClient {
  readonly tokenId: string;
  readonly tokenName: string;
  readonly tokenKind: 'bridge' | 'user';
  /** What it calls itself. */
  readonly name?: string;
  readonly version?: string;
  readonly protocolVersion?: string;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
  readonly requests: number;
  /** Requests and streams that go on now, of all clients with this token. */
  readonly inFlight: number;
}
