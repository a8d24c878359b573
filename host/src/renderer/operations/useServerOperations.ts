import { useQuery } from '@tanstack/react-query';
import type { Operation } from '@tabularium/sdk';
import type { OpenConnectionInfo } from '../../common/api.ts';
import { api } from '../api/client.ts';
import { operationInDriverWords } from './operationWords.ts';

const NONE: readonly Operation[] = [];

/** The operations of the server itself; none while they are not known. */
export function useServerOperations({
  connectionId,
  facets,
}: Pick<OpenConnectionInfo, 'connectionId' | 'facets'>): readonly Operation[] {
  const operations = useQuery({
    queryKey: ['operations', connectionId, 'list', 'server'],
    queryFn: async ({ signal }) => {
      const known = await api.operations.list.query({ connectionId, place: { on: 'server' } }, { signal });
      return known.map((one) => operationInDriverWords(connectionId, one));
    },
    enabled: facets.includes('operations'),
  });
  return operations.data ?? NONE;
}
