import type { OperationPreset } from '@tabularium/sdk';

const SCHEMAS = {
  products: {
    name: 'products',
    fields: [
      { name: 'name', type: 'string', infix: true },
      { name: 'description', type: 'string', optional: true, stem: true },
      { name: 'brand', type: 'string', facet: true, optional: true },
      { name: 'categories', type: 'string[]', facet: true, optional: true },
      { name: 'price', type: 'float', facet: true },
      { name: 'in_stock', type: 'bool', facet: true, optional: true },
      { name: 'rating', type: 'float', optional: true },
      { name: 'popularity', type: 'int32' },
    ],
    default_sorting_field: 'popularity',
  },
  articles: {
    name: 'articles',
    fields: [
      { name: 'title', type: 'string' },
      { name: 'body', type: 'string', stem: true },
      { name: 'author', type: 'string', facet: true, optional: true },
      { name: 'tags', type: 'string[]', facet: true, optional: true },
      { name: 'published_at', type: 'int64' },
    ],
    default_sorting_field: 'published_at',
  },
  logs: {
    name: 'logs',
    fields: [
      { name: 'message', type: 'string' },
      { name: 'level', type: 'string', facet: true },
      { name: 'service', type: 'string', facet: true, optional: true },
      { name: 'logged_at', type: 'int64' },
      { name: '.*', type: 'auto' },
    ],
    default_sorting_field: 'logged_at',
    enable_nested_fields: true,
  },
} as const;

const LABELS = { products: 'Products', articles: 'Articles', logs: 'Logs' } as const;

/** Schemas to begin with. */
export const SCHEMA_PRESETS: readonly OperationPreset[] = (['products', 'articles', 'logs'] as const).map((id) => ({
  id,
  label: LABELS[id],
  document: JSON.stringify(SCHEMAS[id], null, 2),
  texts: { label: { id: `operationPreset.${id}` } },
}));

/** A new schema, before anything was chosen: it learns its fields from the first documents. */
export const EMPTY_SCHEMA = JSON.stringify({ name: '', fields: [{ name: '.*', type: 'auto' }] }, null, 2);
