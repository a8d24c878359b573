import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type {
  ApprovalGrantInfo,
  ConnectedClient,
  IntegrationSettings,
  McpState,
  TokenSummary,
} from '../../common/integrations.ts';
import { api } from '../api/client.ts';

/** Clients come and go without the window's doing. */
const REFRESH_MILLISECONDS = 3_000;

const keys = {
  all: ['integrations'],
  state: ['integrations', 'state'],
  settings: ['integrations', 'settings'],
  tokens: ['integrations', 'tokens'],
  grants: ['integrations', 'grants'],
  clients: ['integrations', 'clients'],
} as const;

export function useMcpState(): UseQueryResult<McpState> {
  return useQuery({ queryKey: keys.state, queryFn: ({ signal }) => api.integrations.state.query(undefined, { signal }) });
}

export function useIntegrationSettings(): UseQueryResult<IntegrationSettings> {
  return useQuery({ queryKey: keys.settings, queryFn: ({ signal }) => api.integrations.settings.query(undefined, { signal }) });
}

/** Saves, and shows what became of the server. */
export function useSetIntegrationSettings(): UseMutationResult<IntegrationSettings, Error, IntegrationSettings> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ allowedOrigins, exportFolders, ...settings }: IntegrationSettings) =>
      api.integrations.setSettings.mutate({
        ...settings,
        allowedOrigins: [...allowedOrigins],
        exportFolders: [...exportFolders],
      }),
    onSuccess: (settings) => client.setQueryData(keys.settings, settings),
    onSettled: () => client.invalidateQueries({ queryKey: ['integrations'] }),
  });
}

export function useTokens(): UseQueryResult<readonly TokenSummary[]> {
  return useQuery({
    queryKey: keys.tokens,
    queryFn: ({ signal }) => api.integrations.tokens.query(undefined, { signal }),
    staleTime: 0,
  });
}

export function useGrants(): UseQueryResult<readonly ApprovalGrantInfo[]> {
  return useQuery({
    queryKey: keys.grants,
    queryFn: ({ signal }) => api.integrations.grants.query(undefined, { signal }),
    staleTime: 0,
  });
}

export function useClients(): UseQueryResult<readonly ConnectedClient[]> {
  return useQuery({
    queryKey: keys.clients,
    queryFn: ({ signal }) => api.integrations.clients.query(undefined, { signal }),
    staleTime: 0,
    refetchInterval: REFRESH_MILLISECONDS,
  });
}

export function useReloadIntegrations(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: keys.all });
}
