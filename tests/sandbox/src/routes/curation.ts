import { badRequest, notFound } from '../errors.ts';
import { json } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { objectOf } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { Route } from '../router.ts';
import type { Features } from '../versions.ts';
import { newAnalyticsRoutes, oldAnalyticsRoutes } from './analytics.ts';
import { overrideRoutes } from './overrides.ts';
import { setRoutes } from './sets.ts';
import { synonymRoutes } from './synonyms.ts';
import { objectBody } from './requestBody.ts';

/** Named records that are kept and shown; searches do not act on them. */
interface RecordKind {
  readonly path: string;
  readonly resource: string;
  readonly idName: 'id' | 'name';
  readonly listName: string;
  readonly missing: (id: string) => string;
  readonly items: (call: Call) => Map<string, JsonObject>;
  readonly showOne?: (record: JsonObject) => JsonObject;
  /** Throws where a record is not as it has to be. */
  readonly check: (record: JsonObject) => void;
}

const routesOf = (kind: RecordKind): Route[] => {
  const required = (call: Call): { id: string; record: JsonObject } => {
    const id = call.captured['id'] ?? '';
    const record = kind.items(call).get(id);
    if (record === undefined) throw notFound(kind.missing(id));
    return { id, record };
  };
  const put = (call: Call): Answer => {
    const id = call.captured['id'] ?? '';
    const body = objectBody(call);
    kind.check(body);
    const record = objectOf([...Object.entries(body), [kind.idName, id]]);
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
    check: ({ value }) => {
      if (value === undefined) throw badRequest('Parameter `value` is required.');
    },
  },
  {
    path: '/stopwords',
    resource: 'stopwords',
    idName: 'id',
    listName: 'stopwords',
    missing: (id) => `Stopword \`${id}\` not found.`,
    items: (call) => call.engine.stopwords,
    showOne: (record) => objectOf([['stopwords', record]]),
    check: ({ locale, stopwords }) => {
      if (stopwords === undefined) throw badRequest('Parameter `stopwords` is required');
      if (!Array.isArray(stopwords) || !stopwords.every((word) => typeof word === 'string'))
        throw badRequest('Parameter `stopwords` is required as string array value');
      if (locale !== undefined && typeof locale !== 'string') throw badRequest('Parameter `locale` is required as string value');
    },
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
  ...(features.sets ? setRoutes : [...overrideRoutes, ...synonymRoutes]),
  ...(features.sets ? newAnalyticsRoutes : oldAnalyticsRoutes),
  empty('/limits', 'limits:list', '[]'),
  empty('/limits/active', 'limits/active:list', '[]'),
  empty('/conversations/models', 'conversations/models:list', '[]'),
  ...(features.schemaChangesRoute ? [empty('/stemming/dictionaries', 'stemming/dictionaries:list', '{"dictionaries":[]}')] : []),
  ...(features.truncate ? [empty('/nl_search_models', 'nl_search_models:list', '[]')] : []),
];
