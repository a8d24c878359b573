import { namespacePageSchema, tablePageSchema } from '@tabularium/sdk/protocol';
import type { NamespaceLister } from '../../common/namespaces.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';

/** A connection, and how it is asked. */
export interface AskedConnection {
  readonly api: OwnerApi;
  readonly connectionId: string;
  readonly calling: ApiCallOptions;
}

/** Lists the namespaces of a connection. */
export function namespaceListerOf(
  { api, connectionId, calling }: AskedConnection,
  initial: readonly (readonly string[])[],
): NamespaceLister {
  const request = (namespace: readonly string[], after: string | undefined) => ({
    connectionId,
    namespace: [...namespace],
    ...(after === undefined ? {} : { after }),
  });
  return {
    initial,
    namespaces: async (parent, after) =>
      understood(namespacePageSchema, await api.tables.namespaces.query(request(parent, after), calling)),
    tables: async (namespace, after) =>
      understood(tablePageSchema, await api.tables.inNamespace.query(request(namespace, after), calling)),
  };
}
