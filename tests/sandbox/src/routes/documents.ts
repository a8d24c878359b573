import { badRequest, notFound } from '../errors.ts';
import { FilterEvaluator } from '../filter/evaluate.ts';
import { json, stream } from '../http.ts';
import type { Answer, Call } from '../http.ts';
import { print } from '../json/print.ts';
import { emptyObject, isObject, objectOf } from '../json/value.ts';
import type { Route } from '../router.ts';
import { flatten } from '../schema/flatten.ts';
import { list } from '../search/params.ts';
import { project, readProjection } from '../search/projection.ts';
import { eraseWhileIterating } from '../search/eraseWhileIterating.ts';
import type { Collection } from '../store/collection.ts';
import { copyOf, idOf, parseDocument, readAction, readDirtyValues, removeDocument, write } from '../store/writer.ts';
import { requireCollection } from './collections.ts';

const FILTER_MISSING = 'Parameter `filter_by` must be provided.';

const missing = (id: string): Error => notFound(`Could not find a document with id: ${id}`);

const createDocument = (call: Call): Answer => {
  const action = readAction(call.params.get('action'));
  const collection = requireCollection(call);
  const dirtyValues = readDirtyValues(call.params.get('dirty_values'), collection);
  return json(201, write(collection, parseDocument(call.body), { action, dirtyValues }).text);
};

const projected = (call: Call, collection: Collection, sequence: number): string => {
  const stored = collection.documents.text(sequence) ?? '{}';
  const include = list(call.params, 'include_fields');
  const exclude = list(call.params, 'exclude_fields');
  const { documentProjection } = call.engine.features;
  if (documentProjection === 'ignored' || (include.length === 0 && exclude.length === 0)) return stored;
  const document = collection.documents.parsed(sequence) ?? emptyObject();
  if (documentProjection === 'erase-while-iterating') {
    const { names } = flatten(document, collection.fields.values());
    return print(eraseWhileIterating(document, collection.enableNestedFields ? names : [], include, exclude));
  }
  const projection = readProjection(collection, include, exclude, false);
  return projection === undefined ? stored : print(project(document, projection));
};

const getDocument = (call: Call): Answer => {
  const collection = requireCollection(call);
  const id = call.captured['id'] ?? '';
  const sequence = collection.documents.sequenceOf(id);
  if (sequence === undefined) throw missing(id);
  return json(200, projected(call, collection, sequence));
};

const updateDocument = (call: Call): Answer => {
  const collection = requireCollection(call);
  const id = call.captured['id'] ?? '';
  const dirtyValues = readDirtyValues(call.params.get('dirty_values'), collection);
  return json(200, write(collection, parseDocument(call.body), { action: 'update', dirtyValues, id }).text);
};

const deleteDocument = (call: Call): Answer => {
  const collection = requireCollection(call);
  const id = call.captured['id'] ?? '';
  const sequence = collection.documents.sequenceOf(id);
  if (sequence === undefined) {
    if (call.params.get('ignore_not_found') === 'true') return json(200, print(objectOf([['id', id]])));
    throw missing(id);
  }
  const text = collection.documents.text(sequence) ?? '{}';
  removeDocument(collection, sequence);
  return json(200, text);
};

const matching = (call: Call, collection: Collection): Uint32Array => {
  const filter = call.params.get('filter_by') ?? '';
  return new FilterEvaluator(collection, call.engine.features, 0).matches(filter) ?? new Uint32Array();
};

const updateByFilter = (call: Call): Answer => {
  const collection = requireCollection(call);
  if (!call.params.has('filter_by')) throw badRequest(FILTER_MISSING);
  const dirtyValues = readDirtyValues(call.params.get('dirty_values'), collection);
  const patch = parseDocument(call.body);
  const sequences = matching(call, collection);
  for (const sequence of sequences) {
    const id = idOf(collection, sequence);
    write(collection, isObject(patch) ? copyOf(patch) : patch, { action: 'update', dirtyValues, id });
  }
  return json(200, print(objectOf([['num_updated', sequences.length]])));
};

const truncate = (collection: Collection): number => {
  const { count } = collection.documents;
  collection.clear();
  return count;
};

const deleteByFilter = (call: Call): Answer => {
  const collection = requireCollection(call);
  const deleted = (count: number): Answer => stream(200, print(objectOf([['num_deleted', count]])));
  if (call.engine.features.truncate && call.params.get('truncate') === 'true') return deleted(truncate(collection));
  if (!call.params.has('filter_by')) throw badRequest(FILTER_MISSING);
  const batch = call.params.get('batch_size');
  if (batch !== undefined && !/^[1-9][0-9]*$/.test(batch)) throw badRequest('Parameter `batch_size` must be a positive integer.');
  const sequences = matching(call, collection);
  for (const sequence of sequences) removeDocument(collection, sequence);
  return deleted(sequences.length);
};

export const documentRoutes: Route[] = [
  { method: 'POST', path: '/collections/:collection/documents', action: 'documents:create', handler: createDocument },
  { method: 'PATCH', path: '/collections/:collection/documents', action: 'documents:update', handler: updateByFilter },
  {
    method: 'DELETE',
    path: '/collections/:collection/documents',
    action: 'documents:delete',
    handler: deleteByFilter,
    type: 'stream',
  },
  { method: 'GET', path: '/collections/:collection/documents/:id', action: 'documents:get', handler: getDocument },
  { method: 'PATCH', path: '/collections/:collection/documents/:id', action: 'documents:update', handler: updateDocument },
  { method: 'DELETE', path: '/collections/:collection/documents/:id', action: 'documents:delete', handler: deleteDocument },
];
