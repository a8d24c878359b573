import { isDriverError } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import { digitsOf, isExactObject } from '../edits/exactValue.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import type { ObjectMembers } from '../objects/objectDocument.ts';
import { readExactly } from '../objects/objectSource.ts';
import { collectionPath } from '../paths.ts';
import { noSuchCollection } from '../schemas.ts';
import { textHash } from './textHash.ts';

/** A collection as the server has it now, each number by its digits. */
export interface ReadSchema {
  /** Its own name, also where it was asked for by an alias. */
  readonly name: string;
  readonly members: ObjectMembers;
  readonly documents: number;
  /**
   * When it was made. Another time doesn't prove that the collection is another one: a server that was restarted gives one to every collection that it makes again from its
   * log, those since its last snapshot (seen on 29.0 and 30.0-dev).
   */
  readonly madeAt: string;
  /** A hash of the fields and settings that it was made with. Fields that it learned from documents are not in it. */
  readonly shape: string;
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
      shape: shapeOf(members),
    };
  } catch (error) {
    throw isDriverError(error) && error.code === 'NOT_FOUND' ? noSuchCollection(collection, error) : error;
  }
}

/** Members that change while a collection stays the same one. */
const CHANGING: ReadonlySet<string> = new Set(['created_at', 'fields', 'metadata', 'num_documents']);

function shapeOf(members: ObjectMembers): string {
  const list = members['fields'];
  const fields = (Array.isArray(list) ? (list as ExactValue[]) : []).map((field) => sorted(field));
  const learns = fields.filter((field) => /"type":"(?:auto|string\*)"|"name":"[^"]*\.\*/.test(field));
  const settings = Object.entries(members)
    .filter(([member]) => !CHANGING.has(member))
    .map(([member, value]) => `${member}:${sorted(value)}`);
  return textHash([...settings, ...(learns.length > 0 ? learns : fields)].sort().join('\n'));
}

/** The text of a value, its members in the order of their names. */
function sorted(value: ExactValue): string {
  if (!isExactObject(value)) return JSON.stringify(value) ?? '';
  return JSON.stringify(Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))));
}
