import { sentSegments } from './paths.ts';

const DOCUMENT_ACTIONS: Readonly<Record<string, string>> = { GET: 'get', POST: 'create', PATCH: 'update', DELETE: 'delete' };
const LIST_ACTIONS: Readonly<Record<string, string>> = { GET: 'list', POST: 'create' };
const ENTRY_ACTIONS: Readonly<Record<string, string>> = { GET: 'get', PUT: 'upsert', PATCH: 'update', DELETE: 'delete' };

/** The permission of a key that a request needs: an action, on a collection where one is named. */
export interface NeededAction {
  readonly action: string;
  readonly collection?: string;
}

/**
 * The action that servers ask a key for, read from what real ones of 29.0 and 30.0 let pass. Their answer to a key without it is the same as to a
 * wrong key, so only the request says what is missing. Undefined for a route that is not known here.
 */
export function neededAction(method: string, path: string, searched?: string): NeededAction | undefined {
  const [route = '', name, part, entry] = segmentsOf(path);
  if (route === 'multi_search')
    return { action: 'documents:search', ...(searched === undefined || searched === '' ? {} : { collection: searched }) };
  if (route === 'collections') {
    if (name === undefined) return of('collections', LIST_ACTIONS, method);
    if (part === undefined) return of('collections', ENTRY_ACTIONS, method, name);
    if (part !== 'documents') return undefined;
    const verb = entry === 'search' || entry === 'export' || entry === 'import' ? entry : DOCUMENT_ACTIONS[method];
    return verb === undefined ? undefined : { action: `documents:${verb}`, collection: name };
  }
  if (route === 'aliases' || route === 'keys') return of(route, name === undefined ? LIST_ACTIONS : ENTRY_ACTIONS, method);
  if (route === 'metrics.json' || route === 'stats.json' || route === 'status' || route === 'debug')
    return { action: `${route}:list` };
  return undefined;
}

function of(
  resource: string,
  actions: Readonly<Record<string, string>>,
  method: string,
  collection?: string,
): NeededAction | undefined {
  const verb = actions[method];
  if (verb === undefined) return undefined;
  return { action: `${resource}:${verb}`, ...(collection === undefined ? {} : { collection }) };
}

/** Servers pass over empty segments. A path of the console may hold text that isn't a valid encoding. */
function segmentsOf(path: string): string[] {
  try {
    return sentSegments(path).filter((segment) => segment !== '');
  } catch {
    return [];
  }
}
