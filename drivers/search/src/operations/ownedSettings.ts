import type { DescribedRequest } from '@tabularium/sdk';
import { isDriverError } from '@tabularium/sdk';
import { isExactObject } from '../edits/exactValue.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import { jsonRequest, readExactly } from '../objects/objectSource.ts';
import { collectionPath, encodeSegment } from '../paths.ts';
import { has } from '../versions.ts';
import type { OperationSource } from './searchOperation.ts';

const KINDS = ['synonyms', 'overrides'] as const;

/**
 * The requests that give a new collection the synonyms and rules of another one. Before version 30 a collection owns them; from 30 on its schema names
 * sets, which come with the schema.
 */
export async function ownedSettings(
  { client, version }: OperationSource,
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<readonly DescribedRequest[]> {
  if (!has(version, { until: 30 })) return [];
  const requests: DescribedRequest[] = [];
  for (const kind of KINDS) {
    for (const one of await listOf(kind, from, client, signal)) {
      const id = isExactObject(one) ? one['id'] : undefined;
      if (typeof id !== 'string' || !isExactObject(one)) continue;
      const { id: _id, ...members } = one;
      // The server lists an absent root as an empty one, and an empty one means the same.
      requests.push(jsonRequest('PUT', `${collectionPath(to)}/${kind}/${encodeSegment(id)}`, JSON.stringify(members)));
    }
  }
  return requests;
}

async function listOf(
  kind: (typeof KINDS)[number],
  collection: string,
  client: OperationSource['client'],
  signal: AbortSignal,
): Promise<readonly ExactValue[]> {
  try {
    const answer = await readExactly(client, `${collectionPath(collection)}/${kind}`, signal);
    const list = isExactObject(answer) ? answer[kind] : undefined;
    return Array.isArray(list) ? (list as ExactValue[]) : [];
  } catch (error) {
    // A server that hides its version may be one that has none of these.
    if (isDriverError(error) && error.code === 'NOT_FOUND') return [];
    throw error;
  }
}
