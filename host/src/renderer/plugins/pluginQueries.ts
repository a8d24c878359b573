import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { DriverDetails, DriversOverview, PublisherKey, RegistryInfo } from '../../common/drivers.ts';
import type { DriverNetwork } from '../../common/driversApi.ts';
import { api } from '../api/client.ts';
import { useRefreshCatalogue } from '../api/queries.ts';
import { manifestInWindowLanguage } from '../api/manifestInWindowLanguage.ts';

const keys = {
  overview: ['drivers', 'overview'],
  details: (id: string) => ['drivers', 'details', id],
  publishers: ['drivers', 'publishers'],
  registries: ['drivers', 'registries'],
  network: ['drivers', 'network'],
} as const;

/** A version that was rolled back automatically, or the result of a command, is seen this soon. Milliseconds. */
const REREAD_EVERY = 10_000;

export function useDriversOverview(): UseQueryResult<DriversOverview> {
  return useQuery({
    queryKey: keys.overview,
    queryFn: async ({ signal }) => {
      const overview = await api.drivers.overview.query(undefined, { signal });
      return { ...overview, drivers: overview.drivers.map(manifestInWindowLanguage) };
    },
    refetchInterval: REREAD_EVERY,
  });
}

export function useDriverDetails(driver: string): UseQueryResult<DriverDetails> {
  return useQuery({ queryKey: keys.details(driver), queryFn: ({ signal }) => api.drivers.details.query({ driver }, { signal }) });
}

export function usePublisherKeys(): UseQueryResult<readonly PublisherKey[]> {
  return useQuery({ queryKey: keys.publishers, queryFn: ({ signal }) => api.drivers.keys.query(undefined, { signal }) });
}

export function useRegistries(): UseQueryResult<readonly RegistryInfo[]> {
  return useQuery({ queryKey: keys.registries, queryFn: ({ signal }) => api.drivers.registries.query(undefined, { signal }) });
}

export function useDriverNetwork(): UseQueryResult<DriverNetwork> {
  return useQuery({ queryKey: keys.network, queryFn: ({ signal }) => api.drivers.network.query(undefined, { signal }) });
}

/** A change after which everything about drivers is reloaded. */
export function useDriverChange<Input>(change: (input: Input) => Promise<unknown>): UseMutationResult<unknown, Error, Input> {
  const client = useQueryClient();
  return useMutation({ mutationFn: change, onSettled: () => client.invalidateQueries({ queryKey: ['drivers'] }) });
}

/** A registry more, after which all are asked again: what they offer was found out before. */
export function useRegistryAddition<Input>(change: (input: Input) => Promise<unknown>): UseMutationResult<unknown, Error, Input> {
  const client = useQueryClient();
  const refresh = useRefreshCatalogue();
  return useMutation({
    mutationFn: change,
    onSuccess: () => refresh.mutate(),
    onSettled: () => client.invalidateQueries({ queryKey: ['drivers'] }),
  });
}
