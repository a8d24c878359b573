import { randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import type { Inject } from '../../container/inject.ts';
import type { ClientRegistration } from './registration.ts';

/** Clients that are registered at once. */
export const MOST_CLIENTS = 100;
/** Registrations a minute, of all clients. */
export const REGISTRATIONS_PER_MINUTE = 10;
const MINUTE_MILLISECONDS = 60_000;
/** A client that never got access is forgotten after this time. */
export const UNUSED_CLIENT_MILLISECONDS = 86_400_000;
/** One that had access is forgotten this long after its last sign-in. */
const STALE_CLIENT_MILLISECONDS = 180 * 86_400_000;

export interface OAuthClient {
  readonly id: string;
  readonly name: string;
  readonly redirects: readonly string[];
}

const rowSchema = z.object({ id: z.string(), name: z.string(), redirects: z.string() });
const redirectsSchema = z.array(z.string());

/** Clients that registered themselves. A registration opens nothing: a person is asked each time. */
export class OAuthClientStore {
  static readonly inject: Inject<typeof OAuthClientStore> = [DATABASE_CONNECTION];

  readonly #database: DatabaseSync;
  readonly #now: () => number;
  #registered: number[] = [];

  /** @param database - with the tables of `oauthMigration` */
  constructor(database: DatabaseSync, now: () => number = Date.now) {
    this.#database = database;
    this.#now = now;
  }

  /** @returns undefined when too many register; nothing is stored then */
  register({ name, redirects }: ClientRegistration): OAuthClient | undefined {
    const now = this.#now();
    this.#registered = this.#registered.filter((time) => Math.abs(now - time) < MINUTE_MILLISECONDS);
    if (this.#registered.length >= REGISTRATIONS_PER_MINUTE || !this.#makeRoom(now)) return undefined;
    this.#registered.push(now);
    const id = randomBytes(16).toString('base64url');
    this.#database
      .prepare('INSERT INTO oauth_clients (id, name, redirects, created_at, used_at) VALUES (?, ?, ?, ?, NULL)')
      .run(id, name, JSON.stringify(redirects), now);
    return { id, name, redirects };
  }

  find(id: string): OAuthClient | undefined {
    const row = this.#database.prepare('SELECT id, name, redirects FROM oauth_clients WHERE id = ?').get(id);
    const read = rowSchema.safeParse(row);
    if (!read.success) return undefined;
    return { id: read.data.id, name: read.data.name, redirects: storedRedirects(read.data.redirects) };
  }

  /** Notes that a person gave it access. */
  noteUse(id: string): void {
    this.#database.prepare('UPDATE oauth_clients SET used_at = ? WHERE id = ?').run(this.#now(), id);
  }

  /** Stale ones go, then the oldest that never got access. Those with access stay, however many register. */
  #makeRoom(now: number): boolean {
    this.#database
      .prepare('DELETE FROM oauth_clients WHERE (used_at IS NULL AND created_at < ?) OR used_at < ?')
      .run(now - UNUSED_CLIENT_MILLISECONDS, now - STALE_CLIENT_MILLISECONDS);
    this.#database
      .prepare(
        `DELETE FROM oauth_clients WHERE used_at IS NULL AND rowid IN
           (SELECT rowid FROM oauth_clients ORDER BY used_at IS NOT NULL, created_at, rowid
            LIMIT max(0, (SELECT count(*) FROM oauth_clients) - ?))`,
      )
      .run(MOST_CLIENTS - 1);
    return Number(this.#database.prepare('SELECT count(*) AS count FROM oauth_clients').get()?.['count']) < MOST_CLIENTS;
  }
}

/** A list that can't be read leads nowhere. */
function storedRedirects(text: string): readonly string[] {
  try {
    return redirectsSchema.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
