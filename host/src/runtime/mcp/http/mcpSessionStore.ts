import { createHash } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import type { Inject } from '../../container/inject.ts';
import { MCP_LIMITS } from '../server/limits.ts';
import { mcpLogLevelSchema } from './params.ts';
import type { McpLogLevel } from './params.ts';

/** A longer declaration of a client is not stored; its session ends with the host. */
const MOST_INITIALIZE_CHARACTERS = 16_384;
/** The use of a session is stored once in this time, so that a call does not cost a write. */
export const SESSION_USE_RESOLUTION_MILLISECONDS = 60_000;

const jsonTextSchema = z.string().transform((text, context): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    context.addIssue({ code: 'custom', message: 'No JSON.' });
    return z.NEVER;
  }
});

/** A row that was damaged is as good as none: its client begins another session. */
const rowSchema = z.object({
  initialize: jsonTextSchema.pipe(z.looseObject({ method: z.literal('initialize') })),
  log_level: mcpLogLevelSchema.nullable(),
});

/** The beginning of a session: enough to begin it again, under its id. */
export interface StoredMcpSession {
  /** The client's `initialize`, as it was sent. */
  readonly initialize: Readonly<Record<string, unknown>>;
  /** Of the last `logging/setLevel`. */
  readonly logLevel?: McpLogLevel;
}

type Limits = Pick<typeof MCP_LIMITS, 'sessions' | 'sessionsPerPrincipal' | 'sessionIdleMilliseconds'>;

/**
 * Sessions of MCP clients on disk. Clients of the older protocol versions keep the id that they got, and many never ask for another one, so
 * a host that restarts begins their sessions again. An id is stored as its hash: who reads the file cannot continue a session.
 */
export class McpSessionStore {
  static readonly inject: Inject<typeof McpSessionStore> = [DATABASE_CONNECTION];

  readonly #database: DatabaseSync;
  readonly #now: () => number;
  readonly #limits: Limits;

  /** @param database - with the table of `mcpSessionsMigration` */
  constructor(database: DatabaseSync, now: () => number = Date.now, limits: Limits = MCP_LIMITS) {
    this.#database = database;
    this.#now = now;
    this.#limits = limits;
  }

  /** Stores a session that has begun. Those that were used longest ago make room. */
  add(id: string, principalId: string, initialize: unknown): void {
    const text = JSON.stringify(initialize);
    if (text.length > MOST_INITIALIZE_CHARACTERS) return;
    this.removeIdle();
    this.#database
      .prepare('INSERT OR REPLACE INTO mcp_sessions (id_hash, principal_id, initialize, last_used_at) VALUES (?, ?, ?, ?)')
      .run(hashOf(id), principalId, text, this.#now());
    this.#database
      .prepare(
        `DELETE FROM mcp_sessions WHERE principal_id = ? AND id_hash NOT IN
          (SELECT id_hash FROM mcp_sessions WHERE principal_id = ? ORDER BY last_used_at DESC, rowid DESC LIMIT ?)`,
      )
      .run(principalId, principalId, this.#limits.sessionsPerPrincipal);
    this.#database
      .prepare(
        'DELETE FROM mcp_sessions WHERE id_hash NOT IN (SELECT id_hash FROM mcp_sessions ORDER BY last_used_at DESC, rowid DESC LIMIT ?)',
      )
      .run(this.#limits.sessions);
  }

  /** The session of this principal, undefined if there is none or it was idle for too long: another's is as unknown as none. */
  find(id: string, principalId: string): StoredMcpSession | undefined {
    const row = this.#database
      .prepare('SELECT initialize, log_level FROM mcp_sessions WHERE id_hash = ? AND principal_id = ? AND last_used_at > ?')
      .get(hashOf(id), principalId, this.#idleSince());
    const stored = rowSchema.safeParse(row).data;
    if (stored === undefined) return undefined;
    const { initialize, log_level: logLevel } = stored;
    return { initialize, ...(logLevel === null ? {} : { logLevel }) };
  }

  /** Stores that a session was used now. */
  noteUse(id: string): void {
    this.#database.prepare('UPDATE mcp_sessions SET last_used_at = ? WHERE id_hash = ?').run(this.#now(), hashOf(id));
  }

  noteLogLevel(id: string, level: McpLogLevel): void {
    this.#database.prepare('UPDATE mcp_sessions SET log_level = ? WHERE id_hash = ?').run(level, hashOf(id));
  }

  remove(id: string): void {
    this.#database.prepare('DELETE FROM mcp_sessions WHERE id_hash = ?').run(hashOf(id));
  }

  /** Removes the sessions of a principal, such as one whose token was revoked. */
  removeOf(principalId: string): void {
    this.#database.prepare('DELETE FROM mcp_sessions WHERE principal_id = ?').run(principalId);
  }

  /** Removes sessions that are idle for certain: the stored use of one in use is older than its last. */
  removeIdle(): void {
    const certain = this.#idleSince() - 2 * SESSION_USE_RESOLUTION_MILLISECONDS;
    this.#database.prepare('DELETE FROM mcp_sessions WHERE last_used_at <= ?').run(certain);
  }

  #idleSince(): number {
    return this.#now() - this.#limits.sessionIdleMilliseconds;
  }
}

function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex');
}
