import { ApiError, badRequest, notFound } from '../errors.ts';
import type { Engine } from '../engine.ts';
import { json } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { tryParse } from '../json/parse.ts';
import { isObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { allowsCollection } from '../keys.ts';
import type { Route } from '../router.ts';
import { alter } from '../schema/alter.ts';
import { isArrayType, isNumericType, readField } from '../schema/field.ts';
import type { Field } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';
import { idOf } from '../store/writer.ts';
import type { Features } from '../versions.ts';
import { readCollectionSets } from './collectionSets.ts';

const MILLISECONDS = 1000;

export const requireCollection = (call: Call): Collection => {
  const collection = call.engine.collection(call.captured['collection'] ?? '');
  if (collection === undefined) throw notFound(call.engine.features.routeNotFound);
  return collection;
};

const parseBody = (call: Call): JsonValue => {
  const value = tryParse(call.body);
  if (value === undefined) throw badRequest('Bad JSON.');
  return value;
};

const unsigned = (call: Call, name: 'limit' | 'offset'): number | undefined => {
  const text = call.params.get(name);
  if (text === undefined) return undefined;
  if (!/^[0-9]+$/.test(text)) {
    throw badRequest(`${name === 'limit' ? 'Limit' : 'Offset'} param should be unsigned integer.`);
  }
  return Number(text);
};

const listCollections = (call: Call): Answer => {
  const { features } = call.engine;
  const visible = features.listByKey ? call.engine.keys.visibleCollections(call.key) : ['*'];
  const limit = unsigned(call, 'limit');
  const offset = unsigned(call, 'offset') ?? 0;
  const all = [...call.engine.collections];
  if (offset > 0 && offset >= all.length) throw badRequest('Invalid offset param.');
  // The page is taken of all collections, and what the key does not reach is left out of it.
  const page = limit === undefined ? all.slice(offset) : all.slice(offset, offset + limit);
  const shown = page.filter(({ name }) => allowsCollection(visible, name));
  const excluded = (call.params.get('exclude_fields') ?? '').split(',').map((name) => name.trim());
  const hides = features.listExcludeFields ? new Set(excluded) : new Set<string>();
  const summaries = shown.map((collection) => {
    const summary = collection.summary(features, !hides.has('fields'));
    for (const name of hides) delete summary[name];
    return summary;
  });
  return json(200, print(summaries));
};

const readFields = (source: JsonValue | undefined, enableNested: boolean, features: Features): Field[] => {
  if (source === undefined) throw badRequest('Parameter `fields` is required.');
  if (!Array.isArray(source) || source.length === 0) {
    throw badRequest(
      'The `fields` value should be an array of objects containing `name`, `type` and optionally, `facet` properties.',
    );
  }
  const fields = source.flatMap((item) => readField(item, enableNested, features.sets) ?? []);
  if (features.sets && fields.some(({ name }) => name === '')) throw badRequest('Field name cannot be empty.');
  if (new Set(fields.map(({ name }) => name)).size !== fields.length) {
    throw badRequest('There are duplicate field names in the schema.');
  }
  return fields;
};

const checkDefaultSort = (name: string, fields: readonly Field[]): void => {
  const field = fields.find((candidate) => candidate.name === name);
  if (name === '' && field === undefined) return;
  if (field === undefined) throw badRequest(`Default sorting field is defined as \`${name}\` but is not found in the schema.`);
  const isSortable = field.sort && !isArrayType(field.type) && (isNumericType(field.type) || field.type === 'string');
  if (!isSortable) throw badRequest(`Default sorting field \`${name}\` is not a sortable type.`);
};

const strings = (source: JsonObject, name: string): string[] => {
  const value = source[name];
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw badRequest(`Parameter \`${name}\` should be an array of character symbols.`);
  return value.map((item) => {
    if (typeof item !== 'string' || item.length !== 1) {
      throw badRequest(`Parameter \`${name}\` should be an array of character symbols.`);
    }
    return item;
  });
};

const checkSymbols = (source: JsonObject): void => {
  for (const name of ['symbols_to_index', 'token_separators']) {
    const value = source[name] ?? [];
    if (!Array.isArray(value) || value.some((item) => typeof item !== 'string' || [...item].length !== 1))
      throw badRequest(`\`${name}\` should be an array of character symbols.`);
  }
  if (source['metadata'] !== undefined && !isObject(source['metadata']))
    throw badRequest('The `metadata` value should be an object.');
};

const define = (engine: Engine, source: JsonValue): Collection => {
  const name = isObject(source) ? source['name'] : undefined;
  if (!isObject(source) || name === undefined) throw badRequest('Parameter `name` is required.');
  if (typeof name !== 'string' || name === '') throw badRequest('Parameter `name` must be a non-empty string.');
  const nested = source['enable_nested_fields'] ?? false;
  if (typeof nested !== 'boolean') throw badRequest('Parameter `enable_nested_fields` should be a boolean.');
  const sortingField = source['default_sorting_field'] ?? '';
  if (typeof sortingField !== 'string') {
    throw badRequest('`default_sorting_field` should be a string. It should be the name of an int32/float field.');
  }
  if (source['fields'] === undefined) throw badRequest('Parameter `fields` is required.');
  checkSymbols(source);
  const fields = readFields(source['fields'], nested, engine.features);
  if (engine.ownName(name)) throw new ApiError(409, `A collection with name \`${name}\` already exists.`);
  const own = fields.find(({ reference }) => reference.startsWith(`${name}.`));
  if (engine.features.sets && own !== undefined) {
    throw badRequest(
      `Referencing a field of the same collection is not allowed: \`${own.name}\` field references \`${name}\` collection.`,
    );
  }
  checkDefaultSort(sortingField, fields);
  return engine.create({
    name,
    fields,
    defaultSortingField: sortingField,
    enableNestedFields: nested,
    tokenSeparators: strings(source, 'token_separators'),
    symbolsToIndex: strings(source, 'symbols_to_index'),
    metadata: source['metadata'],
    createdAt: Math.floor(Date.now() / MILLISECONDS),
    ...readCollectionSets(engine, source, true),
  });
};

const cloneCollection = (engine: Engine, from: string, source: JsonValue, withDocuments: boolean): Collection => {
  // An alias isn't a name here.
  const original = engine.ownName(from) ? engine.collection(from) : undefined;
  if (original === undefined) throw badRequest(`Collection with name \`${from}\` not found.`);
  const name = isObject(source) ? source['name'] : undefined;
  if (typeof name !== 'string') throw badRequest('Collection name must be provided.');
  if (engine.ownName(name)) throw badRequest(`Collection with name \`${name}\` already exists.`);
  const clone = engine.create({
    name,
    fields: original.schema.listed,
    defaultSortingField: original.defaultSortingField,
    enableNestedFields: original.enableNestedFields,
    tokenSeparators: original.tokenSeparators,
    symbolsToIndex: original.symbolsToIndex,
    metadata: engine.features.sets ? undefined : original.metadata,
    synonymSets: original.synonymSets,
    curationSets: original.curationSets,
    createdAt: Math.floor(Date.now() / MILLISECONDS),
  });
  if (withDocuments) {
    for (const sequence of original.documents.sequences()) {
      const document = original.documents.parsed(sequence);
      if (document !== undefined) clone.put(clone.documents.takeSequence(), idOf(original, sequence), document);
    }
  }
  return clone;
};

const createCollection = (call: Call): Answer => {
  const source = parseBody(call);
  const from = call.params.get('src_name');
  // The server looks at the presence of the parameter and not at its value.
  const withDocuments = call.engine.features.sets && call.params.has('copy_documents');
  const made = from === undefined ? define(call.engine, source) : cloneCollection(call.engine, from, source, withDocuments);
  return json(201, print(made.summary(call.engine.features)));
};

const dropCollection = (call: Call): Answer => {
  const name = call.captured['collection'] ?? '';
  const collection = call.engine.collection(name);
  if (collection === undefined) throw notFound(`No collection with name \`${name}\` found.`);
  call.engine.drop(collection);
  return json(200, print(collection.summary(call.engine.features)));
};

const alterCollection = (call: Call): Answer => {
  const source = parseBody(call);
  const { engine } = call;
  return json(200, print(alter(requireCollection(call), source, engine.features, readCollectionSets(engine, source, false))));
};

export const collectionRoutes: Route[] = [
  { method: 'GET', path: '/collections', action: 'collections:list', handler: listCollections },
  { method: 'POST', path: '/collections', action: 'collections:create', handler: createCollection },
  {
    method: 'GET',
    path: '/collections/:collection',
    action: 'collections:get',
    handler: (call) => json(200, print(requireCollection(call).summary(call.engine.features))),
  },
  { method: 'PATCH', path: '/collections/:collection', action: 'collections:update', handler: alterCollection },
  { method: 'DELETE', path: '/collections/:collection', action: 'collections:delete', handler: dropCollection },
];
