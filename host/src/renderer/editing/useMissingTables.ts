import { useQueries } from '@tanstack/react-query';
import type { EditedTable } from '../../common/editing.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';

/**
 * Those of some tables that the database says it doesn't have. A table that is not in a list may be there all the same: a key that was deleted or narrowed
 * lists nothing.
 *
 * @param unlisted - the tables that the last list didn't have
 * @param listedAt - when that list was read: each new one is a reason to ask again
 */
export function useMissingTables<Table extends EditedTable>(unlisted: readonly Table[], listedAt: number): readonly Table[] {
  return useQueries({
    queries: unlisted.map(({ connectionId, table }) => ({
      queryKey: ['missing', connectionId, table, listedAt],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<boolean> => {
        try {
          await api.tables.describe.query({ connectionId, table }, { signal });
          return false;
        } catch (error) {
          return problemOf(error).code === 'NOT_FOUND';
        }
      },
      retry: false,
    })),
    combine: (answers) => unlisted.filter((_, place) => answers[place]?.data === true),
  });
}
