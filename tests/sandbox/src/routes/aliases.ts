import { ApiError, badRequest, notFound } from '../errors.ts';
import { json } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { tryParse } from '../json/parse.ts';
import { isObject, objectOf } from '../json/value.ts';
import type { JsonObject } from '../json/value.ts';
import type { Route } from '../router.ts';

const show = (name: string, collection: string): JsonObject =>
  objectOf([
    ['collection_name', collection],
    ['name', name],
  ]);

const required = (call: Call): { name: string; collection: string } => {
  const name = call.captured['alias'] ?? '';
  const collection = call.engine.aliases.get(name);
  if (collection === undefined) throw notFound(call.engine.features.routeNotFound);
  return { name, collection };
};

/** An alias may point to a collection that is not there (yet). */
const putAlias = (call: Call): Answer => {
  const name = call.captured['alias'] ?? '';
  const source = tryParse(call.body);
  if (source === undefined) throw badRequest('Bad JSON.');
  const collection = isObject(source) ? source['collection_name'] : undefined;
  if (collection === undefined) throw badRequest('Parameter `collection_name` is required.');
  if (typeof collection !== 'string') throw badRequest('Bad request.');
  if (call.engine.ownName(name)) throw new ApiError(500, `Name \`${name}\` conflicts with an existing collection name.`);
  call.engine.aliases.set(name, collection);
  return json(200, print(show(name, collection)));
};

export const aliasRoutes: Route[] = [
  {
    method: 'GET',
    path: '/aliases',
    action: 'aliases:list',
    handler: (call) => {
      const sorted = [...call.engine.aliases].sort(([left], [right]) => (left < right ? -1 : 1));
      return json(200, print(objectOf([['aliases', sorted.map(([name, collection]) => show(name, collection))]])));
    },
  },
  {
    method: 'GET',
    path: '/aliases/:alias',
    action: 'aliases:get',
    handler: (call) => {
      const { collection, name } = required(call);
      return json(200, print(show(name, collection)));
    },
  },
  { method: 'PUT', path: '/aliases/:alias', action: 'aliases:upsert', handler: putAlias },
  {
    method: 'DELETE',
    path: '/aliases/:alias',
    action: 'aliases:delete',
    handler: (call) => {
      const { collection, name } = required(call);
      call.engine.aliases.delete(name);
      return json(200, print(show(name, collection)));
    },
  },
];
