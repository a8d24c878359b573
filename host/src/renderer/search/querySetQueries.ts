import { useQuery } from '@tanstack/react-query';
import type { QueryClient, UseQueryResult } from '@tanstack/react-query';
import type { TableRef } from '@tabularium/sdk';
import type { QuerySet, QuerySetInfo, SearchConfiguration } from '../../common/relevance.ts';
import { api } from '../api/client.ts';
import { notifyOtherWindows } from '../api/otherWindows.ts';

const ROOT = 'relevance';

export function copyOfTable({ namespace, name }: TableRef): { namespace: string[]; name: string } {
  return { namespace: [...namespace], name };
}

/** The query sets of a table, where they are wanted. */
export function useQuerySets(connectionId: string, table: TableRef, isWanted: boolean): UseQueryResult<readonly QuerySetInfo[]> {
  return useQuery({
    queryKey: [ROOT, 'sets', connectionId, table],
    queryFn: ({ signal }) => api.relevance.sets.list.query({ connectionId, table: copyOfTable(table) }, { signal }),
    enabled: isWanted,
    staleTime: 0,
  });
}

/** A query set with its queries and judgments. */
export function useQuerySet(id: string | undefined, isWanted = true): UseQueryResult<QuerySet | null> {
  return useQuery({
    queryKey: [ROOT, 'set', id],
    queryFn: ({ signal }) => (id === undefined ? null : api.relevance.sets.get.query({ id }, { signal })),
    enabled: isWanted,
    staleTime: 0,
  });
}

/** The saved configurations of a table's search. */
export function useSearchConfigurations(
  connectionId: string,
  table: TableRef,
  isWanted = true,
): UseQueryResult<readonly SearchConfiguration[]> {
  return useQuery({
    queryKey: [ROOT, 'configurations', connectionId, table],
    queryFn: ({ signal }) => api.relevance.configurations.list.query({ connectionId, table: copyOfTable(table) }, { signal }),
    enabled: isWanted,
    staleTime: 0,
  });
}

/** Has everything about query sets read again. */
export function rereadQuerySets(client: QueryClient): Promise<void> {
  notifyOtherWindows([ROOT]);
  return client.invalidateQueries({ queryKey: [ROOT] });
}
