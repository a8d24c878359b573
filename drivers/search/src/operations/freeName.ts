import { DriverError, isDriverError } from '@tabularium/sdk';
import { aliasTarget } from '../aliases.ts';
import type { SearchClient } from '../client.ts';
import { collectionPath } from '../paths.ts';
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
