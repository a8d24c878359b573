import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { TableRef, TableSummary } from '@tabularium/sdk';
import type { OpenConnectionInfo } from '../../common/api.ts';
import type { NamedTablesView } from '../../common/namedTables.ts';
import { api } from './client.ts';
import { notifyOtherWindows } from './otherWindows.ts';

const keyOf = (connectionId: string) => ['namedTables', connectionId] as const;

/** Whether a connection has tables that can be opened by name and are not listed. */
export function opensByName({ facets }: OpenConnectionInfo): boolean {
  return facets.includes('namedTables');
}

/** Tables of a connection that were opened by name, and why the list lacks them. */
export function useNamedTables(connection: OpenConnectionInfo): UseQueryResult<NamedTablesView> {
  const { connectionId } = connection;
  return useQuery({
    queryKey: keyOf(connectionId),
    queryFn: ({ signal }) => api.tables.named.query({ connectionId }, { signal }),
    enabled: opensByName(connection),
  });
}

/** Those of a connection that may not be open, as far as they are known; nothing is asked. */
export function useKnownNamed(connectionId: string | undefined): readonly TableRef[] {
  return useQuery<NamedTablesView>({ queryKey: keyOf(connectionId ?? ''), queryFn: skipToken }).data?.tables ?? [];
}

/** Finds a table by what a person typed; from then on it is among those of {@link useNamedTables}. */
export function useOpenNamed(connectionId: string): UseMutationResult<TableSummary, Error, string> {
  const reload = useReloadNamed(connectionId);
  return useMutation({
    mutationFn: (name: string) => api.tables.openNamed.mutate({ connectionId, name }),
    onSettled: reload,
  });
}

export function useForgetNamed(connectionId: string): UseMutationResult<void, Error, TableRef> {
  const reload = useReloadNamed(connectionId);
  return useMutation({
    mutationFn: (table: TableRef) => api.tables.forgetNamed.mutate({ connectionId, table }),
    onSettled: reload,
  });
}

function useReloadNamed(connectionId: string): () => Promise<void> {
  const client = useQueryClient();
  return () => {
    notifyOtherWindows(keyOf(connectionId));
    return client.invalidateQueries({ queryKey: keyOf(connectionId) });
  };
}
