import { createHash } from 'node:crypto';
import { isDriverError } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import { connectionTarget } from '../connections/connectionTarget.ts';
import type { OpenSession, Sessions } from '../data/sessions.ts';
import type { ImportRecord } from './importJournal.ts';
import { tablesOf, useImport } from './importTarget.ts';

/** How long removing an empty table may hold up the end of an import. Milliseconds. */
const DISCARD_WITHIN = 10_000;

type Made = NonNullable<ImportRecord['made']>;

/** A hash that differs where a table of that name was changed or made again. @returns undefined where the driver says nothing about it */
export async function markOfTable(
  session: Pick<OpenSession['session'], 'describeTable'>,
  table: TableRef,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { identity, definition } = await session.describeTable(table, { signal });
  if (identity === undefined && definition === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([identity, definition?.text]))
    .digest('hex');
}

/**
 * Removes the table that an import made, where it is still that table and has no rows.
 *
 * @param target - of the connection when the import began
 * @returns whether it was removed, or why it stays: it may be `empty`, or is in `use` by now
 * @throws DriverError, HostError where nothing is known about it
 */
export async function discardMadeTable(
  sessions: Pick<Sessions, 'use'>,
  { connectionId, table }: Pick<ImportRecord['info'], 'connectionId' | 'table'>,
  { mark }: Made,
  target: string | undefined,
): Promise<'removed' | 'empty' | 'used'> {
  const signal = AbortSignal.timeout(DISCARD_WITHIN);
  return useImport(sessions, connectionId, signal, async (facet, session, connection) => {
    // The table of that name is on another server by now.
    if (target !== undefined && connectionTarget(connection) !== target) return 'empty';
    const tables = tablesOf(facet);
    if (tables.discard === undefined || mark === undefined) return 'empty';
    try {
      // A table that somebody changed, or made again, is theirs.
      if ((await markOfTable(session, table, signal)) !== mark) return 'used';
      await tables.discard(table, { signal });
      return 'removed';
    } catch (error) {
      if (isDriverError(error) && (error.code === 'CONFLICT' || error.code === 'NOT_FOUND')) return 'used';
      throw error;
    }
  });
}
