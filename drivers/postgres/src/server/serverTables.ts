import { isDriverError } from '@tabularium/sdk';
import type { ImportedTables, TableRef } from '@tabularium/sdk';
import type { DatabaseParts } from '../databaseParts.ts';
import { createTables } from '../imports/newTable.ts';
import { isOfDatabase } from './isOfDatabase.ts';
import type { ServerDatabases } from './serverDatabases.ts';

type TablesOf = (table: TableRef, signal: AbortSignal) => Promise<ImportedTables>;

/** The schemas of a database in which a table can be made. */
interface Answer {
  readonly namespaces: readonly TableRef['namespace'][];
  readonly refusal?: Error;
}

/** Makes tables in every database of a server. */
export function createServerTables(
  databases: ServerDatabases,
  of: (table: TableRef, signal: AbortSignal) => Promise<DatabaseParts>,
): ImportedTables {
  const tablesIn = ({ database, changed }: DatabaseParts): ImportedTables => createTables(database, changed);
  const tablesOf: TablesOf = async (table, signal) => tablesIn(await of(table, signal));
  const answers = databases.listing(async (name, signal): Promise<readonly Answer[]> => {
    try {
      const tables = tablesIn(await databases.get(name, signal));
      return [{ namespaces: (await tables.namespaces?.({ signal })) ?? [] }];
    } catch (error) {
      // One without the permission, or that was dropped meanwhile, leaves the others.
      const isAlone = isDriverError(error) && (error.code === 'ACCESS_REFUSED' || isOfDatabase(error, name));
      if (signal.aborted || !isAlone) throw error;
      return [{ namespaces: [], refusal: error }];
    }
  });
  return {
    async namespaces({ signal }) {
      const found = await answers(signal);
      const namespaces = found.flatMap((answer) => answer.namespaces);
      const refusal = found.find((answer) => answer.refusal !== undefined)?.refusal;
      if (namespaces.length === 0 && refusal !== undefined) throw refusal;
      return namespaces.slice(0, MOST_NAMESPACES);
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

/** As many as the contract carries. */
const MOST_NAMESPACES = 10_000;
