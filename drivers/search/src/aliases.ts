import { isDriverError } from '@tabularium/sdk';
import { badAnswer } from './client.ts';
import type { SearchClient } from './client.ts';
import { isObject, textOfField } from './guards.ts';
import { aliasPath } from './paths.ts';

/** The collection that an alias leads to; undefined where the alias doesn't exist, or the key may not read it. */
export async function aliasTarget(alias: string, client: SearchClient, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await readAliasTarget(alias, client, signal);
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return undefined;
    throw error;
  }
}

/**
 * The collection that an alias leads to; undefined only where the alias doesn't exist.
 *
 * @throws DriverError `ACCESS_REFUSED`
 */
export async function readAliasTarget(alias: string, client: SearchClient, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { value } = await client.read(aliasPath(alias), signal);
    return isObject(value) ? textOfField(value, 'collection_name') : undefined;
  } catch (error) {
    if (isDriverError(error) && error.code === 'NOT_FOUND') return undefined;
    throw error;
  }
}

/** All aliases that lead to a collection, by name; none where the key may not list them. */
export async function aliasesOf(collection: string, client: SearchClient, signal: AbortSignal): Promise<readonly string[]> {
  try {
    return await readAliasesOf(collection, client, signal);
  } catch (error) {
    if (isDriverError(error) && (error.code === 'NOT_FOUND' || error.code === 'ACCESS_REFUSED')) return [];
    throw error;
  }
}

/**
 * All aliases that lead to a collection, by name.
 *
 * @throws DriverError `ACCESS_REFUSED` where the key may not list them
 */
export async function readAliasesOf(collection: string, client: SearchClient, signal: AbortSignal): Promise<readonly string[]> {
  const { value } = await client.read('/aliases', signal);
  if (!isObject(value) || !Array.isArray(value['aliases'])) throw badAnswer('GET /aliases', 'it holds no aliases');
  return (value['aliases'] as unknown[])
    .flatMap((one) => (isObject(one) && one['collection_name'] === collection ? (textOfField(one, 'name') ?? []) : []))
    .sort();
}
