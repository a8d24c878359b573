import { randomUUID } from 'node:crypto';
import { saveSearchConfigurationSchema } from '../../common/relevance.ts';
import type { SaveSearchConfiguration, SearchConfiguration, TableOfConnection } from '../../common/relevance.ts';
import type { Inject } from '../container/inject.ts';
import { Database } from '../storage/database.ts';
import { requireConnection } from './requireConnection.ts';
import { storedTable } from './storedTable.ts';

const storedWaySchema = saveSearchConfigurationSchema.pick({ fields: true, options: true });

/** Ways to search that people saved under a name, in the home's database. */
export class SearchConfigurations {
  static readonly inject: Inject<typeof SearchConfigurations> = [Database];

  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those of a table, by name without regard to letter case; also those of connections that were removed. */
  list({ connectionId, table }: TableOfConnection): readonly SearchConfiguration[] {
    return this.#database.connection
      .prepare(
        `SELECT * FROM search_configurations WHERE (connection_id IS NULL OR connection_id = ?) AND ref = ?
          ORDER BY name COLLATE NOCASE, id`,
      )
      .all(connectionId, storedTable(table))
      .map(fromRow);
  }

  /** Saves a way to search, in place of the one with this name where there is one. @throws HostError `CONNECTION_UNKNOWN` */
  save({ connectionId, table, name, fields, options }: SaveSearchConfiguration): SearchConfiguration {
    requireConnection(this.#database, connectionId);
    const same = this.list({ connectionId, table }).find((one) => one.name.toLowerCase() === name.toLowerCase());
    const saved: SearchConfiguration = {
      id: same?.id ?? randomUUID(),
      connectionId: same === undefined ? connectionId : same.connectionId,
      name,
      ...(fields === undefined ? {} : { fields }),
      options,
      updatedAt: new Date().toISOString(),
    };
    this.#database.connection
      .prepare(
        `INSERT INTO search_configurations (id, connection_id, ref, name, fields, options, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)
          ON CONFLICT (id) DO UPDATE SET name = excluded.name, fields = excluded.fields, options = excluded.options, updated_at = excluded.updated_at`,
      )
      .run(
        saved.id,
        saved.connectionId,
        storedTable(table),
        name,
        fields === undefined ? null : JSON.stringify(fields),
        JSON.stringify(options),
        saved.updatedAt,
      );
    return saved;
  }

  remove(id: string): void {
    this.#database.connection.prepare('DELETE FROM search_configurations WHERE id = ?').run(id);
  }
}

function fromRow(row: Record<string, unknown>): SearchConfiguration {
  const { fields, options } = storedWaySchema.parse({
    ...(typeof row['fields'] === 'string' ? { fields: JSON.parse(row['fields']) as unknown } : {}),
    options: JSON.parse(String(row['options'])) as unknown,
  });
  return {
    id: String(row['id']),
    connectionId: typeof row['connection_id'] === 'string' ? row['connection_id'] : null,
    name: String(row['name']),
    ...(fields === undefined ? {} : { fields }),
    options,
    updatedAt: String(row['updated_at']),
  };
}
