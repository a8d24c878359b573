import { isDriverError } from '@tabularium/sdk';
import type { DriverError, Session, TableRef, TableSummary } from '@tabularium/sdk';
import {
  NAMESPACE_PAGE,
  MOST_TABLES_READ,
  anyNamespace,
  isInitial,
  namespacesBefore,
  tablesWithin,
} from '../../common/namespaces.ts';
import type { NamespaceLister } from '../../common/namespaces.ts';
import { findTable } from '../../common/tableName.ts';

/** Errors of the connection as a whole: every namespace would end with them. */
const ENDS_ALL: ReadonlySet<string> = new Set([
  'CANCELLED',
  'HOST_NOT_FOUND',
  'CONNECTION_REFUSED',
  'CREDENTIALS_MISSING',
  'TLS_FAILED',
  'DRIVER_CRASHED',
  'DRIVER_FAULT',
]);

type Listing = Pick<Session, 'listTables' | 'namespaces'>;

/** A namespace whose tables are in no list, because it can't be read. */
export interface RefusedNamespace {
  readonly namespace: TableRef['namespace'];
  readonly error: DriverError;
}

/** Lists the namespaces of a session; undefined where its list has every table. */
export function namespaceLister({ namespaces }: Listing, signal: AbortSignal): NamespaceLister | undefined {
  if (namespaces === undefined) return undefined;
  const options = (after: string | undefined) => ({ signal, limit: NAMESPACE_PAGE, ...(after === undefined ? {} : { after }) });
  return {
    initial: namespaces.initial,
    namespaces: (parent, after) => namespaces.list(parent, options(after)),
    tables: (namespace, after) => namespaces.listTables(namespace, options(after)),
  };
}

/**
 * Every table of a session in a namespace, or in all.
 *
 * @param namespace - empty: in all of them
 * @param onRefused - called with each namespace that can't be read; the others are read all the same
 * @throws DriverError what ends the reading of all, and of a namespace that is asked for by its name
 */
export async function allTables(
  session: Listing,
  namespace: TableRef['namespace'],
  signal: AbortSignal,
  onRefused: (refused: RefusedNamespace) => void,
): Promise<readonly TableSummary[]> {
  const lister = namespaceLister(session, signal);
  const isListed = lister === undefined || isInitial(lister, namespace) || namespace.length === 0;
  const listed = isListed ? await session.listTables({ signal }) : [];
  const found = listed.filter(({ ref }) => namespace.every((name, depth) => ref.namespace[depth] === name));
  if (lister === undefined || isInitial(lister, namespace)) return found;
  const refused = (at: TableRef['namespace'], error: unknown): void => {
    if (signal.aborted || at.length === namespace.length || !isDriverError(error) || ENDS_ALL.has(error.code)) throw error;
    onRefused({ namespace: at, error });
  };
  const skip = (at: TableRef['namespace']): boolean => isListed && isInitial(lister, at);
  for await (const table of tablesWithin(lister, anyNamespace(namespace), refused, skip)) {
    if (found.length >= MOST_TABLES_READ) break;
    found.push(table);
  }
  return found;
}

/**
 * The table that a written name means: of the list, else of the namespaces with whose names it begins.
 *
 * @param listed - the list of the session, where it was read already
 * @returns undefined where none is found
 */
export async function findWrittenTable(
  session: Listing & Pick<Session, 'describeTable'>,
  written: string,
  signal: AbortSignal,
  listed?: readonly TableSummary[],
): Promise<TableRef | undefined> {
  const found = findTable(listed ?? (await session.listTables({ signal }).catch(noList)), written)?.ref;
  const lister = namespaceLister(session, signal);
  if (found !== undefined || lister === undefined) return found;
  for (const { path, hasTables } of await namespacesBefore(lister, written)) {
    const name = written.slice(path.join('.').length + 1);
    if (!hasTables || name === '') continue;
    try {
      return (await session.describeTable({ namespace: path, name }, { signal })).ref;
    } catch (error) {
      if (!isDriverError(error) || error.code !== 'NOT_FOUND') throw error;
    }
  }
  return undefined;
}

/** Credentials that may use tables and not list them: no list, and no error. @throws every other error */
export function noList(error: unknown): readonly TableSummary[] {
  if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return [];
  throw error;
}
