import { randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { tokenScopeSchema } from '../../../common/access.ts';
import type { TokenScope } from '../../../common/access.ts';
import { HostError } from '../../../common/errors.ts';
import type { ExternalClient } from './externalClient.ts';
import { hashToken, newTokenSecret, PREFIX_LENGTH } from './tokenText.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import type { Inject } from '../../container/inject.ts';

/** The name of the token that the host mints for the stdio bridge. */
export const BRIDGE_TOKEN_NAME = '__stdio_bridge__';
/** The principal behind every bridge token, however often it is rotated. */
export const BRIDGE_PRINCIPAL_ID = 'bridge';
/** A token in steady use is noted once in this time, so that a call does not cost a write. */
export const LAST_USED_RESOLUTION_MILLISECONDS = 60_000;
/** How long a bridge token that is over is remembered as one that was valid once. */
export const STALE_BRIDGE_MILLISECONDS = 30 * 86_400_000;
/** More would be a program that mints without end. */
const MOST_TOKENS = 1_000;

/** A token as it is listed. The text is not among it: it was shown once. */
export interface TokenInfo {
  readonly id: string;
  readonly name: string;
  readonly kind: 'user' | 'bridge';
  /** The first characters of the text. */
  readonly prefix: string;
  readonly scope: TokenScope;
  /** Ids of the connections that it is limited to. */
  readonly connections: 'all' | readonly string[];
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  /** Absent: never. */
  readonly expiresAt?: string;
  readonly revokedAt?: string;
}

/** A person's choices for a new token. */
export interface TokenRequest {
  readonly name: string;
  readonly scope: TokenScope;
  /** Ids; left out: every connection. */
  readonly connections?: readonly string[] | undefined;
  readonly expiresAt?: Date | undefined;
}

/** A token with its text: handed out once, at minting. */
export interface MintedToken {
  readonly info: TokenInfo;
  readonly text: string;
}

/** The proof of a presented text. */
export type Verification =
  | { readonly outcome: 'valid'; readonly principal: ExternalClient }
  /** It was valid once. */
  | { readonly outcome: 'expired' | 'revoked'; readonly tokenId: string }
  /** Good, and of a way to sign in that the person has switched off. */
  | { readonly outcome: 'switchedOff'; readonly tokenId: string }
  /** It never was. */
  | { readonly outcome: 'unknown' };

const rowSchema = z.object({
  id: z.string(),
  kind: z.enum(['user', 'bridge']),
  name: z.string(),
  prefix: z.string(),
  salt: z.instanceof(Uint8Array),
  hash: z.instanceof(Uint8Array),
  // One that can't be read, such as one of a newer version, allows the least, and keeps no other client out.
  scope: tokenScopeSchema.catch('readOnly'),
  connections: z.string().nullable(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  revoked_at: z.string().nullable(),
});
type Row = z.output<typeof rowSchema>;
const connectionsSchema = z.array(z.string());

/** No control characters and no line ends: a name is shown in lists and logs. */
const nameSchema = z
  .string()
  .trim()
  .min(1, 'Give the token a name.')
  .max(80, 'A token name has at most 80 characters.')
  .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u, 'A token name has no control characters.')
  .refine((name) => !name.startsWith('__'), 'Names that begin with two underscores are reserved for Tabularium.');

/** The tokens that MCP clients present: minted, verified, listed, revoked. */
export class TokenStore {
  static readonly inject: Inject<typeof TokenStore> = [DATABASE_CONNECTION];

  readonly #database: DatabaseSync;
  readonly #now: () => number;
  /** By prefix, as the table has them; undefined after a change. Asked for every request, and no other program writes the table. */
  #byPrefix: ReadonlyMap<string, readonly Row[]> | undefined;
  readonly #revokedListeners = new Set<(tokenId: string) => void>();
  readonly #lastNoted = new Map<string, number>();
  /** Compared with when no candidate is there, so that an unknown prefix takes the time of a known one. */
  readonly #decoy = { salt: randomBytes(16), hash: randomBytes(32) };

  /** @param database - with the tables of `tokensMigration` */
  constructor(database: DatabaseSync, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** @throws HostError `INVALID_REQUEST` */
  mint(request: TokenRequest): MintedToken {
    const name = nameSchema.safeParse(request.name);
    if (!name.success) throw new HostError('INVALID_REQUEST', name.error.issues[0]?.message);
    if (request.expiresAt !== undefined && !(request.expiresAt.getTime() > this.#now())) {
      throw new HostError('INVALID_REQUEST', 'A token cannot expire in the past.');
    }
    const live = this.list().filter((token) => token.revokedAt === undefined).length;
    if (live >= MOST_TOKENS) {
      throw new HostError('INVALID_REQUEST', `There are ${MOST_TOKENS} tokens already. Revoke unused tokens.`);
    }
    return this.#insert({
      kind: 'user',
      name: name.data,
      scope: request.scope,
      connections: request.connections === undefined ? 'all' : [...new Set(request.connections)],
      expiresAt: request.expiresAt,
    });
  }

  /**
   * Mints the bridge's token. Read & Write, every connection.
   *
   * @param options - `keepOutgoing`: the one before stays valid to its own end; else it ends now
   */
  mintBridge(lifetimeMilliseconds: number, { keepOutgoing = false }: { readonly keepOutgoing?: boolean } = {}): MintedToken {
    const now = this.#now();
    for (const { id, kind, revokedAt } of keepOutgoing ? [] : this.#tokens()) {
      if (kind === 'bridge' && revokedAt === undefined) this.#markRevoked(id);
    }
    this.#database
      .prepare("DELETE FROM tokens WHERE kind = 'bridge' AND created_at < ?")
      .run(new Date(now - STALE_BRIDGE_MILLISECONDS).toISOString());
    this.#byPrefix = undefined;
    return this.#insert({
      kind: 'bridge',
      name: BRIDGE_TOKEN_NAME,
      scope: 'readWrite',
      connections: 'all',
      expiresAt: new Date(now + lifetimeMilliseconds),
    });
  }

  /** The tokens that people made, oldest first; the revoked ones too. */
  list(): readonly TokenInfo[] {
    return this.#tokens().filter(({ kind }) => kind === 'user');
  }

  /**
   * Ends a token for good. A second call does nothing.
   *
   * @throws HostError `TOKEN_UNKNOWN`
   */
  revoke(id: string): TokenInfo {
    const row = this.#database.prepare('SELECT * FROM tokens WHERE id = ?').get(id);
    if (row === undefined) throw new HostError('TOKEN_UNKNOWN');
    const before = toInfo(rowSchema.parse(row));
    if (before.revokedAt !== undefined) return before;
    const revokedAt = this.#markRevoked(id);
    for (const listener of this.#revokedListeners) listener(id);
    return { ...before, revokedAt };
  }

  /** Calls back for every token that a person revokes. Rotation of the bridge's token is none: the same client continues with the next. */
  onRevoked(listener: (tokenId: string) => void): () => void {
    this.#revokedListeners.add(listener);
    return () => this.#revokedListeners.delete(listener);
  }

  /** Says what a presented text proves. Every stored token is compared by its salted hash, in constant time. */
  verify(text: string): Verification {
    let match: Row | undefined;
    this.#byPrefix ??= Map.groupBy(this.#rows(), ({ prefix }) => prefix);
    const candidates = this.#byPrefix.get(text.slice(0, PREFIX_LENGTH)) ?? [];
    for (const candidate of candidates) {
      if (timingSafeEqual(hashToken(candidate.salt, text), candidate.hash)) match = candidate;
    }
    if (candidates.length === 0) timingSafeEqual(hashToken(this.#decoy.salt, text), this.#decoy.hash);
    if (match === undefined) return { outcome: 'unknown' };
    return this.#verified(match);
  }

  /** Says the same of a token whose client proved itself in another way. @param id - of a token that is listed */
  verifyGranted(id: string): Verification {
    const row = this.#database.prepare('SELECT * FROM tokens WHERE id = ?').get(id);
    return row === undefined ? { outcome: 'revoked', tokenId: id } : this.#verified(rowSchema.parse(row));
  }

  #verified(match: Row): Verification {
    const info = toInfo(match);
    const now = this.#now();
    if (info.revokedAt !== undefined) return { outcome: 'revoked', tokenId: info.id };
    // A time that can't be read has passed.
    if (info.expiresAt !== undefined && !(Date.parse(info.expiresAt) > now)) return { outcome: 'expired', tokenId: info.id };
    this.#noteUse(info.id, now);
    return {
      outcome: 'valid',
      principal: {
        id: info.kind === 'bridge' ? BRIDGE_PRINCIPAL_ID : info.id,
        tokenId: info.id,
        kind: info.kind,
        name: info.name,
        scope: info.scope,
        connections: info.connections,
        ...(info.expiresAt === undefined ? {} : { expiresAt: info.expiresAt }),
      },
    };
  }

  #rows(): readonly Row[] {
    return this.#database
      .prepare('SELECT * FROM tokens ORDER BY created_at, rowid')
      .all()
      .map((row) => rowSchema.parse(row));
  }

  #tokens(): readonly TokenInfo[] {
    return this.#rows().map(toInfo);
  }

  #insert(token: {
    readonly kind: 'user' | 'bridge';
    readonly name: string;
    readonly scope: TokenScope;
    readonly connections: 'all' | readonly string[];
    readonly expiresAt: Date | undefined;
  }): MintedToken {
    const { text, prefix, salt, hash } = newTokenSecret();
    const id = randomUUID();
    const createdAt = new Date(this.#now()).toISOString();
    const expiresAt = token.expiresAt?.toISOString();
    this.#database
      .prepare(
        `INSERT INTO tokens (id, kind, name, prefix, salt, hash, scope, connections, created_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        token.kind,
        token.name,
        prefix,
        salt,
        hash,
        token.scope,
        token.connections === 'all' ? null : JSON.stringify(token.connections),
        createdAt,
        expiresAt ?? null,
      );
    this.#byPrefix = undefined;
    const { kind, name, scope, connections } = token;
    return {
      text,
      info: { id, name, kind, prefix, scope, connections, createdAt, ...(expiresAt === undefined ? {} : { expiresAt }) },
    };
  }

  #markRevoked(id: string): string {
    const revokedAt = new Date(this.#now()).toISOString();
    this.#database.prepare('UPDATE tokens SET revoked_at = ? WHERE id = ?').run(revokedAt, id);
    this.#byPrefix = undefined;
    this.#lastNoted.delete(id);
    return revokedAt;
  }

  #noteUse(id: string, now: number): void {
    const noted = this.#lastNoted.get(id);
    if (noted !== undefined && now - noted < LAST_USED_RESOLUTION_MILLISECONDS) return;
    this.#lastNoted.set(id, now);
    this.#database.prepare('UPDATE tokens SET last_used_at = ? WHERE id = ?').run(new Date(now).toISOString(), id);
  }
}

function toInfo(row: Row): TokenInfo {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    prefix: row.prefix,
    scope: row.scope,
    connections: row.connections === null ? 'all' : storedConnections(row.connections),
    createdAt: row.created_at,
    ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  };
}

/** A list that can't be read names no connection: one damaged token keeps no other client out, and reaches nothing itself. */
function storedConnections(text: string): readonly string[] {
  try {
    return connectionsSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
