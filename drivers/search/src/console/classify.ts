import { isDriverError } from '@tabularium/sdk';
import type { StatementClassification, StatementEffect } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import { isObject, textOf } from '../guards.ts';
import { aliasPath } from '../paths.ts';
import { tableRef } from '../tables.ts';
import type { ConsoleRequest } from './request.ts';

/**
 * What a request would do, from its method and path. Whatever is not known to read or to destroy is a write.
 *
 * @param request - undefined for text that is no request: nothing would be sent, but nothing is known of it either
 */
export function effectOf({ method, path, body }: ConsoleRequest): StatementEffect {
  switch (method) {
    case 'GET':
    case 'HEAD':
    case 'OPTIONS':
      return 'read';
    case 'DELETE':
      return 'destructive';
    case 'POST':
      return isSearch(path) ? 'read' : 'write';
    case 'PATCH':
      return dropsFields(path.segments, body) ? 'destructive' : 'write';
    case 'PUT':
      return 'write';
  }
}

/** Judged by the path as it is sent: whether a server decodes `/%6dulti_search` before it looks for a route is not known, and so a write. */
function isSearch({ encoded }: ConsoleRequest['path']): boolean {
  const [pathname = ''] = encoded.split('?', 1);
  return pathname === '/multi_search' || /^\/collections\/[^/]+\/documents\/search$/.test(pathname);
}

/** `PATCH /collections/:name` with `{"fields":[{"name":…,"drop":true}]}`; a body that cannot be read may do that as well. */
function dropsFields(segments: readonly string[], body: string): boolean {
  if (segments.length !== 2 || segments[0] !== 'collections') return false;
  const value = parsed(body);
  const fields = isObject(value) ? value['fields'] : undefined;
  return Array.isArray(fields) && fields.some((field: unknown) => isObject(field) && field['drop'] === true);
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** The collections that a request names, as written. */
function collectionsOf({ method, path, body }: ConsoleRequest): string[] {
  const [area, name] = path.segments;
  if (area === 'collections' && name !== undefined && name !== '') return [name];
  if (area === 'collections' && method === 'POST') return namesIn(parsed(body), 'name');
  if (area === 'aliases' && method === 'PUT') return namesIn(parsed(body), 'collection_name');
  if (area !== 'multi_search') return [];
  const value = parsed(body);
  const searches: unknown = isObject(value) ? value['searches'] : undefined;
  const fallback = path.query.get('collection');
  const names = Array.isArray(searches) ? searches.flatMap((search: unknown) => namesIn(search, 'collection')) : [];
  return [...new Set([...names, ...(fallback === null ? [] : [fallback])])];
}

function namesIn(value: unknown, member: string): string[] {
  const name = isObject(value) ? textOf(value, member) : undefined;
  return name === undefined || name === '' ? [] : [name];
}

/** What a request does, in words. Never a query or body: somebody may have written a key there. */
function summaryOf({ method, path }: ConsoleRequest, effect: StatementEffect, collection: string): string {
  const [area, name, part, id, ...more] = path.segments;
  const plain = `${method} /${path.segments.join('/')}`.slice(0, 500);
  if (effect === 'read' || more.length > 0) return plain;
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
      if (method === 'POST' && id === undefined) return `Write a document into ${collection}`;
      if (method === 'POST' && id === 'import') return `Import documents into ${collection}`;
    }
  }
  if (area === 'keys' && method === 'DELETE' && name !== undefined) return `Delete the API key number ${name}`;
  if (area === 'aliases' && method === 'DELETE' && name !== undefined) return `Delete the alias “${name}”`;
  if (method === 'POST' && path.segments.join('/') === 'operations/db/compact') return 'Compact the database';
  return plain;
}

/** The collection behind an alias; undefined when the name is none, or nobody may say. */
async function behindAlias(client: SearchClient, name: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { value } = await client.read(aliasPath(name), signal);
    return isObject(value) ? textOf(value, 'collection_name') : undefined;
  } catch (error) {
    if (isDriverError(error) && (error.code === 'NOT_FOUND' || error.code === 'ACCESS_REFUSED')) return undefined;
    throw error;
  }
}

/** A new key may bring its value, and any request may bring a key of its own, in the query or for a search in the body. */
function holdsSecret({ method, path, body }: ConsoleRequest): boolean {
  return (
    (method === 'POST' && path.segments[0] === 'keys') ||
    KEY_NAME.test(decodeURIComponent(String(path.query))) ||
    KEY_NAME.test(body)
  );
}

const KEY_NAME = /x-(?:typesense|search)-api-key/i;

export async function classifyRequest(
  request: ConsoleRequest,
  client: SearchClient,
  signal: AbortSignal,
): Promise<StatementClassification> {
  const effect = effectOf(request);
  const named = collectionsOf(request);
  const [first] = named;
  // What changes through an alias changes in the collection behind it: the person who confirms must read that name.
  const real =
    effect !== 'read' && request.path.segments[0] === 'collections' && first !== undefined
      ? await behindAlias(client, first, signal)
      : undefined;
  const shown = real === undefined ? `“${first ?? ''}”` : `“${real}” (behind the alias “${first ?? ''}”)`;
  return {
    effect,
    tables: (real === undefined ? named : [real]).map(tableRef),
    summary: summaryOf(request, effect, shown),
    ...(holdsSecret(request) ? { holdsSecret: true } : {}),
  };
}
