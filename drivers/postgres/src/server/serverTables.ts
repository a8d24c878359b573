import type { ImportedTables, TableRef } from '@tabularium/sdk';
import type { DatabaseParts } from '../databaseParts.ts';
import { createTables } from '../imports/newTable.ts';
import type { ServerDatabases } from './serverDatabases.ts';

type TablesOf = (table: TableRef, signal: AbortSignal) => Promise<ImportedTables>;

/** Makes tables in every database of a server. */
export function createServerTables(
  databases: ServerDatabases,
  of: (table: TableRef, signal: AbortSignal) => Promise<DatabaseParts>,
): ImportedTables {
  const tablesIn = ({ database, changed }: DatabaseParts): ImportedTables => createTables(database, changed);
  const tablesOf: TablesOf = async (table, signal) => tablesIn(await of(table, signal));
  return {
    async namespaces({ signal, within = [databases.named] }) {
      const [name = databases.named] = within;
      const found = (await tablesIn(await databases.get(name, signal)).namespaces?.({ signal })) ?? [];
      return found.filter((namespace) => within.every((one, depth) => namespace[depth] === one));
    },
    propose: async (table, rows, options) => (await tablesOf(table, options.signal)).propose(table, rows, options),
    like: async (table, definition, options) => {
      const tables = await tablesOf(table, options.signal);
      return (await tables.like?.(table, definition, options)) ?? definition;
    },
    plan: async (table, definition, options) => (await tablesOf(table, options.signal)).plan(table, definition, options),
    create: async (table, definition, options) => (await tablesOf(table, options.signal)).create(table, definition, options),
    discard: async (table, options) => (await tablesOf(table, options.signal)).discard?.(table, options),
  };
}
