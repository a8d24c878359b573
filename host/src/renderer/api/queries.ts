import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { QueryClient, UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { TableDescription, TableRef, TableSummary } from '@tabularium/sdk';
import type { ApplicationInfo, Preferences } from '../../common/api.ts';
import type { FirstRunState, TourEvent } from '../../common/firstRun.ts';
import type { SavedConnection, UnreadableConnection } from '../../common/connection.ts';
import type { SignInState } from '../../common/signInSteps.ts';
import type { Catalogue } from '../../common/drivers.ts';
import { useCallback } from 'react';
import { api } from './client.ts';
import { tableInDriverWords } from './driverTexts.ts';
import { manifestInWindowLanguage } from './manifestInWindowLanguage.ts';
import { forgetTree, rereadTree, useReadTables } from './namespaceTree.ts';
import { notifyOtherWindows } from './otherWindows.ts';
import { RereadingQueryClient } from './RereadingQueryClient.ts';

/** The host is on this machine: its answer holds until something here changes it, and automatic retries would hide faults. */
export function createQueryClient(): QueryClient {
  return new RereadingQueryClient({
    defaultOptions: {
      queries: { staleTime: Number.POSITIVE_INFINITY, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

const keys = {
  info: ['application', 'info'],
  preferences: ['application', 'preferences'],
  firstRun: ['application', 'firstRun'],
  connections: ['connections'],
  catalogue: ['drivers', 'catalogue'],
  tables: (connectionId: string) => ['tables', connectionId],
  table: (connectionId: string, table: TableRef) => ['tables', connectionId, ...table.namespace, table.name],
} as const;

/** Begins every question of the first screen at once; they travel together. */
export function prefetchFirstScreen(client: QueryClient): void {
  void client.prefetchQuery({ queryKey: keys.info, queryFn: ({ signal }) => api.application.info.query(undefined, { signal }) });
  void client.prefetchQuery({
    queryKey: keys.preferences,
    queryFn: ({ signal }) => api.application.preferences.query(undefined, { signal }),
  });
  void client.prefetchQuery({
    queryKey: keys.firstRun,
    queryFn: ({ signal }) => api.application.firstRun.query(undefined, { signal }),
  });
  void client.prefetchQuery({
    queryKey: keys.connections,
    queryFn: ({ signal }) => api.connections.list.query(undefined, { signal }),
  });
}

export function useApplicationInfo(): UseQueryResult<ApplicationInfo> {
  return useQuery({ queryKey: keys.info, queryFn: ({ signal }) => api.application.info.query(undefined, { signal }) });
}

export function usePreferences(): UseQueryResult<Preferences> {
  return useQuery({
    queryKey: keys.preferences,
    queryFn: ({ signal }) => api.application.preferences.query(undefined, { signal }),
  });
}

/** Saves at once and shows at once; what could not be saved is taken back. */
export function useSetPreferences(): UseMutationResult<Preferences, Error, Preferences> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (preferences: Preferences) => api.application.setPreferences.mutate(preferences),
    onMutate: (preferences) => client.setQueryData(keys.preferences, preferences),
    onSuccess: (preferences) => {
      client.setQueryData(keys.preferences, preferences);
      notifyOtherWindows(keys.preferences);
    },
    onError: () => client.invalidateQueries({ queryKey: keys.preferences }),
  });
}

/** Whether the tour of the window is offered, and which connections are samples. Every window hears of a change. */
export function useFirstRun(): UseQueryResult<FirstRunState> {
  return useQuery({
    queryKey: keys.firstRun,
    queryFn: ({ signal }) => api.application.firstRun.query(undefined, { signal }),
  });
}

/** Takes the offer of the tour away at once. It is back where the host could not remember the answer. */
export function useNoteTour(): UseMutationResult<FirstRunState, Error, TourEvent> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (event: TourEvent) => api.application.noteTour.mutate({ event }),
    onMutate: () => client.setQueryData<FirstRunState>(keys.firstRun, (before) => before && { ...before, offersTour: false }),
    onSuccess: (state) => client.setQueryData(keys.firstRun, state),
    onError: () => client.invalidateQueries({ queryKey: keys.firstRun }),
  });
}

export function useConnections(): UseQueryResult<readonly SavedConnection[]> {
  return useQuery({ queryKey: keys.connections, queryFn: ({ signal }) => api.connections.list.query(undefined, { signal }) });
}

/** Those that {@link useConnections} leaves out. They are reloaded with it. */
export function useUnreadableConnections(): UseQueryResult<readonly UnreadableConnection[]> {
  return useQuery({
    queryKey: [...keys.connections, 'unreadable'],
    queryFn: ({ signal }) => api.connections.unreadable.query(undefined, { signal }),
  });
}

/** The sign-in of a connection at its provider; null for one that doesn't sign in. Every window hears of a change. */
export function useSignInState(connectionId: string | undefined): UseQueryResult<SignInState | null> {
  return useQuery({
    queryKey: [...keys.connections, 'signIn', connectionId],
    queryFn:
      connectionId === undefined ? skipToken : ({ signal }) => api.connections.signInState.query({ connectionId }, { signal }),
  });
}

export function useReloadConnections(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keys.connections });
}

const inWindow = (catalogue: Catalogue): Catalogue => ({
  ...catalogue,
  entries: catalogue.entries.map(manifestInWindowLanguage),
});

export function useCatalogue(): UseQueryResult<Catalogue> {
  return useQuery({
    queryKey: keys.catalogue,
    queryFn: async ({ signal }) => inWindow(await api.drivers.catalogue.query(undefined, { signal })),
  });
}

export function useRefreshCatalogue(): UseMutationResult<Catalogue, Error, void> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => inWindow(await api.drivers.refresh.mutate()),
    onSuccess: (catalogue) => client.setQueryData(keys.catalogue, catalogue),
    // A refresh that fails leaves its reason with the registries, and may have changed some of them.
    onSettled: async (catalogue) => {
      const isKnown = (key: unknown): boolean => catalogue !== undefined && key === 'catalogue';
      await client.invalidateQueries({ queryKey: ['drivers'], predicate: ({ queryKey }) => !isKnown(queryKey[1]) });
    },
  });
}

/** After an installation, wherever it was started from. */
export function useReloadDrivers(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['drivers'] });
}

/** The tables of a connection that may not be open: what is known of them, nothing is asked. */
export function useKnownTables(connectionId: string | undefined): readonly TableSummary[] {
  const read = useReadTables(connectionId);
  const tables = useQuery<readonly TableSummary[]>({
    queryKey: keys.tables(connectionId ?? ''),
    queryFn: skipToken,
    select: useCallback((listed: readonly TableSummary[]) => withRead(listed, read), [read]),
  });
  return tables.data ?? [];
}

/** The tables of a connection: those of its list, and of namespaces that were read. */
export function useTables(connectionId: string): UseQueryResult<readonly TableSummary[]> {
  const read = useReadTables(connectionId);
  return useQuery({
    queryKey: keys.tables(connectionId),
    queryFn: ({ signal }) => {
      // Whatever asks for the list again means the namespaces that are unfolded, too.
      void rereadTree(connectionId);
      return api.tables.list.query({ connectionId }, { signal });
    },
    select: useCallback((listed: readonly TableSummary[]) => withRead(listed, read), [read]),
  });
}

function withRead(listed: readonly TableSummary[], read: readonly TableSummary[]): readonly TableSummary[] {
  return read.length === 0 ? listed : [...listed, ...read];
}

export function useTable(connectionId: string, table: TableRef): UseQueryResult<TableDescription> {
  return useQuery({
    queryKey: keys.table(connectionId, table),
    queryFn: async ({ signal }) =>
      tableInDriverWords(connectionId, await api.tables.describe.query({ connectionId, table }, { signal })),
  });
}

/** Reads the list of a connection's tables again, where it is on the screen. */
export function useReloadTables(): (connectionId: string) => void {
  const client = useQueryClient();
  return useCallback(
    (connectionId) => {
      void client.invalidateQueries({ queryKey: keys.tables(connectionId), exact: true });
      // A database that was made, dropped or renamed changes both lists.
      void client.invalidateQueries({ queryKey: ['console', 'places', connectionId] });
    },
    [client],
  );
}

/** Stops the reading of a table's structure; `refetch` starts it again. */
export function useCancelTable(connectionId: string, table: TableRef): () => void {
  const client = useQueryClient();
  return useCallback(
    () => void client.cancelQueries({ queryKey: keys.table(connectionId, table), exact: true }),
    [client, connectionId, table],
  );
}

/** Reloads a table's structure from the server, until the signal. */
export function useReloadTable(connectionId: string, table: TableRef): UseMutationResult<TableDescription, Error, AbortSignal> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (signal) =>
      tableInDriverWords(connectionId, await api.tables.describe.query({ connectionId, table, reload: true }, { signal })),
    onSuccess: (description) => client.setQueryData(keys.table(connectionId, table), description),
  });
}

/** Forgets what is known of a connection that was closed or is opened again: tables, users and all else that was asked with its id. */
export function useForgetTables(): (connectionId: string) => void {
  const client = useQueryClient();
  return (connectionId) => {
    forgetTree(connectionId);
    client.removeQueries({ predicate: ({ queryKey }) => queryKey.includes(connectionId) });
  };
}
