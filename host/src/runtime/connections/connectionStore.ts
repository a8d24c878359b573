import { randomUUID } from 'node:crypto';
import type { SavedConnection } from '../../common/connection.ts';
import { savedConnectionSchema } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import { Database } from '../storage/database.ts';
import type { Inject } from '../container/inject.ts';

/** The fields of a saved connection, besides those that the store itself adds. */
export type ConnectionRecord = Omit<SavedConnection, 'id' | 'createdAt' | 'updatedAt'>;

/** A change of a saved connection. `listed`: nothing that its session was made of, such as its name, group or access. */
export type ConnectionChange = {
  readonly kind: 'created' | 'updated' | 'listed' | 'removed';
  readonly connection: SavedConnection;
};

/** The saved connections, in the home's database. Holds references to secrets, never a secret. */
export class ConnectionStore {
  static readonly inject: Inject<typeof ConnectionStore> = [Database];

  readonly #database: Database;
  readonly #listeners = new Set<(change: ConnectionChange) => void>();
  /** The whole list, until something changes: every call of an MCP client asks for it, and no other program writes the table. */
  #all: readonly SavedConnection[] | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** All of them, by name without regard to letter case. */
  list(): readonly SavedConnection[] {
    if (this.#all !== undefined) return this.#all;
    const { connection } = this.#database;
    const all = connection.prepare('SELECT * FROM connections ORDER BY name COLLATE NOCASE').all().map(fromRow);
    // Changes of a transaction may yet be rolled back.
    if (!connection.isTransaction) this.#all = all;
    return all;
  }

  /** @throws HostError `CONNECTION_UNKNOWN` */
  get(id: string): SavedConnection {
    const row = this.#database.connection.prepare('SELECT * FROM connections WHERE id = ?').get(id);
    if (row === undefined) throw new HostError('CONNECTION_UNKNOWN', `There is no connection with the id ${id}.`);
    return fromRow(row);
  }

  /** The connection with that name, letter case aside, or with that id. */
  find(nameOrId: string): SavedConnection | undefined {
    const row = this.#database.connection
      .prepare('SELECT * FROM connections WHERE id = ? OR name = ?')
      .get(nameOrId, nameOrId.trim());
    return row === undefined ? undefined : fromRow(row);
  }

  /** @throws HostError `CONNECTION_NAME_TAKEN` */
  create(record: ConnectionRecord, id: string = randomUUID()): SavedConnection {
    this.requireFreeName(record.name, undefined);
    const now = new Date().toISOString();
    const connection = savedConnectionSchema.parse({ ...record, id, createdAt: now, updatedAt: now });
    this.#database.connection
      .prepare(
        `INSERT INTO connections (id, name, driver, settings, secrets, external_clients, ai_policy, color, group_name,
         read_only, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(connection.id, ...columns(connection), connection.createdAt, connection.updatedAt);
    this.#notify({ kind: 'created', connection });
    return connection;
  }

  /** @throws HostError `CONNECTION_UNKNOWN`, `CONNECTION_NAME_TAKEN` */
  update(id: string, record: ConnectionRecord, kind: 'updated' | 'listed' = 'updated'): SavedConnection {
    const before = this.get(id);
    this.requireFreeName(record.name, id);
    const connection = savedConnectionSchema.parse({
      ...record,
      id,
      createdAt: before.createdAt,
      updatedAt: new Date().toISOString(),
    });
    this.#database.connection
      .prepare(
        `UPDATE connections SET name = ?, driver = ?, settings = ?, secrets = ?, external_clients = ?, ai_policy = ?, color = ?, group_name = ?,
         read_only = ?, updated_at = ? WHERE id = ?`,
      )
      .run(...columns(connection), connection.updatedAt, id);
    this.#notify({ kind, connection });
    return connection;
  }

  /** @throws HostError `CONNECTION_UNKNOWN` */
  remove(id: string): SavedConnection {
    const connection = this.get(id);
    this.#database.connection.prepare('DELETE FROM connections WHERE id = ?').run(id);
    this.#notify({ kind: 'removed', connection });
    return connection;
  }

  /** Calls back for every change until the returned function is called. */
  onChange(listener: (change: ConnectionChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Whether a connection could have this name. @throws HostError `CONNECTION_NAME_TAKEN` */
  requireFreeName(name: string, exceptId: string | undefined): void {
    const row = this.#database.connection.prepare('SELECT id FROM connections WHERE name = ?').get(name.trim());
    if (row !== undefined && row.id !== exceptId) {
      throw new HostError('CONNECTION_NAME_TAKEN', `Another connection is named "${name.trim()}".`, {
        details: { field: 'name' },
      });
    }
  }

  #notify(change: ConnectionChange): void {
    this.#all = undefined;
    for (const listener of this.#listeners) listener(change);
  }
}

function columns(connection: SavedConnection): [string, string, string, string, string, string, string, string | null, number] {
  return [
    connection.name,
    connection.driver,
    JSON.stringify(connection.settings),
    JSON.stringify(connection.secrets),
    connection.access.externalClients,
    connection.access.aiPolicy,
    connection.color,
    connection.group ?? null,
    connection.access.readOnly === true ? 1 : 0,
  ];
}

function fromRow(row: Record<string, unknown>): SavedConnection {
  return savedConnectionSchema.parse({
    id: row['id'],
    name: row['name'],
    driver: row['driver'],
    settings: JSON.parse(String(row['settings'])) as unknown,
    secrets: JSON.parse(String(row['secrets'])) as unknown,
    access: {
      externalClients: row['external_clients'],
      aiPolicy: row['ai_policy'],
      ...(row['read_only'] === 1 ? { readOnly: true } : {}),
    },
    color: row['color'],
    group: row['group_name'] ?? undefined,
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
  });
}
