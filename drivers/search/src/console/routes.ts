import type { HttpRequest } from '@tabularium/sdk';

/** A request that the server knows. `:collection` and `:alias` stand for names. */
export interface Route {
  readonly method: HttpRequest['method'];
  readonly segments: readonly string[];
  readonly detail: string;
  /** Parameters of the query. */
  readonly parameters: readonly string[];
  /** Members of the body. */
  readonly members: readonly string[];
}

const SEARCH = [
  'q',
  'query_by',
  'filter_by',
  'sort_by',
  'per_page',
  'page',
  'limit',
  'offset',
  'facet_by',
  'max_facet_values',
  'group_by',
  'group_limit',
  'include_fields',
  'exclude_fields',
  'highlight_fields',
  'num_typos',
  'prefix',
  'infix',
  'use_cache',
] as const;

const SCHEMA = [
  'name',
  'fields',
  'default_sorting_field',
  'enable_nested_fields',
  'token_separators',
  'symbols_to_index',
] as const;
const FIELD = [
  'name',
  'type',
  'optional',
  'facet',
  'index',
  'sort',
  'infix',
  'locale',
  'store',
  'num_dim',
  'reference',
  'drop',
] as const;
const EXPORT = ['filter_by', 'include_fields', 'exclude_fields', 'batch_size'] as const;

function route(
  line: string,
  detail: string,
  { parameters = [], members = [] }: { parameters?: readonly string[]; members?: readonly string[] } = {},
): Route {
  const [method = 'GET', path = '/'] = line.split(' ');
  return { method: method as Route['method'], segments: path.slice(1).split('/'), detail, parameters, members };
}

/** The server's interface, what is used most first. */
export const ROUTES: readonly Route[] = [
  route('GET /collections', 'List collections', { parameters: ['exclude_fields', 'limit', 'offset'] }),
  route('GET /collections/:collection', 'Schema of a collection'),
  route('GET /collections/:collection/documents/search', 'Search a collection', { parameters: SEARCH }),
  route('POST /multi_search', 'Several searches', {
    parameters: SEARCH,
    members: ['searches', 'union', 'collection', ...SEARCH],
  }),
  route('GET /collections/:collection/documents/export', 'Export documents', { parameters: EXPORT }),
  route('GET /collections/:collection/documents/:id', 'One document'),
  route('POST /collections/:collection/documents', 'Insert a document', { parameters: ['action', 'dirty_values'] }),
  route('PATCH /collections/:collection/documents/:id', 'Change a document', { parameters: ['dirty_values'] }),
  route('DELETE /collections/:collection/documents/:id', 'Delete a document', { parameters: ['ignore_not_found'] }),
  route('PATCH /collections/:collection/documents', 'Change documents by a filter', {
    parameters: ['filter_by', 'dirty_values'],
  }),
  route('DELETE /collections/:collection/documents', 'Delete documents by a filter, or all', {
    parameters: ['filter_by', 'batch_size', 'truncate'],
  }),
  route('POST /collections/:collection/documents/import', 'Import documents, one a line', {
    parameters: ['action', 'batch_size', 'dirty_values', 'return_id', 'return_doc'],
  }),
  route('POST /collections', 'Create a collection', { parameters: ['src_name'], members: [...SCHEMA, ...FIELD] }),
  route('PATCH /collections/:collection', 'Change a schema', { members: ['fields', 'metadata', ...FIELD] }),
  route('DELETE /collections/:collection', 'Delete a collection'),
  route('GET /aliases', 'List aliases'),
  route('GET /aliases/:alias', 'One alias'),
  route('PUT /aliases/:alias', 'Point an alias at a collection', { members: ['collection_name'] }),
  route('DELETE /aliases/:alias', 'Delete an alias'),
  route('GET /keys', 'List API keys'),
  route('POST /keys', 'Add an API key', {
    members: ['description', 'actions', 'collections', 'expires_at', 'autodelete', 'value'],
  }),
  route('DELETE /keys/:id', 'Delete an API key'),
  route('GET /collections/:collection/synonyms', 'List synonyms'),
  route('PUT /collections/:collection/synonyms/:id', 'Write a synonym', { members: ['root', 'synonyms'] }),
  route('GET /collections/:collection/overrides', 'List curation rules'),
  route('GET /stopwords', 'List stopwords'),
  route('GET /presets', 'List presets'),
  route('GET /metrics.json', 'Memory, disk and processor'),
  route('GET /stats.json', 'Requests and latencies'),
  route('GET /health', 'Health of the server; needs no key'),
  route('GET /debug', 'Version and state'),
  route('POST /operations/db/compact', 'Compact the database'),
  route('POST /operations/cache/clear', 'Clear the cache'),
  route('POST /operations/snapshot', 'Write a snapshot', { parameters: ['snapshot_path'] }),
];

/** Parameters and members whose value names fields of a collection. */
export const FIELD_VALUES: ReadonlySet<string> = new Set([
  'query_by',
  'filter_by',
  'sort_by',
  'facet_by',
  'group_by',
  'include_fields',
  'exclude_fields',
  'highlight_fields',
  'default_sorting_field',
]);

/** Those whose value names a collection. */
export const COLLECTION_VALUES: ReadonlySet<string> = new Set(['collection', 'collection_name', 'collections', 'src_name']);

/** Those with a few values only. */
export const FIXED_VALUES: Readonly<Record<string, readonly string[]>> = {
  action: ['create', 'update', 'upsert', 'emplace'],
  dirty_values: ['coerce_or_reject', 'coerce_or_drop', 'drop', 'reject'],
  truncate: ['true'],
  q: ['*'],
  type: [
    'string',
    'string[]',
    'int32',
    'int32[]',
    'int64',
    'int64[]',
    'float',
    'float[]',
    'bool',
    'bool[]',
    'geopoint',
    'geopoint[]',
    'object',
    'object[]',
    'string*',
    'auto',
  ],
};
