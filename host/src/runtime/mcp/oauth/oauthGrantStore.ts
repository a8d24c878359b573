import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import type { TokenScope } from '../../../common/access.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import { IntegrationSettingsStore } from '../access/integrationSettings.ts';
import { TokenStore } from '../access/tokenStore.ts';
import type { Verification } from '../access/tokenStore.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';
import { familyOf, hashFamily, isSame, newFamily, newGrantText, provesSecret } from './grantText.ts';

/** How long an access token opens the server. */
export const ACCESS_MILLISECONDS = 3_600_000;
/**
 * A client whose requests run side by side refreshes for each of them, with the spent text or with the one that it just got. All get the same answer
 * within this time: another pair would end the one that a request is sent with. Later, a spent text is a stolen one.
 */
export const REPEAT_MILLISECONDS = 10_000;

/** A person's choices for a client. */
export interface GrantRequest {
  readonly clientId: string;
  readonly clientName: string;
  readonly scope: TokenScope;
  /** Ids; left out: every connection. */
  readonly connections?: readonly string[] | undefined;
  readonly expiresAt: Date;
}

/** The texts that a client gets, once. */
export interface GrantedTokens {
  readonly access: string;
  readonly refresh: string;
  readonly scope: TokenScope;
  readonly expiresInSeconds: number;
}

/** `unknown`: the text never was one. `refused`: it was one, or is of another client. `reused`: it was spent, and all access ended with it. */
export type Refreshed =
  { readonly outcome: 'granted'; readonly tokens: GrantedTokens } | { readonly outcome: 'unknown' | 'refused' | 'reused' };

const rowSchema = z.object({
  token_id: z.string(),
  client_id: z.string(),
  access_salt: z.instanceof(Uint8Array),
  access_hash: z.instanceof(Uint8Array),
  access_expires_at: z.number(),
  refresh_salt: z.instanceof(Uint8Array),
  refresh_hash: z.instanceof(Uint8Array),
});
type Row = z.output<typeof rowSchema>;

interface Repeat {
  readonly spent: string;
  readonly tokens: GrantedTokens;
  readonly until: number;
}

/**
 * Access that a person gave to clients by OAuth. Each has a line among the tokens, which holds its permissions and ends it; here are the texts, which
 * change every hour.
 */
export class OAuthGrantStore {
  static readonly inject: Inject<typeof OAuthGrantStore> = [
    DATABASE_CONNECTION,
    TokenStore,
    from([IntegrationSettingsStore], (settings) => () => settings.get().oauth),
  ];

  readonly #database: DatabaseSync;
  readonly #tokens: TokenStore;
  readonly #enabled: () => boolean;
  readonly #now: () => number;
  /** The last refresh of each grant, so that a second one at the same time gets the same answer. In memory: a restart takes the leniency away. */
  readonly #repeats = new Map<string, Repeat>();
  /** By hash of the family. Asked for every request, and no other program writes the table. */
  readonly #rows = new Map<string, Row>();

  /** @param database - with the tables of `tokensMigration` and `oauthMigration` */
  constructor(database: DatabaseSync, tokens: TokenStore, enabled: () => boolean, now: () => number = Date.now) {
    this.#database = database;
    this.#tokens = tokens;
    this.#enabled = enabled;
    this.#now = now;
    tokens.onRevoked((tokenId) => this.#repeats.delete(tokenId));
  }

  /** @throws HostError `INVALID_REQUEST`, as for a token that a person creates */
  grant({ clientId, clientName, scope, connections, expiresAt }: GrantRequest): GrantedTokens & { readonly tokenId: string } {
    const family = newFamily();
    const before = this.#database.prepare('SELECT token_id FROM oauth_grants WHERE client_id = ?').all(clientId);
    this.#database.exec('SAVEPOINT oauth_grant');
    try {
      // The text of this line is never shown: the client's texts are of their own kind.
      const { info } = this.#tokens.mint({ name: clientName, scope, connections, expiresAt });
      const { tokens, access, refresh, accessExpiresAt } = this.#newTexts(family, scope, expiresAt.getTime());
      this.#database
        .prepare(
          `INSERT INTO oauth_grants (token_id, client_id, family_hash, access_salt, access_hash, access_expires_at, refresh_salt, refresh_hash)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
        )
        .run(info.id, clientId, hashFamily(family), access.salt, access.hash, accessExpiresAt, refresh.salt, refresh.hash);
      this.#database.exec('RELEASE oauth_grant');
      // The client has lost its texts, or a person chose other permissions.
      for (const row of before) this.#tokens.revoke(String(row['token_id']));
      return { ...tokens, tokenId: info.id };
    } catch (error) {
      this.#database.exec('ROLLBACK TO oauth_grant; RELEASE oauth_grant');
      throw error;
    }
  }

  /** Says what an access token proves. A text of a known family that isn't the present one has expired: a client that refreshes does not guess. */
  verify(text: string): Verification {
    const family = familyOf('access', text);
    const row = family === undefined ? undefined : this.#find(family);
    if (row === undefined) return { outcome: 'unknown' };
    const granted = this.#tokens.verifyGranted(row.token_id);
    if (granted.outcome !== 'valid') return granted;
    const expired = { outcome: 'expired', tokenId: row.token_id } as const;
    if (!(row.access_expires_at > this.#now())) return expired;
    if (!provesSecret({ salt: row.access_salt, hash: row.access_hash }, text)) return expired;
    if (!this.#enabled()) return { outcome: 'switchedOff', tokenId: row.token_id };
    return {
      outcome: 'valid',
      principal: { ...granted.principal, expiresAt: new Date(row.access_expires_at).toISOString() },
    };
  }

  /** The next texts for a client's refresh token. The one before is spent, and so is its access token. */
  refresh(text: string, clientId: string): Refreshed {
    const family = familyOf('refresh', text);
    const row = family === undefined ? undefined : this.#find(family);
    if (family === undefined || row === undefined) return { outcome: 'unknown' };
    if (row.client_id !== clientId) return { outcome: 'refused' };
    const granted = this.#tokens.verifyGranted(row.token_id);
    if (granted.outcome !== 'valid') return { outcome: 'refused' };
    const repeat = this.#repeats.get(row.token_id);
    if (
      repeat !== undefined &&
      this.#now() < repeat.until &&
      [repeat.spent, repeat.tokens.refresh].some((known) => isSame(known, text))
    )
      return { outcome: 'granted', tokens: repeat.tokens };
    if (!provesSecret({ salt: row.refresh_salt, hash: row.refresh_hash }, text)) {
      this.#tokens.revoke(row.token_id);
      return { outcome: 'reused' };
    }
    const ends = Date.parse(granted.principal.expiresAt ?? '');
    const next = this.#newTexts(family, granted.principal.scope, ends);
    this.#database
      .prepare(
        `UPDATE oauth_grants SET access_salt = ?, access_hash = ?, access_expires_at = ?, refresh_salt = ?, refresh_hash = ?
         WHERE token_id = ?`,
      )
      .run(next.access.salt, next.access.hash, next.accessExpiresAt, next.refresh.salt, next.refresh.hash, row.token_id);
    this.#rows.clear();
    this.#repeats.set(row.token_id, { spent: text, tokens: next.tokens, until: this.#now() + REPEAT_MILLISECONDS });
    return { outcome: 'granted', tokens: next.tokens };
  }

  /** The lines among the tokens that clients got by OAuth. */
  tokenIds(): ReadonlySet<string> {
    const rows = this.#database.prepare('SELECT token_id FROM oauth_grants').all();
    return new Set(rows.map((row) => String(row['token_id'])));
  }

  #find(family: string): Row | undefined {
    const familyHash = hashFamily(family);
    const key = Buffer.from(familyHash).toString('base64');
    const known = this.#rows.get(key);
    if (known !== undefined) return known;
    const row = this.#database.prepare('SELECT * FROM oauth_grants WHERE family_hash = ?').get(familyHash);
    const read = rowSchema.safeParse(row);
    if (read.success) this.#rows.set(key, read.data);
    return read.data;
  }

  #newTexts(family: string, scope: TokenScope, endsAt: number) {
    const now = this.#now();
    const access = newGrantText('access', family);
    const refresh = newGrantText('refresh', family);
    const accessExpiresAt = Math.min(now + ACCESS_MILLISECONDS, endsAt);
    const tokens: GrantedTokens = {
      access: access.text,
      refresh: refresh.text,
      scope,
      expiresInSeconds: Math.max(1, Math.floor((accessExpiresAt - now) / 1_000)),
    };
    return { tokens, access, refresh, accessExpiresAt };
  }
}
