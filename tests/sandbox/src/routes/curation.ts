import { badRequest, notFound } from '../errors.ts';
import { json } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { tryParse } from '../json/parse.ts';
import { isObject, objectOf } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { Route } from '../router.ts';
import type { Features } from '../versions.ts';
import { requireCollection } from './collections.ts';

/** Named records that are kept and shown; searches do not act on them. */
interface RecordKind {
  readonly path: string;
  readonly resource: string;
  readonly idName: 'id' | 'name';
  readonly listName: string;
  readonly missing: (id: string) => string;
  readonly items: (call: Call) => Map<string, JsonObject>;
  readonly defaults?: JsonObject;
  readonly showOne?: (record: JsonObject) => JsonObject;
}

const body = (call: Call): JsonObject => {
  const source = tryParse(call.body);
  if (source === undefined || !isObject(source)) throw badRequest('Bad JSON.');
  return source;
};

const routesOf = (kind: RecordKind): Route[] => {
  const required = (call: Call): { id: string; record: JsonObject } => {
    const id = call.captured['id'] ?? '';
    const record = kind.items(call).get(id);
    if (record === undefined) throw notFound(kind.missing(id));
    return { id, record };
  };
  const put = (call: Call): Answer => {
    const id = call.captured['id'] ?? '';
    const record = objectOf([...Object.entries(kind.defaults ?? {}), ...Object.entries(body(call)), [kind.idName, id]]);
    kind.items(call).set(id, record);
    return json(200, print(record));
  };
  const one = `${kind.path}/:id`;
  return [
    {
      method: 'GET',
      path: kind.path,
      action: `${kind.resource}:list`,
      handler: (call) => json(200, print(objectOf([[kind.listName, [...kind.items(call).values()]]]))),
    },
    {
      method: 'GET',
      path: one,
      action: `${kind.resource}:get`,
      handler: (call) => {
        const { record } = required(call);
        return json(200, print(kind.showOne?.(record) ?? record));
      },
    },
    { method: 'PUT', path: one, action: `${kind.resource}:upsert`, handler: put },
    {
      method: 'DELETE',
      path: one,
      action: `${kind.resource}:delete`,
      handler: (call) => {
        const { id, record } = required(call);
        kind.items(call).delete(id);
        return json(200, print(kind.idName === 'name' ? record : objectOf([['id', id]])));
      },
    },
  ];
};

const kinds: readonly RecordKind[] = [
  {
    path: '/presets',
    resource: 'presets',
    idName: 'name',
    listName: 'presets',
    missing: () => 'Not found.',
    items: (call) => call.engine.presets,
  },
  {
    path: '/stopwords',
    resource: 'stopwords',
    idName: 'id',
    listName: 'stopwords',
    missing: (id) => `Stopword \`${id}\` not found.`,
    items: (call) => call.engine.stopwords,
    showOne: (record) => objectOf([['stopwords', record]]),
  },
  {
    path: '/analytics/rules',
    resource: 'analytics/rules',
    idName: 'name',
    listName: 'rules',
    missing: () => 'Rule not found.',
    items: (call) => call.engine.analyticsRules,
  },
  {
    path: '/collections/:collection/synonyms',
    resource: 'synonyms',
    idName: 'id',
    listName: 'synonyms',
    missing: () => 'Could not find that `id`.',
    items: (call) => call.engine.curation(requireCollection(call)).synonyms,
    defaults: { root: '' },
  },
  {
    path: '/collections/:collection/overrides',
    resource: 'overrides',
    idName: 'id',
    listName: 'overrides',
    missing: () => 'Could not find that `id`.',
    items: (call) => call.engine.curation(requireCollection(call)).overrides,
  },
];

const empty = (path: string, action: string, shown: string): Route => ({
  method: 'GET',
  path,
  action,
  handler: () => json(200, shown),
});

export const curationRoutes = (features: Features): Route[] => [
  ...kinds.flatMap(routesOf),
  { method: 'POST', path: '/analytics/events', action: 'analytics/events:create', handler: () => json(200, '{"ok":true}') },
  empty('/limits', 'limits:list', '[]'),
  empty('/limits/active', 'limits/active:list', '[]'),
  empty('/conversations/models', 'conversations/models:list', '[]'),
  ...(features.schemaChangesRoute ? [empty('/stemming/dictionaries', 'stemming/dictionaries:list', '{"dictionaries":[]}')] : []),
  ...(features.truncate ? [empty('/nl_search_models', 'nl_search_models:list', '[]')] : []),
];
