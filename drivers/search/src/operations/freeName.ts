import { DriverError, isDriverError } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import { isObject, textOfField } from '../guards.ts';
import { aliasPath, collectionPath } from '../paths.ts';
import { faultTexts } from '../faultTexts.ts';

/** Names that are looked up for a proposal. */
const MOST_TRIED = 20;

/**
 * Makes sure that a new collection can have a name. The server takes the name of an alias as well, and the new collection then hides the alias from
 * every application that uses it.
 *
 * @throws DriverError `CONFLICT`
 */
export async function mustBeFree(name: string, field: string, client: SearchClient, signal: AbortSignal): Promise<void> {
  const taken = (what: string): DriverError =>
    new DriverError('CONFLICT', `There is ${what} “${name}” already.`, {
      details: {
        field,
        advice: 'Choose another name.',
        texts: faultTexts('fault.nameTaken', { name }, 'fault.otherName'),
      },
    });
  if ((await aliasTarget(name, client, signal)) !== undefined) throw taken('an alias');
  if (await isThere(collectionPath(name), client, signal)) throw taken('a collection');
}

/** A name for a new collection: the one that is given, or with a number where it is taken. */
export async function freeCollectionName(name: string, client: SearchClient, signal: AbortSignal): Promise<string> {
  for (let count = 1; count <= MOST_TRIED; count += 1) {
    const candidate = count === 1 ? name : `${name}_${count}`;
    const isTaken =
      (await aliasTarget(candidate, client, signal)) !== undefined || (await isThere(collectionPath(candidate), client, signal));
    if (!isTaken) return candidate;
  }
  return name;
}

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

async function isThere(path: string, client: SearchClient, signal: AbortSignal): Promise<boolean> {
  try {
    await client.read(path, signal);
    return true;
  } catch (error) {
    // A key that may not read collections cannot say; the server refuses a name that is taken.
    if (isDriverError(error) && (error.code === 'NOT_FOUND' || error.code === 'ACCESS_REFUSED')) return false;
    throw error;
  }
}
