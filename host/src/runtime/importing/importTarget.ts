import { DriverError, isDriverError, listOfNames } from '@tabularium/sdk';
import type { Column, ImportFacet, ImportForm, TableRef } from '@tabularium/sdk';
import type { SavedConnection } from '../../common/connection.ts';
import { HostError } from '../../common/errors.ts';
import { isWithin, namespacesBefore } from '../../common/namespaces.ts';
import { tableToMake } from '../../common/tableName.ts';
import { requireSameTarget } from '../connections/connectionTarget.ts';
import { namespaceLister } from '../data/namespaceLister.ts';
import type { OpenSession, Sessions } from '../data/sessions.ts';

type Session = OpenSession['session'];

/** Calls the facet of a connection that imports. @throws DriverError `UNSUPPORTED` */
export async function useImport<T>(
  sessions: Pick<Sessions, 'use'>,
  connectionId: string,
  signal: AbortSignal,
  work: (facet: ImportFacet, session: Session, connection: SavedConnection, driverId: string) => Promise<T>,
): Promise<T> {
  return sessions.use(
    connectionId,
    async ({ session, manifest, connection }) => {
      if (session.import !== undefined) return work(session.import, session, connection, manifest.id);
      throw new DriverError('UNSUPPORTED', `${manifest.title}: this driver imports nothing.`);
    },
    { signal },
  );
}

/** @throws DriverError `CONFLICT` where the connection leads elsewhere since the import began */
export function requireBegunTarget(connection: SavedConnection, target: string | undefined): void {
  requireSameTarget(connection, target, 'this import began', 'Start it again, or change the connection back and resume.');
}

/** @throws HostError `INVALID_REQUEST` for a mode that there is not */
export function modeOf({ modes }: ImportForm, wanted: string | undefined): string {
  const found = wanted === undefined ? modes[0] : modes.find(({ id }) => id === wanted);
  if (found !== undefined) return found.id;
  throw new HostError(
    'INVALID_REQUEST',
    `There is no mode “${wanted ?? ''}”. There are ${modes.map(({ id }) => id).join(', ')}.`,
  );
}

export function tablesOf({ tables }: ImportFacet): NonNullable<ImportFacet['tables']> {
  if (tables !== undefined) return tables;
  throw new DriverError('UNSUPPORTED', 'This driver creates no tables for an import.');
}

/**
 * The namespaces in which a table can be made, the default one first; empty where tables are in none.
 *
 * @param within - only those in this namespace; absent: those where a person begins
 */
export async function namespacesOf(
  tables: ImportFacet['tables'],
  signal: AbortSignal,
  within?: readonly string[],
): Promise<string[][]> {
  const found = (await tables?.namespaces?.({ signal, ...(within === undefined ? {} : { within }) })) ?? [];
  return found.map((namespace) => [...namespace]);
}

/**
 * The table that a written name of a new one means.
 *
 * @throws HostError `INVALID_REQUEST` for a namespace in which none can be made
 */
export async function tableToCreate(
  session: Pick<Session, 'import' | 'listTables' | 'namespaces'>,
  written: string,
  signal: AbortSignal,
): Promise<TableRef> {
  const tables = session.import?.tables;
  const namespaces = await namespacesOf(tables, signal);
  const elsewhere: string[][] = [];
  const found = tableToMake(namespaces, written) ?? (await tableElsewhere(session, written, signal, elsewhere));
  if (found?.name === '')
    throw new HostError('INVALID_REQUEST', `“${written}” has no name of a table behind the dot.`, {
      details: { advice: `Write the table's name behind it, such as ${written}orders.`, field: 'table' },
    });
  if (found !== undefined) return found;
  throw new HostError('INVALID_REQUEST', `“${written}” begins with no namespace in which you may create a table.`, {
    details: {
      advice: `Begin it with ${listOfNames((elsewhere.length > 0 ? elsewhere : namespaces).map((namespace) => `${namespace.join('.')}.`))}`,
    },
  });
}

/**
 * In a namespace where a person doesn't begin.
 *
 * @param seen - gets the namespaces within those with whose names it begins
 */
async function tableElsewhere(
  session: Pick<Session, 'import' | 'listTables' | 'namespaces'>,
  written: string,
  signal: AbortSignal,
  seen: string[][],
): Promise<TableRef | undefined> {
  const lister = namespaceLister(session, signal);
  if (lister === undefined) return undefined;
  for (const { path } of await namespacesBefore(lister, written)) {
    const inside = await namespacesOf(session.import?.tables, signal, path);
    seen.push(...inside);
    const found = tableToMake(inside, written);
    if (found !== undefined && isWithin(found.namespace, path)) return found;
  }
  return undefined;
}

/** Credentials that may write rows and not read the structure import all the same. */
export async function targetColumns(session: Session, table: TableRef, signal: AbortSignal): Promise<readonly Column[]> {
  try {
    return (await session.describeTable(table, { signal })).columns;
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return [];
    throw error;
  }
}
