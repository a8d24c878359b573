import { tableDescriptionSchema, tableSummarySchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { namespacesBefore } from '../../common/namespaces.ts';
import { findTable } from '../../common/tableName.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { isNotFound } from './isNotFound.ts';
import { namespaceListerOf } from './namespaceListerOf.ts';

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
  const describe = async (namespace: readonly string[], name: string): Promise<{ namespace: string[]; name: string }> => {
    const table = { namespace: [...namespace], name };
    const described = await api.tables.describe.query({ connectionId, table, reload: false }, calling);
    const { ref } = understood(tableDescriptionSchema, described);
    return { namespace: [...ref.namespace], name: ref.name };
  };
  // Most connections list every table, and no namespaces.
  const before = await namespacesBefore(namespaceListerOf({ api, connectionId, calling }, []), named).catch(() => []);
  for (const { path } of before) {
    const name = named.slice(path.join('.').length + 1);
    const there = name === '' ? undefined : await describe(path, name).catch(ignoreNotFound);
    if (there !== undefined) return there;
  }
  return await describe([], named);
}

function ignoreNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}
