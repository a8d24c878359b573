import { z } from 'zod';
import type { SavedConnection } from '../common/connection.ts';
import { ambiguousName } from '../common/ambiguousName.ts';
import { connectionsNamed } from '../common/connectionsNamed.ts';
import { savedConnectionSchema } from '../common/connection.ts';
import { HostError } from '../common/errors.ts';
import { understood } from './ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from './ownerApi.ts';

export async function savedConnections(api: OwnerApi, options: ApiCallOptions): Promise<readonly SavedConnection[]> {
  return understood(z.array(savedConnectionSchema), await api.connections.list.query(undefined, options));
}

/** The connection with that id or, letter case aside, that name. @throws HostError `CONNECTION_UNKNOWN`, `INVALID_REQUEST` for a text that names two */
export async function findConnection(api: OwnerApi, nameOrId: string, options: ApiCallOptions): Promise<SavedConnection> {
  return oneOf(await savedConnections(api, options), nameOrId);
}

export async function findConnections(
  api: OwnerApi,
  namesOrIds: readonly string[],
  options: ApiCallOptions,
): Promise<readonly SavedConnection[]> {
  const all = await savedConnections(api, options);
  return namesOrIds.map((nameOrId) => oneOf(all, nameOrId));
}

function oneOf(all: readonly SavedConnection[], nameOrId: string): SavedConnection {
  const found = connectionsNamed(all, nameOrId);
  const [first] = found;
  if (found.length > 1) throw ambiguousName(nameOrId, found);
  if (first !== undefined) return first;
  throw new HostError('CONNECTION_UNKNOWN', `There is no connection "${nameOrId}".`, {
    details: { advice: 'Run "tabularium connections list" to see which there are.' },
  });
}
