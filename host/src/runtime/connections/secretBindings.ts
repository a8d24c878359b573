import { createHmac, timingSafeEqual } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { secretReferenceSchema } from '../../common/connection.ts';
import { secretReachSchema } from '../../common/secretQuestion.ts';
import type { Shape } from '../../common/shape.ts';
import { ConfirmedOrigins } from './confirmedOrigins.ts';
import { BINDING_KEY } from './bindingKey.ts';
import { DATABASE_CONNECTION } from '../storage/database.ts';
import type { Inject } from '../container/inject.ts';

const bindingSchema = z.strictObject({
  version: z.literal(1),
  reach: secretReachSchema,
  publisherName: z.string(),
  /** Where the value was kept when it was approved. */
  from: secretReferenceSchema,
  /** Whether the entry in the secure store carries the reach's digest; false for one that an older version stored. */
  sealed: z.boolean(),
});
/** The approval of a person for one secret. */
export type SecretBinding = Omit<Shape<typeof bindingSchema>, 'version'>;

/** The preference that says that the secrets of an older home were taken over. */
const ADOPTED = 'secret-bindings';

/**
 * The approved reach of each secret, in the home's database, each record authenticated with a key that is not in the database. A record that
 * was changed, or moved to another connection or field, does not count.
 */
export class SecretBindings {
  static readonly inject: Inject<typeof SecretBindings> = [DATABASE_CONNECTION, BINDING_KEY];

  readonly #connection: DatabaseSync;
  readonly #key: Uint8Array;
  /** Beside the approvals of secrets, and authenticated with the same key. */
  readonly origins: ConfirmedOrigins;

  constructor(connection: DatabaseSync, key: Uint8Array) {
    this.#connection = connection;
    this.#key = key;
    this.origins = new ConfirmedOrigins(connection, key);
  }

  get(connectionId: string, field: string): SecretBinding | undefined {
    const row = this.#connection
      .prepare('SELECT record, mac FROM secret_bindings WHERE connection_id = ? AND field = ?')
      .get(connectionId, field);
    if (row === undefined) return undefined;
    const record = String(row['record']);
    const expected = this.#mac(connectionId, field, record);
    const found = Buffer.from(String(row['mac']), 'hex');
    if (found.length !== expected.length || !timingSafeEqual(found, expected)) return undefined;
    const parsed = bindingSchema.safeParse(JSON.parse(record));
    if (!parsed.success) return undefined;
    const { version: _version, ...binding } = parsed.data;
    return binding;
  }

  set(connectionId: string, field: string, binding: SecretBinding): void {
    const record = JSON.stringify(bindingSchema.parse({ version: 1, ...binding }));
    this.#connection
      .prepare('INSERT OR REPLACE INTO secret_bindings (connection_id, field, record, mac) VALUES (?, ?, ?, ?)')
      .run(connectionId, field, record, this.#mac(connectionId, field, record).toString('hex'));
  }

  remove(connectionId: string, field: string): void {
    this.#connection.prepare('DELETE FROM secret_bindings WHERE connection_id = ? AND field = ?').run(connectionId, field);
  }

  removeAll(connectionId: string): void {
    this.#connection.prepare('DELETE FROM secret_bindings WHERE connection_id = ?').run(connectionId);
    this.origins.remove(connectionId);
  }

  /** Whether the secrets of this database were taken over from an older version, or there were none to take over. */
  get isAdopted(): boolean {
    return this.#connection.prepare('SELECT 1 FROM preferences WHERE name = ?').get(ADOPTED) !== undefined;
  }

  setAdopted(): void {
    this.#connection.prepare('INSERT OR REPLACE INTO preferences (name, value) VALUES (?, ?)').run(ADOPTED, '1');
  }

  #mac(connectionId: string, field: string, record: string): Buffer {
    return createHmac('sha256', this.#key)
      .update(JSON.stringify(['tabularium secret binding 1', connectionId, field, record]))
      .digest();
  }
}
