import { isDriverError } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import { digitsOf, isExactObject } from '../edits/exactValue.ts';
import type { ObjectMembers } from '../objects/objectDocument.ts';
import { readExactly } from '../objects/objectSource.ts';
import { collectionPath } from '../paths.ts';
import { noSuchCollection } from '../schemas.ts';

/** A collection as the server has it now, each number by its digits. */
export interface ReadSchema {
  /** Its own name, also where it was asked for by an alias. */
  readonly name: string;
  readonly members: ObjectMembers;
  readonly documents: number;
  /** When it was made: a collection of the same name that was made since is another one. */
  readonly madeAt: string;
}

/** @throws DriverError `NOT_FOUND`, `ACCESS_REFUSED` */
export async function readSchema(collection: string, client: SearchClient, signal: AbortSignal): Promise<ReadSchema> {
  const path = collectionPath(collection);
  try {
    const members = await readExactly(client, path, signal);
    const name = isExactObject(members) ? members['name'] : undefined;
    if (!isExactObject(members) || typeof name !== 'string') throw badAnswer(`GET ${path}`, 'it holds no collection');
    return {
      name,
      members,
      documents: Number(digitsOf(members['num_documents']) ?? 0),
      madeAt: digitsOf(members['created_at']) ?? '',
    };
  } catch (error) {
    throw isDriverError(error) && error.code === 'NOT_FOUND' ? noSuchCollection(collection, error) : error;
  }
}
