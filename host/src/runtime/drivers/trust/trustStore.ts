import type { DatabaseSync } from 'node:sqlite';
import type { KnownPublisher } from './knownPublisher.ts';
import { DATABASE_CONNECTION } from '../../storage/database.ts';
import { SavedChanges } from '../../storage/savedChanges.ts';
import type { Inject } from '../../container/inject.ts';

/** A third party that somebody trusted once. */
export interface TrustedPublisher extends KnownPublisher {
  readonly addedAt: string;
  readonly revokedAt?: string;
}

/** Trusted third parties and revoked keys, in the home's database. */
export class TrustStore {
  static readonly inject: Inject<typeof TrustStore> = [DATABASE_CONNECTION, SavedChanges];

  readonly #connection: DatabaseSync;
  readonly #changes: SavedChanges;

  constructor(connection: DatabaseSync, changes: SavedChanges = new SavedChanges()) {
    this.#connection = connection;
    this.#changes = changes;
  }

  list(): readonly TrustedPublisher[] {
    const rows = this.#connection
      .prepare(
        `SELECT p.key_id, p.publisher_id, p.name, p.public_key, p.added_at, r.revoked_at
         FROM trusted_publishers p LEFT JOIN revoked_keys r ON r.key_id = p.key_id ORDER BY p.added_at, p.key_id`,
      )
      .all();
    return rows.map((row) => ({
      id: String(row['publisher_id']),
      name: String(row['name']),
      publicKey: String(row['public_key']),
      keyId: String(row['key_id']),
      addedAt: String(row['added_at']),
      ...(row['revoked_at'] === null ? {} : { revokedAt: String(row['revoked_at']) }),
    }));
  }

  find(keyId: string): TrustedPublisher | undefined {
    return this.list().find((publisher) => publisher.keyId === keyId);
  }

  /** Trusts a key; a key that was revoked before is valid again. */
  trust(publisher: KnownPublisher): void {
    const { keyId, id, name, publicKey } = publisher;
    this.#connection.prepare('DELETE FROM revoked_keys WHERE key_id = ?').run(keyId);
    this.#connection
      .prepare(
        `INSERT INTO trusted_publishers (key_id, publisher_id, name, public_key, added_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (key_id) DO UPDATE SET publisher_id = excluded.publisher_id, name = excluded.name`,
      )
      .run(keyId, id, name, publicKey, new Date().toISOString());
    this.#changes.note('drivers');
  }

  /** Remembers whom a person was asked about, so that the answer can name the key alone. */
  ask(publisher: KnownPublisher): void {
    const { keyId, id, name, publicKey } = publisher;
    this.#connection
      .prepare(
        `INSERT INTO asked_publishers (key_id, publisher_id, name, public_key, asked_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (key_id) DO UPDATE SET publisher_id = excluded.publisher_id, name = excluded.name, asked_at = excluded.asked_at`,
      )
      .run(keyId, id, name, publicKey, new Date().toISOString());
  }

  /** Somebody who was asked about, or who was trusted once. */
  known(keyId: string): KnownPublisher | undefined {
    const trusted = this.find(keyId);
    if (trusted !== undefined) return trusted;
    const row = this.#connection
      .prepare('SELECT publisher_id, name, public_key FROM asked_publishers WHERE key_id = ?')
      .get(keyId);
    if (row === undefined) return undefined;
    return { keyId, id: String(row['publisher_id']), name: String(row['name']), publicKey: String(row['public_key']) };
  }

  /** Every key that was revoked, also those that were never trusted. */
  revokedKeys(): readonly { readonly keyId: string; readonly revokedAt: string }[] {
    return this.#connection
      .prepare('SELECT key_id, revoked_at FROM revoked_keys ORDER BY revoked_at')
      .all()
      .map((row) => ({ keyId: String(row['key_id']), revokedAt: String(row['revoked_at']) }));
  }

  /** A revoked key is valid again. */
  restore(keyId: string): void {
    this.#connection.prepare('DELETE FROM revoked_keys WHERE key_id = ?').run(keyId);
    this.#changes.note('drivers');
  }

  /** Revokes any key, also one that is built in or was never trusted. */
  revoke(keyId: string): void {
    this.#connection
      .prepare('INSERT INTO revoked_keys (key_id, revoked_at) VALUES (?, ?) ON CONFLICT (key_id) DO NOTHING')
      .run(keyId, new Date().toISOString());
    this.#changes.note('drivers');
  }

  revokedAt(keyId: string): string | undefined {
    const row = this.#connection.prepare('SELECT revoked_at FROM revoked_keys WHERE key_id = ?').get(keyId);
    return row === undefined ? undefined : String(row['revoked_at']);
  }
}
