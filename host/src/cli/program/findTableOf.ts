import { tableDescriptionSchema, tableSummarySchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { findTable } from '../../common/tableName.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';

/**
 * The table that a written name means. Credentials that may not list a table can perhaps read it, so that the database is asked for one that the list
 * does not have.
 *
 * @throws `NOT_FOUND` and other errors of the database, with the table's name
 */
export async function findTableOf(
  api: OwnerApi,
  connectionId: string,
  named: string,
  calling: ApiCallOptions,
): Promise<{ namespace: string[]; name: string }> {
  const listed = await api.tables.list.query({ connectionId }, calling).catch(() => []);
  const found = findTable(understood(z.array(tableSummarySchema), listed), named)?.ref;
  if (found !== undefined) return { namespace: [...found.namespace], name: found.name };
  const described = await api.tables.describe.query(
    { connectionId, table: { namespace: [], name: named }, reload: false },
    calling,
  );
  const { ref } = understood(tableDescriptionSchema, described);
  return { namespace: [...ref.namespace], name: ref.name };
}
