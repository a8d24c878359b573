import { DriverError } from '@tabularium/sdk';
import type { TableRef, TableSummary } from '@tabularium/sdk';
import { tableRefSchema } from '@tabularium/sdk/protocol';
import type { NamedTablesView } from '../../common/namedTables.ts';
import { tableName } from '../../common/tableName.ts';
import type { Inject } from '../container/inject.ts';
import { Database } from '../storage/database.ts';
import { Sessions } from './sessions.ts';

/** Names that one connection keeps; beyond it, the one that was opened longest ago is forgotten. */
const MOST_NAMES = 200;

/** Tables that are opened by name, because the credentials may not list them. Their names are kept in the home's database. */
export class NamedTables {
  static readonly inject: Inject<typeof NamedTables> = [Sessions, Database];

  readonly #sessions: Pick<Sessions, 'use'>;
  readonly #database: Database;

  constructor(sessions: Pick<Sessions, 'use'>, database: Database) {
    this.#sessions = sessions;
    this.#database = database;
  }

  async view(connectionId: string, signal: AbortSignal): Promise<NamedTablesView> {
    return this.#sessions.use(
      connectionId,
      async ({ session: { namedTables } }) =>
        namedTables === undefined ? { tables: [] } : { reason: namedTables.reason, tables: this.#saved(connectionId) },
      { signal },
    );
  }

  /**
   * Finds a table by what a person typed, and keeps its name.
   *
   * @throws DriverError `UNSUPPORTED` where the list has every table; `NOT_FOUND`, `ACCESS_REFUSED`, each with the name
   */
  async open(connectionId: string, name: string, signal: AbortSignal): Promise<TableSummary> {
    const found = await this.#sessions.use(
      connectionId,
      async ({ session: { namedTables }, manifest }) => {
        if (namedTables !== undefined) return namedTables.find(name, { signal });
        throw new DriverError('UNSUPPORTED', `${manifest.title}: the list of this connection has every table that it may read.`);
      },
      { signal },
    );
    this.#save(connectionId, found.ref);
    return found;
  }

  /** Does nothing when the name is not kept. */
  forget(connectionId: string, table: TableRef): void {
    this.#database.connection
      .prepare('DELETE FROM named_tables WHERE connection_id = ? AND ref = ?')
      .run(connectionId, keyOf(table));
  }

  #saved(connectionId: string): TableRef[] {
    return this.#database.connection
      .prepare('SELECT ref FROM named_tables WHERE connection_id = ?')
      .all(connectionId)
      .map(({ ref }) => tableRefSchema.parse(JSON.parse(String(ref))))
      .sort((a, b) => tableName(a).localeCompare(tableName(b), 'en'));
  }

  #save(connectionId: string, table: TableRef): void {
    this.#database.transaction(() => {
      const { connection } = this.#database;
      // Written again, so that the places are in the order of use.
      this.forget(connectionId, table);
      connection.prepare('INSERT INTO named_tables (connection_id, ref) VALUES (?, ?)').run(connectionId, keyOf(table));
      connection
        .prepare(
          `DELETE FROM named_tables WHERE connection_id = ?1 AND place NOT IN
            (SELECT place FROM named_tables WHERE connection_id = ?1 ORDER BY place DESC LIMIT ?2)`,
        )
        .run(connectionId, MOST_NAMES);
    });
  }
}

function keyOf({ namespace, name }: TableRef): string {
  return JSON.stringify({ namespace, name });
}
