import { isDriverError } from '@tabularium/sdk';
import type { StatementClassification, StatementEffect } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { isObject, textOfField } from '../guards.ts';
import { aliasTarget, readAliasTarget } from '../aliases.ts';
import { tableRef } from '../tables.ts';
import { effectOf, parsedOrUndefined } from './effects.ts';
import type { RequestEffect } from './effects.ts';
import type { ConsoleRequest } from './request.ts';

/** The collections that a request names, as written. */
function collectionsOf({ method, path, body }: ConsoleRequest): string[] {
  const [area, name] = path.segments;
  if (area === 'collections' && name !== undefined && name !== '') return [name];
  if (area === 'collections' && method === 'POST') return namesIn(parsedOrUndefined(body), 'name');
  if (area === 'aliases' && method === 'PUT') return namesIn(parsedOrUndefined(body), 'collection_name');
  if (area !== 'multi_search') return [];
  const value = parsedOrUndefined(body);
  const searches: unknown = isObject(value) ? value['searches'] : undefined;
  const fallback = path.query.get('collection');
  const names = Array.isArray(searches) ? searches.flatMap((search: unknown) => namesIn(search, 'collection')) : [];
  return [...new Set([...names, ...(fallback === null ? [] : [fallback])])];
}

function namesIn(value: unknown, member: string): string[] {
  const name = isObject(value) ? textOfField(value, member) : undefined;
  return name === undefined || name === '' ? [] : [name];
}

/** A description of the request's effect. Never a query or body: somebody may have written a key there. */
function summaryOf({ method, path }: ConsoleRequest, effect: StatementEffect, collection: string): string {
  const [area, name, part, id, ...more] = path.segments;
  const plain = `${method} /${path.segments.join('/')}`.slice(0, 500);
  if (effect === 'read' || more.length > 0) return plain;
  if (area === 'collections' && name === undefined && method === 'POST' && effect === 'destructive')
    return `Create a collection that hides the alias of its name: ${collection}`;
  if (area === 'collections' && name !== undefined) {
    if (part === undefined) {
      if (method === 'DELETE') return `Delete the collection ${collection} with all its documents`;
      if (method === 'PATCH')
        return `${effect === 'destructive' ? 'Drop fields of' : 'Change the schema of'} the collection ${collection}`;
    }
    if (part === 'documents') {
      if (method === 'DELETE' && id !== undefined) return `Delete the document “${id}” of ${collection}`;
      if (method === 'DELETE') {
        return path.query.get('truncate') === 'true'
          ? `Delete all documents of ${collection}`
          : `Delete every document of ${collection} that the request’s filter matches`;
      }
      if (method === 'PATCH' && id === undefined)
        return `Change every document of ${collection} that the request’s filter matches`;
      if (method === 'PATCH') return `Change the document “${id ?? ''}” of ${collection}`;
      const replaces = effect === 'destructive' ? ' and replace those with the same id' : '';
      if (method === 'POST' && id === undefined) return `Write a document into ${collection}${replaces}`;
      if (method === 'POST' && id === 'import') return `Import documents into ${collection}${replaces}`;
    }
  }
  if (area === 'keys' && method === 'DELETE' && name !== undefined) return `Delete the API key number ${name}`;
  if (area === 'aliases' && method === 'DELETE' && name !== undefined) return `Delete the alias “${name}”`;
  if (area === 'aliases' && method === 'PUT' && name !== undefined)
    return `${effect === 'destructive' ? 'Point the alias' : 'Create the alias'} “${name}” at ${collection}`;
  return (method === 'POST' ? WORDS[path.segments.join('/')] : undefined) ?? plain;
}

/** Requests for the whole server. */
const WORDS: Readonly<Record<string, string>> = {
  keys: 'Create an API key',
  config: 'Change settings of the server',
  proxy: 'Send a request from the server to another address',
  'operations/snapshot': 'Write a snapshot to the disk of the server',
  'operations/vote': 'Start an election in the cluster',
  'operations/cache/clear': 'Clear the search cache',
  'operations/db/compact': 'Compact the database',
  'operations/reset_peers': 'Reset the peers of the cluster',
};

/** Credentials that a request may hold: a key of its own, in the query or for a search in the body, or those of a model. */
function holdsSecret({ path, body }: ConsoleRequest): boolean {
  return (
    (path.segments[0] === 'keys' && body !== '') ||
    KEY_NAME.test(decodeURIComponent(String(path.query))) ||
    KEY_NAME.test(body) ||
    MODEL_SECRET.test(body)
  );
}

const KEY_NAME = /x-(?:typesense|search)-api-key/i;
const MODEL_SECRET = /"(?:api_key|access_token|refresh_token|client_secret|password)"\s*:/i;

/** Whether something has the name that a request writes; true as well where the server does not let these credentials look. */
async function exists(client: SearchClient, { path }: ConsoleRequest, signal: AbortSignal): Promise<boolean> {
  try {
    await client.read(`/${path.raw.join('/')}`, signal);
    return true;
  } catch (error) {
    if (isDriverError(error) && error.code === 'NOT_FOUND') return false;
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return true;
    throw error;
  }
}

/** A request of the class `unlessNew` loses nothing where there is nothing yet, and a new collection where no alias has its name. */
async function lossOf(request: ConsoleRequest, client: SearchClient, signal: AbortSignal): Promise<RequestEffect> {
  const { unlessNew, creates, ...effect } = effectOf(request);
  if (creates !== undefined) return creationLoss(creates, client, signal);
  return unlessNew === true && !(await exists(client, request, signal)) ? { effect: 'write' } : effect;
}

async function creationLoss(name: string, client: SearchClient, signal: AbortSignal): Promise<RequestEffect> {
  try {
    return { effect: (await readAliasTarget(name, client, signal)) === undefined ? 'write' : 'destructive' };
  } catch (error) {
    if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return { effect: 'write', unknown: true };
    throw error;
  }
}

export async function classifyRequest(
  request: ConsoleRequest,
  client: SearchClient,
  signal: AbortSignal,
): Promise<StatementClassification> {
  const { effect, unknown, newSecret } = await lossOf(request, client, signal);
  const named = collectionsOf(request);
  const [first] = named;
  // A change through an alias changes the collection behind it: the person who confirms must read that name.
  const real =
    effect !== 'read' && request.path.segments[0] === 'collections' && first !== undefined
      ? await aliasTarget(first, client, signal)
      : undefined;
  const shown = real === undefined ? `“${first ?? ''}”` : `“${real}” (behind the alias “${first ?? ''}”)`;
  return {
    effect,
    tables: (real === undefined ? named : [real]).map(tableRef),
    summary: summaryOf(request, effect, shown),
    ...(unknown === undefined ? {} : { unknown }),
    ...(newSecret === undefined ? {} : { newSecret }),
    ...(holdsSecret(request) ? { holdsSecret: true } : {}),
  };
}
