import type { HttpRequest } from '@tabularium/sdk';

/**
 * What a route does. `search`: reads, unless the search holds a conversation. `document`: writes documents, by its `action`. `schema`:
 * changes a schema, by its body. `replace`: writes what a name stands for, and loses what stood there before. `key`: creates an API key.
 */
export type RouteEffect = 'read' | 'search' | 'write' | 'document' | 'schema' | 'replace' | 'key' | 'destructive';

export interface KnownRoute {
  readonly effect: RouteEffect;
  /** The names that stand for segments of the path, such as `collection`. */
  readonly names: readonly string[];
  readonly pattern: string;
}

type Method = HttpRequest['method'];

/** The server's interface from 26.0 to 30, each route judged by what is lost, handed out or changed for the whole server. */
const ROUTES: readonly (readonly [method: Method, effect: RouteEffect, paths: string])[] = [
  [
    'GET',
    'read',
    `/collections /collections/:collection /collections/:collection/documents/export /collections/:collection/documents/:id
     /collections/:collection/overrides /collections/:collection/overrides/:id /collections/:collection/synonyms
     /collections/:collection/synonyms/:id /synonym_sets /synonym_sets/:name /synonym_sets/:name/items /synonym_sets/:name/items/:id
     /curation_sets /curation_sets/:name /curation_sets/:name/items /curation_sets/:name/items/:id /aliases /aliases/:alias /keys /keys/:id
     /presets /presets/:name /stopwords /stopwords/:name /stemming/dictionaries /stemming/dictionaries/:id /analytics/rules
     /analytics/rules/:name /analytics/events /analytics/status /conversations/models /conversations/models/:id /nl_search_models
     /nl_search_models/:id /personalization/models /personalization/models/:id /limits /limits/:id /limits/active /limits/exceeds
     /operations/schema_changes /health /health_with_rusage /debug /status /metrics.json /stats.json`,
  ],
  ['GET', 'search', '/collections/:collection/documents/search'],
  ['POST', 'search', '/multi_search'],
  ['POST', 'write', '/collections /analytics/events'],
  ['POST', 'document', '/collections/:collection/documents /collections/:collection/documents/import'],
  ['PATCH', 'document', '/collections/:collection/documents /collections/:collection/documents/:id'],
  ['PATCH', 'schema', '/collections/:collection'],
  [
    'PUT',
    'replace',
    `/aliases/:alias /presets/:name /stopwords/:name /collections/:collection/overrides/:id /collections/:collection/synonyms/:id
     /synonym_sets/:name /synonym_sets/:name/items/:id /curation_sets/:name /curation_sets/:name/items/:id`,
  ],
  ['POST', 'key', '/keys'],
  // Settings, models and operations of the whole server. `/proxy` sends any request that it is given from the server's network.
  [
    'POST',
    'destructive',
    `/operations/snapshot /operations/vote /operations/cache/clear /operations/db/compact /operations/reset_peers /config /limits
     /analytics/rules /analytics/flush /analytics/aggregate_events /conversations/models /nl_search_models /personalization/models
     /stemming/dictionaries/import /proxy /proxy_sse`,
  ],
  [
    'PUT',
    'destructive',
    `/analytics/rules/:name /conversations/models/:id /nl_search_models/:id /personalization/models/:id /limits/:id`,
  ],
];

interface Pattern extends KnownRoute {
  readonly method: Method;
  readonly parts: readonly string[];
}

let made: readonly Pattern[] | undefined;

/** Made at the first use: a session that never sees the console's text does without them. */
function patterns(): readonly Pattern[] {
  return (made ??= ROUTES.flatMap(([method, effect, paths]) =>
    paths
      .trim()
      .split(/\s+/)
      .map((pattern): Pattern => {
        const parts = pattern.slice(1).split('/');
        const names = parts.filter((part) => part.startsWith(':')).map((part) => part.slice(1));
        return { method, effect, pattern, parts, names };
      }),
  ));
}

function fits({ parts }: Pattern, raw: readonly string[]): boolean {
  return parts.length === raw.length && parts.every((part, index) => part.startsWith(':') || part === raw[index]);
}

/**
 * The route that the server finds for a path, undefined for one that the driver does not know. A server's own words beat names:
 * `/documents/export` is no document.
 *
 * @param raw - the segments as they are sent, without empty ones: the server compares them in their letter case and without decoding
 */
export function findRoute(method: Method, raw: readonly string[]): KnownRoute | undefined {
  const asked = method === 'HEAD' || method === 'OPTIONS' ? 'GET' : method;
  const found = patterns().filter((pattern) => pattern.method === asked && fits(pattern, raw));
  return found.toSorted((one, two) => one.names.length - two.names.length)[0];
}

/** The names that stand in a path, whatever the method: `collection` and `id` for `/collections/a/documents/b`. */
export function namesInPath(raw: readonly string[]): readonly string[] {
  // Of every method: a DELETE has no route of its own in the list, because every one of them is destructive.
  const named = patterns().filter((pattern) => pattern.names.length > 0 && fits(pattern, raw));
  return [...new Set(named.flatMap(({ names }) => names))];
}
