import type { DescribedRequest, DriverTexts, ObjectChange, ObjectKind } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import { isExactObject, parseExactly } from '../edits/exactValue.ts';
import { encodeSegment } from '../paths.ts';
import { objectMembers } from './objectDocument.ts';
import type { ObjectMembers } from './objectDocument.ts';

/** The collection or set that has the objects; neither where the server has them. */
export interface ObjectHolder {
  readonly collection?: string;
  readonly within?: string;
}

/** An object by its name. */
export interface NamedObject {
  readonly name: string;
  readonly members: ObjectMembers;
}

/** The consequences of a change, for its plan. */
export interface Consequence {
  readonly consequence: string;
  readonly texts?: DriverTexts;
}

/** How the server lists, shows and changes the objects of one kind. */
export interface ObjectSource {
  readonly kind: ObjectKind;
  /** Versions of the server that have them. */
  readonly versions: { readonly since?: number; readonly until?: number };
  /** The member that names an object, which its document leaves out. */
  readonly nameMember: string;
  list(holder: ObjectHolder, signal: AbortSignal): Promise<readonly NamedObject[]>;
  /** @throws DriverError `NOT_FOUND` */
  read(name: string, holder: ObjectHolder, signal: AbortSignal): Promise<ObjectMembers>;
  /** Why a document whose fields are good can't be saved. */
  fault?(members: ObjectMembers): string | undefined;
  /** The facts of a list, by column. */
  facts(members: ObjectMembers): Readonly<Record<string, string | undefined>>;
  /** @param before - the object as it is now; undefined: there is none */
  requests(
    change: ObjectChange,
    before: ObjectMembers | undefined,
    holder: ObjectHolder,
    signal: AbortSignal,
  ): Promise<readonly DescribedRequest[]>;
  /** @throws DriverError `CONFLICT` where something else has to be done first */
  consequence?(change: ObjectChange, before: ObjectMembers | undefined, signal: AbortSignal): Promise<Consequence | undefined>;
}

const JSON_HEADERS = { 'content-type': 'application/json' } as const;

/** A request with a JSON body. */
export function jsonRequest(method: 'PATCH' | 'POST' | 'PUT', path: string, body: string): DescribedRequest {
  return { method, path, headers: JSON_HEADERS, body };
}

/** The answer to a question, each number by its digits. */
export async function readExactly(client: SearchClient, path: string, signal: AbortSignal): Promise<ExactValue> {
  const text = await client.readText(path, signal);
  try {
    return parseExactly(text);
  } catch (error) {
    throw badAnswer(`GET ${path}`, "it isn't JSON", error);
  }
}

/** The objects of a list. */
function namedObjects(value: ExactValue, nameMember: string, path: string): NamedObject[] {
  if (!Array.isArray(value)) throw badAnswer(`GET ${path}`, "it isn't a list");
  return value.map((entry: ExactValue) => {
    const name = isExactObject(entry) ? entry[nameMember] : undefined;
    if (!isExactObject(entry) || typeof name !== 'string' || name === '')
      throw badAnswer(`GET ${path}`, 'an entry of the list has no name');
    return { name, members: entry };
  });
}

interface RestSource {
  readonly kind: ObjectKind;
  readonly versions?: ObjectSource['versions'];
  readonly nameMember: 'id' | 'name';
  readonly path: (holder: ObjectHolder) => string;
  /** The member of a list's answer that has the entries; absent: the answer is the list. */
  readonly listMember?: string;
  /** The member of one object's answer that has it; absent: the answer is the object. */
  readonly oneMember?: string;
  readonly fault?: ObjectSource['fault'];
  readonly facts: ObjectSource['facts'];
  readonly consequence?: ObjectSource['consequence'];
  /** A member that the server requires and a person may leave out, saved as an empty list then. */
  readonly emptyList?: string;
}

/** A kind that has a list at a path, and each object below it: GET, PUT and DELETE. */
export function restSource(client: SearchClient, rest: RestSource): ObjectSource {
  const pathOf = (holder: ObjectHolder, name: string): string => `${rest.path(holder)}/${encodeSegment(name)}`;
  return {
    kind: rest.kind,
    versions: rest.versions ?? {},
    nameMember: rest.nameMember,
    async list(holder, signal) {
      const path = rest.path(holder);
      const answer = await readExactly(client, path, signal);
      const list = rest.listMember === undefined ? answer : isExactObject(answer) ? answer[rest.listMember] : undefined;
      return namedObjects(list, rest.nameMember, path);
    },
    async read(name, holder, signal) {
      const path = pathOf(holder, name);
      const answer = await readExactly(client, path, signal);
      const one = rest.oneMember === undefined ? answer : isExactObject(answer) ? answer[rest.oneMember] : undefined;
      if (!isExactObject(one)) throw badAnswer(`GET ${path}`, "it isn't an object");
      return one;
    },
    facts: rest.facts,
    async requests(change, _before, holder) {
      const path = pathOf(holder, change.object.name);
      return change.action === 'remove'
        ? [{ method: 'DELETE', path }]
        : [jsonRequest('PUT', path, withEmptyList(change.document, rest.emptyList))];
    },
    ...(rest.fault === undefined ? {} : { fault: rest.fault }),
    ...(rest.consequence === undefined ? {} : { consequence: rest.consequence }),
  };
}

/** The text of the document with the member as an empty list where it is missing; every other digit stays as it is. */
function withEmptyList(document: string, member: string | undefined): string {
  if (member === undefined || Object.hasOwn(objectMembers(document), member)) return document;
  const inner = document.trim().slice(1, -1).trim();
  return `{${JSON.stringify(member)}:[]${inner === '' ? '' : `,${inner}`}}`;
}
