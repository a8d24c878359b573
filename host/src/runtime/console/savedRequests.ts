import { randomUUID } from 'node:crypto';
import type { SaveRequest, SavedRequest } from '../../common/console.ts';
import { HostError } from '../../common/errors.ts';
import { Database } from '../storage/database.ts';
import type { Inject } from '../container/inject.ts';

/** Texts that people saved under a name, in the home's database, as they are: what a person saves is theirs to keep free of secrets. */
export class SavedRequests {
  static readonly inject: Inject<typeof SavedRequests> = [Database];

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those of a connection and the global ones, by name without regard to letter case. */
  list(connectionId: string): readonly SavedRequest[] {
    return this.#database.connection
      .prepare('SELECT * FROM saved_requests WHERE connection_id IS NULL OR connection_id = ? ORDER BY name COLLATE NOCASE, id')
      .all(connectionId)
      .map(fromRow);
  }

  /** @throws HostError `INVALID_REQUEST` for an id that is gone, `CONNECTION_UNKNOWN` */
  save({ id, connectionId, name, text }: SaveRequest): SavedRequest {
    const { connection } = this.#database;
    if (connectionId !== null && connection.prepare('SELECT 1 FROM connections WHERE id = ?').get(connectionId) === undefined) {
      throw new HostError('CONNECTION_UNKNOWN');
    }
    const now = new Date().toISOString();
    if (id === undefined) {
      const created = randomUUID();
      connection
        .prepare('INSERT INTO saved_requests (id, connection_id, name, text, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)')
        .run(created, connectionId, name, text, now, now);
      return this.#get(created);
    }
    connection
      .prepare('UPDATE saved_requests SET connection_id = ?, name = ?, text = ?, updated_at = ? WHERE id = ?')
      .run(connectionId, name, text, now, id);
    return this.#get(id);
  }

  remove(id: string): void {
    this.#database.connection.prepare('DELETE FROM saved_requests WHERE id = ?').run(id);
  }

  #get(id: string): SavedRequest {
    const row = this.#database.connection.prepare('SELECT * FROM saved_requests WHERE id = ?').get(id);
    if (row === undefined) throw new HostError('INVALID_REQUEST', 'This saved request no longer exists.');
    return fromRow(row);
  }
}

function fromRow(row: Record<string, unknown>): SavedRequest {
  return {
    id: String(row['id']),
    connectionId: typeof row['connection_id'] === 'string' ? row['connection_id'] : null,
    name: String(row['name']),
    text: String(row['text']),
    createdAt: String(row['created_at']),
    updatedAt: String(row['updated_at']),
  };
}
