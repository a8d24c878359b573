import type { TableRef } from '@tabularium/sdk';
import { HostError } from '../../common/errors.ts';
import type { ImportSource } from '../../common/imports.ts';
import { tableName } from '../../common/tableName.ts';
import type { OpenSession } from '../data/sessions.ts';
import type { TableSample } from './tableSource.ts';

interface Target {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly source: ImportSource;
}

/** @throws HostError `INVALID_REQUEST` for a copy of a table onto itself, also by another name of it */
export async function requireOtherTable(
  { connectionId, table, source }: Target,
  { description }: Pick<TableSample, 'description'>,
  session: OpenSession['session'],
  signal: AbortSignal,
): Promise<void> {
  if (source.is !== 'table' || source.connectionId !== connectionId) return;
  const isSame = tableName(source.table) === tableName(table);
  const identity = description?.identity;
  const other = isSame || identity === undefined ? undefined : await identityOf(session, table, signal);
  if (!isSame && (other === undefined || other !== identity)) return;
  throw new HostError('INVALID_REQUEST', `${tableName(source.table)} can't be copied into itself.`, {
    details: { advice: 'Choose another table or another connection.' },
  });
}

async function identityOf(session: OpenSession['session'], table: TableRef, signal: AbortSignal): Promise<string | undefined> {
  try {
    return (await session.describeTable(table, { signal })).identity;
  } catch {
    // It isn't there yet, or it can't be seen: then it isn't known to be the same.
    return undefined;
  }
}
