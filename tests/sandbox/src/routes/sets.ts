import { readRule, showRule } from '../curation/rule.ts';
import { byId } from '../engine.ts';
import type { Engine } from '../engine.ts';
import { badRequest, notFound } from '../errors.ts';
import { json } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { isObject, objectOf } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Route } from '../router.ts';
import { readSynonym, showSynonym } from '../synonyms/synonym.ts';
import { objectBody, pageOf } from './requestBody.ts';

interface Identified {
  readonly id: string;
}

/** One kind of set: what its items are and what the server says about them. */
interface SetKind<T extends Identified> {
  readonly path: string;
  readonly missing: string;
  readonly idMissing: string;
  readonly sets: (engine: Engine) => Map<string, Map<string, T>>;
  readonly read: (id: string, source: JsonObject) => T;
  readonly show: (item: T) => JsonObject;
  /** Rules are kept in the order of their ids, synonyms as they come. */
  readonly sorted: boolean;
  /** An item is looked at before its id is missed, or the other way round. */
  readonly readsFirst: boolean;
}

const routesOf = <T extends Identified>(kind: SetKind<T>): Route[] => {
  const resource = kind.path.slice(1);
  const one = `${kind.path}/:set`;
  const items = `${one}/items`;
  const item = `${items}/:id`;

  const itemsOf = (set: ReadonlyMap<string, T>): T[] => (kind.sorted ? byId(set) : [...set.values()]);
  const showSet = (name: string, set: ReadonlyMap<string, T>): JsonObject =>
    objectOf([
      ['items', itemsOf(set).map(kind.show)],
      ['name', name],
    ]);
  const nameOf = (call: Call): string => call.captured['set'] ?? '';
  const idOf = (call: Call): string => call.captured['id'] ?? '';
  const required = (call: Call): Map<string, T> => {
    const set = kind.sets(call.engine).get(nameOf(call));
    if (set === undefined) throw notFound(kind.missing);
    return set;
  };

  const readItem = (source: JsonValue): T => {
    const given = isObject(source) ? source : undefined;
    const id = given?.['id'];
    if (typeof id !== 'string' && !kind.readsFirst) throw badRequest(kind.idMissing);
    if (given === undefined) throw badRequest('Bad request.');
    const read = kind.read(typeof id === 'string' ? id : '', given);
    if (typeof id !== 'string') throw badRequest(kind.idMissing);
    return read;
  };
  const putSet = (call: Call): Answer => {
    const source = objectBody(call)['items'];
    if (!Array.isArray(source)) throw badRequest("Missing or invalid 'items' field");
    const set = new Map(source.map((each) => readItem(each)).map((read) => [read.id, read]));
    kind.sets(call.engine).set(nameOf(call), set);
    return json(200, print(showSet(nameOf(call), set)));
  };
  const putItem = (call: Call): Answer => {
    const set = required(call);
    const source = objectBody(call);
    set.set(idOf(call), kind.read(idOf(call), source));
    return json(200, print(objectOf([...Object.entries(source), ['id', idOf(call)]])));
  };
  const getItem = (call: Call): Answer => {
    const found = required(call).get(idOf(call));
    if (found === undefined) throw notFound('Not Found');
    return json(200, print(kind.show(found)));
  };
  const deleteItem = (call: Call): Answer => {
    if (!required(call).delete(idOf(call))) throw notFound('Could not find that `id`.');
    return json(200, print(objectOf([['id', idOf(call)]])));
  };
  const deleteSet = (call: Call): Answer => {
    required(call);
    kind.sets(call.engine).delete(nameOf(call));
    return json(200, print(objectOf([['name', nameOf(call)]])));
  };
  const listSets = (call: Call): Answer => {
    const named = [...kind.sets(call.engine)].reverse();
    return json(200, print(named.map(([name, set]) => showSet(name, set))));
  };
  const listItems = (call: Call): Answer => json(200, print(pageOf(call, itemsOf(required(call))).map(kind.show)));

  return [
    { method: 'GET', path: kind.path, action: `${resource}:list`, handler: listSets },
    {
      method: 'GET',
      path: one,
      action: `${resource}:get`,
      handler: (call) => json(200, print(showSet(nameOf(call), required(call)))),
    },
    { method: 'PUT', path: one, action: `${resource}:upsert`, handler: putSet },
    { method: 'DELETE', path: one, action: `${resource}:delete`, handler: deleteSet },
    { method: 'GET', path: items, action: `${resource}/items:get`, handler: listItems },
    { method: 'GET', path: item, action: `${resource}/items:get`, handler: getItem },
    { method: 'PUT', path: item, action: `${resource}/items:upsert`, handler: putItem },
    { method: 'DELETE', path: item, action: `${resource}/items:delete`, handler: deleteItem },
  ];
};

/** From version 30 synonyms and curation rules are in sets of their own, which collections name. */
export const setRoutes: Route[] = [
  ...routesOf({
    path: '/synonym_sets',
    missing: 'Synonym index not found',
    idMissing: 'Missing `id` field.',
    sets: (engine) => engine.synonymSets,
    read: (id, source) => readSynonym(id, source),
    show: showSynonym,
    sorted: false,
    readsFirst: false,
  }),
  ...routesOf({
    path: '/curation_sets',
    missing: 'Curation index not found',
    idMissing: 'Curation `id` not provided.',
    sets: (engine) => engine.curationSets,
    read: (id, source) => readRule(id, source, true),
    show: showRule,
    sorted: true,
    readsFirst: true,
  }),
];
