import type { HttpRequest } from '@tabularium/sdk';
import { EXPORT_PARAMETERS, FIELD_MEMBERS, IMPORT_PARAMETERS, SCHEMA_MEMBERS, SEARCH_PARAMETERS } from './parameters.ts';
import type { Parameter } from './parameters.ts';

/**
 * The effect of a route. `search`: a read, unless the search holds a conversation. `document`: writes documents, by its `action`. `schema`:
 * changes a schema, by its body. `create`: makes a collection, which hides an alias of its name. `replace`: writes what a name stands for, and loses its previous target. `key`: creates an API key.
 */
export type RouteEffect = 'read' | 'search' | 'write' | 'document' | 'schema' | 'create' | 'replace' | 'key' | 'destructive';

/** A request that servers know. */
export interface Route {
  readonly method: HttpRequest['method'];
  /** `:collection`, `:alias` and others stand for names. */
  readonly segments: readonly string[];
  readonly effect: RouteEffect;
  readonly detail: string;
  /** Parameters of the query. */
  readonly parameters: readonly Parameter[];
  /** Members of the body. */
  readonly members: readonly Parameter[];
  /** The first version that has it, and the first that has it no more, such as 28 or 27.01; undefined: all from 26.0 on. */
  readonly since?: number;
  readonly until?: number;
}

type Rest = Partial<Pick<Route, 'parameters' | 'members' | 'since' | 'until'>>;

function route(
  line: string,
  effect: RouteEffect,
  detail: string,
  { parameters = [], members = [], ...versions }: Rest = {},
): Route {
  const [method = 'GET', path = '/'] = line.split(' ');
  return {
    method: method as Route['method'],
    segments: path.slice(1).split('/'),
    effect,
    detail,
    parameters,
    members,
    ...versions,
  };
}

const names = (...list: string[]): Parameter[] => list.map((name) => ({ name }));

const RULE_29 = {
  until: 30,
  members: names('type', 'params', 'source', 'destination', 'collections', 'collection', 'limit', 'events'),
};
const RULE_30 = {
  since: 30,
  members: names(
    'name',
    'type',
    'collection',
    'event_type',
    'rule_tag',
    'params',
    'destination_collection',
    'limit',
    'expand_query',
    'capture_search_requests',
    'meta_fields',
    'counter_field',
    'weight',
  ),
};
const CURATION = names(
  'rule',
  'query',
  'match',
  'tags',
  'includes',
  'excludes',
  'filter_by',
  'sort_by',
  'replace_query',
  'remove_matched_tokens',
  'filter_curated_hits',
  'stop_processing',
  'effective_from_ts',
  'effective_to_ts',
  'metadata',
  'id',
  'position',
);
const SYNONYM = names('root', 'synonyms', 'locale', 'symbols_to_index');
const MODEL = names('model_name', 'api_key', 'system_prompt', 'max_bytes', 'temperature', 'account_id');
const PAGED = names('limit', 'offset');

let made: readonly Route[] | undefined;

/**
 * The server's interface from 26.0 to 30, what is used most first; each route is judged by what is lost, handed out or changed for the whole
 * server. Every method and path was asked of 29.0 and 30.0-dev; older versions are as their recordings and documentation say. Made at the
 * first use: a session that never sees the console's text does without them.
 */
export function routes(): readonly Route[] {
  return (made ??= [
    route('GET /collections', 'read', 'List collections', { parameters: names('exclude_fields', 'limit', 'offset') }),
    route('GET /collections/:collection', 'read', 'Schema of a collection'),
    route('GET /collections/:collection/documents/search', 'search', 'Search a collection', { parameters: SEARCH_PARAMETERS }),
    route('POST /multi_search', 'search', 'Several searches', {
      parameters: [...SEARCH_PARAMETERS, ...names('limit_multi_searches')],
      members: [
        ...names('searches'),
        { name: 'union', since: 28 },
        { name: 'remove_duplicates', since: 30 },
        ...names('collection'),
        ...SEARCH_PARAMETERS,
      ],
    }),
    route('GET /collections/:collection/documents/export', 'read', 'Export documents', { parameters: EXPORT_PARAMETERS }),
    route('GET /collections/:collection/documents/:id', 'read', 'One document', {
      parameters: names('include_fields', 'exclude_fields'),
    }),
    route('POST /collections/:collection/documents', 'document', 'Insert a document', {
      parameters: names('action', 'dirty_values'),
    }),
    route('PATCH /collections/:collection/documents/:id', 'document', 'Change a document', { parameters: names('dirty_values') }),
    route('DELETE /collections/:collection/documents/:id', 'destructive', 'Delete a document', {
      parameters: names('ignore_not_found'),
    }),
    route('PATCH /collections/:collection/documents', 'document', 'Change documents by a filter', {
      parameters: names('filter_by', 'dirty_values'),
    }),
    route('DELETE /collections/:collection/documents', 'destructive', 'Delete documents by a filter, or all', {
      parameters: [...names('filter_by', 'batch_size'), { name: 'truncate', since: 29 }],
    }),
    route('POST /collections/:collection/documents/import', 'document', 'Import documents, one a line', {
      parameters: IMPORT_PARAMETERS,
    }),
    route('POST /collections', 'create', 'Create a collection', {
      parameters: [{ name: 'src_name' }, { name: 'copy_documents', since: 30 }],
      members: [...SCHEMA_MEMBERS, ...FIELD_MEMBERS],
    }),
    route('PATCH /collections/:collection', 'schema', 'Change a schema', {
      members: [
        ...names('fields', 'metadata'),
        { name: 'synonym_sets', since: 30 },
        { name: 'curation_sets', since: 30 },
        ...names('drop'),
        ...FIELD_MEMBERS,
      ],
    }),
    route('DELETE /collections/:collection', 'destructive', 'Delete a collection', { parameters: names('compact_store') }),
    route('GET /aliases', 'read', 'List aliases'),
    route('GET /aliases/:alias', 'read', 'One alias'),
    route('PUT /aliases/:alias', 'replace', 'Point an alias at a collection', { members: names('collection_name') }),
    route('DELETE /aliases/:alias', 'destructive', 'Delete an alias'),
    route('GET /keys', 'read', 'List API keys'),
    route('GET /keys/:id', 'read', 'One API key'),
    route('POST /keys', 'key', 'Add an API key', {
      members: names('description', 'actions', 'collections', 'expires_at', 'autodelete', 'value'),
    }),
    route('DELETE /keys/:id', 'destructive', 'Delete an API key'),
    route('GET /collections/:collection/synonyms', 'read', 'List synonyms', { until: 30, parameters: PAGED }),
    route('GET /collections/:collection/synonyms/:id', 'read', 'One synonym', { until: 30 }),
    route('PUT /collections/:collection/synonyms/:id', 'replace', 'Write a synonym', { until: 30, members: SYNONYM }),
    route('DELETE /collections/:collection/synonyms/:id', 'destructive', 'Delete a synonym', { until: 30 }),
    route('GET /collections/:collection/overrides', 'read', 'List curation rules', { until: 30, parameters: PAGED }),
    route('GET /collections/:collection/overrides/:id', 'read', 'One curation rule', { until: 30 }),
    route('PUT /collections/:collection/overrides/:id', 'replace', 'Write a curation rule', { until: 30, members: CURATION }),
    route('DELETE /collections/:collection/overrides/:id', 'destructive', 'Delete a curation rule', { until: 30 }),
    route('GET /synonym_sets', 'read', 'List sets of synonyms', { since: 30 }),
    route('GET /synonym_sets/:name', 'read', 'One set of synonyms', { since: 30 }),
    route('PUT /synonym_sets/:name', 'replace', 'Write a set of synonyms', {
      since: 30,
      members: [...names('items', 'id'), ...SYNONYM],
    }),
    route('DELETE /synonym_sets/:name', 'destructive', 'Delete a set of synonyms; unlink it from its collections first', {
      since: 30,
    }),
    route('GET /synonym_sets/:name/items', 'read', 'Synonyms of a set', { since: 30, parameters: PAGED }),
    route('GET /synonym_sets/:name/items/:id', 'read', 'One synonym of a set', { since: 30 }),
    route('PUT /synonym_sets/:name/items/:id', 'replace', 'Write a synonym of a set', { since: 30, members: SYNONYM }),
    route('DELETE /synonym_sets/:name/items/:id', 'destructive', 'Delete a synonym of a set', { since: 30 }),
    route('GET /curation_sets', 'read', 'List sets of curation rules', { since: 30 }),
    route('GET /curation_sets/:name', 'read', 'One set of curation rules', { since: 30 }),
    route('PUT /curation_sets/:name', 'replace', 'Write a set of curation rules', {
      since: 30,
      members: [...names('items'), ...CURATION],
    }),
    route('DELETE /curation_sets/:name', 'destructive', 'Delete a set of curation rules; unlink it from its collections first', {
      since: 30,
    }),
    route('GET /curation_sets/:name/items', 'read', 'Curation rules of a set', { since: 30, parameters: PAGED }),
    route('GET /curation_sets/:name/items/:id', 'read', 'One curation rule of a set', { since: 30 }),
    route('PUT /curation_sets/:name/items/:id', 'replace', 'Write a curation rule of a set', { since: 30, members: CURATION }),
    route('DELETE /curation_sets/:name/items/:id', 'destructive', 'Delete a curation rule of a set', { since: 30 }),
    route('GET /stopwords', 'read', 'List stopwords'),
    route('GET /stopwords/:name', 'read', 'One set of stopwords'),
    route('PUT /stopwords/:name', 'replace', 'Write a set of stopwords', { members: names('stopwords', 'locale') }),
    route('DELETE /stopwords/:name', 'destructive', 'Delete a set of stopwords'),
    route('GET /presets', 'read', 'List presets'),
    route('GET /presets/:name', 'read', 'One preset'),
    route('PUT /presets/:name', 'replace', 'Write a preset', {
      members: [...names('value', 'searches', 'collection'), ...SEARCH_PARAMETERS],
    }),
    route('DELETE /presets/:name', 'destructive', 'Delete a preset'),
    route('GET /stemming/dictionaries', 'read', 'List stemming dictionaries', { since: 28 }),
    route('GET /stemming/dictionaries/:id', 'read', 'One stemming dictionary', { since: 28 }),
    route('POST /stemming/dictionaries/import', 'destructive', 'Write a stemming dictionary', {
      since: 28,
      parameters: names('id'),
    }),
    route('DELETE /stemming/dictionaries/:id', 'destructive', 'Delete a stemming dictionary', { since: 28 }),
    route('GET /analytics/rules', 'read', 'List analytics rules', { parameters: [{ name: 'rule_tag', since: 30 }] }),
    route('GET /analytics/rules/:name', 'read', 'One analytics rule'),
    route('POST /analytics/rules', 'destructive', 'Add an analytics rule', RULE_29),
    route('POST /analytics/rules', 'destructive', 'Add an analytics rule', RULE_30),
    route('PUT /analytics/rules/:name', 'destructive', 'Write an analytics rule', RULE_29),
    route('PUT /analytics/rules/:name', 'destructive', 'Write an analytics rule', RULE_30),
    route('DELETE /analytics/rules/:name', 'destructive', 'Delete an analytics rule'),
    route('GET /analytics/events', 'read', 'Events of a user', { parameters: names('user_id', 'name', 'n') }),
    route('POST /analytics/events', 'write', 'Send an event', {
      members: [
        { name: 'type', until: 30 },
        ...names('name'),
        { name: 'event_type', since: 30 },
        ...names('data', 'user_id', 'doc_id', 'q'),
      ],
    }),
    route('GET /analytics/status', 'read', 'State of analytics', { since: 30 }),
    route('POST /analytics/flush', 'destructive', 'Write counted queries now', { since: 30 }),
    route('POST /analytics/aggregate_events', 'destructive', 'Aggregate events', { since: 28 }),
    route('GET /conversations/models', 'read', 'List conversation models'),
    route('GET /conversations/models/:id', 'read', 'One conversation model'),
    route('POST /conversations/models', 'destructive', 'Add a conversation model', {
      members: [...names('id', 'history_collection', 'ttl'), ...MODEL],
    }),
    route('PUT /conversations/models/:id', 'destructive', 'Change a conversation model', { members: MODEL }),
    route('DELETE /conversations/models/:id', 'destructive', 'Delete a conversation model'),
    route('GET /nl_search_models', 'read', 'List natural language models', { since: 29 }),
    route('GET /nl_search_models/:id', 'read', 'One natural language model', { since: 29 }),
    route('POST /nl_search_models', 'destructive', 'Add a natural language model', {
      since: 29,
      members: [...names('id'), ...MODEL],
    }),
    route('PUT /nl_search_models/:id', 'destructive', 'Change a natural language model', { since: 29, members: MODEL }),
    route('DELETE /nl_search_models/:id', 'destructive', 'Delete a natural language model', { since: 29 }),
    route('GET /personalization/models', 'read', 'List personalization models', { since: 28 }),
    route('GET /personalization/models/:id', 'read', 'One personalization model', { since: 28 }),
    route('POST /personalization/models', 'destructive', 'Add a personalization model', {
      since: 28,
      parameters: names('id', 'name', 'collection', 'type'),
    }),
    route('PUT /personalization/models/:id', 'destructive', 'Change a personalization model', { since: 28 }),
    route('DELETE /personalization/models/:id', 'destructive', 'Delete a personalization model', { since: 28 }),
    route('GET /limits', 'read', 'List rate limits'),
    route('GET /limits/active', 'read', 'Active throttles'),
    route('GET /limits/exceeds', 'read', 'Exceeded rate limits'),
    route('GET /limits/:id', 'read', 'One rate limit'),
    route('POST /limits', 'destructive', 'Add a rate limit', {
      members: names('action', 'api_keys', 'ip_addresses', 'max_requests_1m', 'max_requests_1h'),
    }),
    route('PUT /limits/:id', 'destructive', 'Change a rate limit'),
    route('DELETE /limits/:id', 'destructive', 'Delete a rate limit'),
    route('DELETE /limits/active/:id', 'destructive', 'End a throttle'),
    route('DELETE /limits/exceeds/:id', 'destructive', 'Forget an exceeded limit'),
    route('GET /metrics.json', 'read', 'Memory, disk and processor'),
    route('GET /stats.json', 'read', 'Requests and latencies'),
    route('GET /health', 'read', 'Health of the server; needs no key'),
    route('GET /health_with_rusage', 'read', 'Health of the server, and what it uses'),
    route('GET /debug', 'read', 'Version and state'),
    route('GET /status', 'read', 'State of this node in its cluster'),
    route('GET /operations/schema_changes', 'read', 'Schema changes in progress', { since: 28 }),
    route('POST /operations/db/compact', 'destructive', 'Compact the database'),
    route('POST /operations/cache/clear', 'destructive', 'Clear the cache'),
    route('POST /operations/snapshot', 'destructive', 'Write a snapshot', { parameters: names('snapshot_path') }),
    route('POST /operations/vote', 'destructive', 'Elect a new leader'),
    route('POST /operations/reset_peers', 'destructive', 'Read the list of nodes again'),
    route('POST /config', 'destructive', 'Change a setting of the server', { members: names('log-slow-requests-time-ms') }),
    // They send any request that they are given from the server's network.
    route('POST /proxy', 'destructive', 'Send a request from the server'),
    route('POST /proxy_sse', 'destructive', 'Send a request from the server, and stream its answer'),
  ]);
}
