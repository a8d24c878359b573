import { badRequest } from '../errors.ts';
import { SILENCE, json } from '../http.ts';
import type { Call } from '../http.ts';
import { print } from '../json/print.ts';
import { tryParse } from '../json/parse.ts';
import type { JsonValue } from '../json/value.ts';
import type { Route } from '../router.ts';

const NUMBER = /^[0-9]+$/;

const parseBody = (call: Call): JsonValue => {
  const value = tryParse(call.body);
  if (value === undefined) throw badRequest('Bad JSON.');
  return value;
};

export const keyRoutes: Route[] = [
  { method: 'GET', path: '/keys', action: 'keys:list', handler: (call) => json(200, print(call.engine.keys.list())) },
  {
    method: 'POST',
    path: '/keys',
    action: 'keys:create',
    handler: (call) => json(201, print(call.engine.keys.create(parseBody(call)))),
  },
  {
    method: 'GET',
    path: '/keys/:id',
    action: 'keys:get',
    handler: (call) => {
      const id = call.captured['id'] ?? '';
      return NUMBER.test(id) ? json(200, print(call.engine.keys.get(Number(id)))) : SILENCE;
    },
  },
  {
    method: 'DELETE',
    path: '/keys/:id',
    action: 'keys:delete',
    handler: (call) => {
      const id = call.captured['id'] ?? '';
      if (!NUMBER.test(id)) throw badRequest('Bad request.');
      return json(200, print(call.engine.keys.remove(Number(id))));
    },
  },
];
