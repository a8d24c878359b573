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
    'geopolygon',
    'string*',
    'auto',
    'image',
  ],
};
