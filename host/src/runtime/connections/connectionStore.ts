import { randomUUID } from 'node:crypto';
import type { SavedConnection, UnreadableConnection } from '../../common/connection.ts';
import { savedConnectionSchema } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import { Database } from '../storage/database.ts';
import { SavedChanges } from '../storage/savedChanges.ts';
import { loggerOf } from '../storage/logger.ts';
import type { Logger } from '../storage/logger.ts';
import type { Inject } from '../container/inject.ts';
import { ConnectionTurns } from './connectionTurns.ts';

/** The fields of a saved connection, besides those that the store itself adds. */
export type ConnectionRecord = Omit<SavedConnection, 'id' | 'createdAt' | 'updatedAt'>;

/** A change of a saved connection. `listed`: nothing that its session was made of, such as its name, group or access. */
export type ConnectionChange = {
  readonly kind: 'created' | 'updated' | 'listed' | 'removed';
  readonly connection: SavedConnection;
  /** As it was before it was updated. */
  readonly before?: SavedConnection;
};

/** A connection that is left out of the list. */
interface LeftOut extends UnreadableConnection {
  /** Where its secrets are; undefined where that is among what can't be read. */
  readonly secrets: SavedConnection['secrets'] | undefined;
}

/** The saved connections, in the home's database. Holds references to secrets, never a secret. */
export class ConnectionStore {
  static readonly inject: Inject<typeof ConnectionStore> = [Database, loggerOf('connections'), SavedChanges];

  readonly #database: Database;
  readonly #logger: Logger | undefined;
  readonly #changes: SavedChanges;
  readonly #listeners = new Set<(change: ConnectionChange) => void>();
  readonly #turns = new ConnectionTurns();
  /** The whole list, until something changes: every call of an MCP client asks for it, and no other program writes the table. */
  #all: readonly SavedConnection[] | undefined;
  /** Those that {@link list} left out, as long. */
  #unreadable: readonly LeftOut[] | undefined;

  constructor(database: Database, logger?: Logger, changes: SavedChanges = new SavedChanges()) {
    this.#database = database;
    this.#logger = logger;
    this.#changes = changes;
  }

  /**
   * All of them, by name without regard to letter case. One that can't be read, such as one of a newer version, is left out and logged; its row stays,
   * and its name stays taken.
   */
  list(): readonly SavedConnection[] {
    return this.#all ?? this.#read().all;
  }

  /** Those that {@link list} leaves out. */
  unreadable(): readonly LeftOut[] {
    return this.#unreadable ?? this.#read().unreadable;
  }

  #read(): { readonly all: readonly SavedConnection[]; readonly unreadable: readonly LeftOut[] } {
    const { connection } = this.#database;
    const all: SavedConnection[] = [];
    const unreadable: LeftOut[] = [];
    for (const row of connection.prepare('SELECT * FROM connections ORDER BY name COLLATE NOCASE').all()) {
      const read = readRow(row);
      if (read.success) {
        all.push(read.data);
        continue;
      }
      // The log is part of support reports, which name no connection.
      this.#logger?.error(
        `the saved connection ${String(row['id'])} is left out of the list: ${read.fields.join(', ')} can't be read`,
      );
      const secrets = savedConnectionSchema.shape.secrets.safeParse(jsonOf(row['secrets'])).data;
      unreadable.push({ id: String(row['id']), name: String(row['name']), fields: read.fields, secrets });
    }
    // Changes of a transaction may yet be rolled back.
    if (!connection.isTransaction) {
      this.#all = all;
      this.#unreadable = unreadable;
    }
    return { all, unreadable };
  }

  /** @throws HostError `CONNECTION_UNKNOWN` */
  get(id: string): SavedConnection {
    const row = this.#database.connection.prepare('SELECT * FROM connections WHERE id = ?').get(id);
    if (row === undefined) throw new HostError('CONNECTION_UNKNOWN', `There is no connection with the id ${id}.`);
    return fromRow(row);
  }

  /** The connection with that name, letter case aside. */
  findByName(name: string): SavedConnection | undefined {
    const row = this.#database.connection.prepare('SELECT * FROM connections WHERE name = ?').get(name.trim());
    return row === undefined ? undefined : fromRow(row);
  }

  findById(id: string): SavedConnection | undefined {
    const row = this.#database.connection.prepare('SELECT * FROM connections WHERE id = ?').get(id);
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
    this.#notify({ kind, connection, before });
    return connection;
  }

  /**
   * Writes where the secrets of a connection are, and nothing else of it.
   *
   * @param change - gets the references of now
   * @throws HostError `CONNECTION_UNKNOWN`
   */
  updateSecrets(id: string, change: (now: SavedConnection['secrets']) => SavedConnection['secrets']): SavedConnection {
    const { id: _id, createdAt: _created, updatedAt: _updated, ...now } = this.get(id);
    return this.update(id, { ...now, secrets: change(now.secrets) });
  }

  /**
   * Lets changes of a connection's secrets follow each other: such a change reads the connection, stores values and then writes the references, and one in between
   * would be lost.
   */
  inTurn<Result>(id: string, change: () => Promise<Result>): Promise<Result> {
    return this.#turns.take(id, change);
  }

  /** @throws HostError `CONNECTION_UNKNOWN` */
  remove(id: string): SavedConnection {
    const connection = this.get(id);
    this.#database.connection.prepare('DELETE FROM connections WHERE id = ?').run(id);
    this.#notify({ kind: 'removed', connection });
    return connection;
  }

  /** Removes one that can't be read. No listener has seen it, so none is called. */
  removeUnreadable(id: string): void {
    this.#database.connection.prepare('DELETE FROM connections WHERE id = ?').run(id);
    this.#all = undefined;
    this.#unreadable = undefined;
    this.#changes.note('connections');
  }

  /** Calls back for every change until the returned function is called. */
  onChange(listener: (change: ConnectionChange) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Whether a connection could have this name: none has it, and none has it as its id, by which a person or a program may mean that one.
   *
   * @throws HostError `CONNECTION_NAME_TAKEN`
   */
  requireFreeName(name: string, exceptId: string | undefined): void {
    const row = this.#database.connection.prepare('SELECT id FROM connections WHERE name = ?').get(name.trim());
    if (row !== undefined && row['id'] !== exceptId) {
      throw new HostError('CONNECTION_NAME_TAKEN', `Another connection is named "${name.trim()}".`, {
        details: { field: 'name' },
      });
    }
    // One that has the name already may stay as it is.
    if (row !== undefined) return;
    const other = this.#database.connection.prepare('SELECT id, name FROM connections WHERE id = lower(?)').get(name.trim());
    if (other !== undefined && other['id'] !== exceptId) {
      throw new HostError(
        'CONNECTION_NAME_TAKEN',
        `"${name.trim()}" is the id of the connection "${String(other['name'])}", so no other can have it as its name.`,
        { details: { field: 'name' } },
      );
    }
  }

  /** Whether a new connection could have this name. */
  isFreeName(name: string): boolean {
    const taken = this.#database.connection.prepare('SELECT 1 FROM connections WHERE name = ? OR id = lower(?)');
    return taken.get(name.trim(), name.trim()) === undefined;
  }

  #notify(change: ConnectionChange): void {
    this.#all = undefined;
    this.#unreadable = undefined;
    for (const listener of this.#listeners) listener(change);
    this.#changes.note('connections');
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

/** @throws HostError `INTERNAL` for a row that is damaged, or that a newer version wrote */
function fromRow(row: Record<string, unknown>): SavedConnection {
  const read = readRow(row);
  if (read.success) return read.data;
  throw unreadableError(row, read.fields);
}

type ReadRow =
  { readonly success: true; readonly data: SavedConnection } | { readonly success: false; readonly fields: string[] };

function readRow(row: Record<string, unknown>): ReadRow {
  const read = savedConnectionSchema.safeParse({
    id: row['id'],
    name: row['name'],
    driver: row['driver'],
    settings: jsonOf(row['settings']),
    secrets: jsonOf(row['secrets']),
    access: {
      externalClients: row['external_clients'],
      aiPolicy: row['ai_policy'],
      // Anything but a clear "off" is on: a damaged value opens nothing.
      ...(row['read_only'] === 0 ? {} : { readOnly: true }),
    },
    color: row['color'],
    group: row['group_name'] ?? undefined,
    createdAt: row['created_at'],
    updatedAt: row['updated_at'],
  });
  if (read.success) return read;
  return { success: false, fields: [...new Set(read.error.issues.map(({ path }) => path.join('.')))] };
}

function unreadableError(row: Record<string, unknown>, fields: readonly string[]): HostError {
  return new HostError('INTERNAL', `The saved connection "${String(row['name'])}" can't be read: ${fields.join(', ')}.`, {
    details: { advice: 'A newer version may have saved it. Update Tabularium, or restore a backup of the data directory.' },
  });
}

function jsonOf(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    return undefined;
  }
}
