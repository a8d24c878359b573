import { z } from 'zod';
import { querySetInfoSchema } from '../../common/relevance.ts';
import type { QuerySetInfo } from '../../common/relevance.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { UsageError } from '../usageError.ts';

/** The query sets of every connection. */
export async function allSets(api: OwnerApi, calling: ApiCallOptions): Promise<readonly QuerySetInfo[]> {
  return understood(z.array(querySetInfoSchema), await api.relevance.sets.list.query({}, calling));
}

/** The query set with that id or, letter case aside, that name. @throws UsageError */
export async function findSet(api: OwnerApi, nameOrId: string, calling: ApiCallOptions): Promise<QuerySetInfo> {
  const sets = await allSets(api, calling);
  const wanted = nameOrId.trim().toLowerCase();
  const found = sets.filter(({ id, name }) => id === wanted || name.toLowerCase() === wanted);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (only === undefined) {
    throw new UsageError(`There is no query set "${nameOrId}". Run "tabularium relevance list" to see which there are.`);
  }
  throw new UsageError(
    `${found.length} query sets are named "${nameOrId}". Name one by its id: ${found.map(({ id }) => id).join(', ')}.`,
  );
}
