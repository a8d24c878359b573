import { ApiError, badRequest, notFound } from '../errors.ts';
import { JsonParseError, parse } from '../json/parse.ts';
import { clone, emptyObject, isObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import type { Field } from '../schema/field.ts';
import { flatten, learnLeaves } from '../schema/flatten.ts';
import { describing, learnFields } from '../schema/infer.ts';
import { dirtyValueModes, validate } from '../schema/validate.ts';
import type { DirtyValues } from '../schema/validate.ts';
import type { Collection } from './collection.ts';

export const writeActions = ['create', 'update', 'upsert', 'emplace'] as const;
export type WriteAction = (typeof writeActions)[number];

export const readAction = (value: string | undefined): WriteAction => {
  const action = writeActions.find((known) => known === (value ?? 'create'));
  if (action === undefined) throw badRequest('Parameter `action` must be a create|update|upsert.');
  return action;
};

export const readDirtyValues = (value: string | undefined, collection: Collection): DirtyValues =>
  dirtyValueModes.find((known) => known === value?.toLowerCase()) ?? (collection.schema.learns ? 'coerce_or_reject' : 'reject');

export interface Written {
  readonly text: string;
  readonly id: string;
}

export interface WriteRequest {
  readonly action: WriteAction;
  readonly dirtyValues: DirtyValues;
  /** The id in the path, which a body may repeat but not change. */
  readonly id?: string;
}

/** RFC 7396: objects merge, null removes, everything else replaces. */
const mergePatch = (target: JsonValue | undefined, patch: JsonValue): JsonValue => {
  if (!isObject(patch)) return patch;
  const merged = isObject(target) ? target : emptyObject();
  for (const key of Object.keys(patch)) {
    const value = patch[key] ?? null;
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(Object.hasOwn(merged, key) ? merged[key] : undefined, value);
  }
  return merged;
};

const leafNames = (value: JsonValue, name: string, names: Map<string, JsonValue>): void => {
  if (isObject(value)) for (const key of Object.keys(value)) leafNames(value[key] ?? null, `${name}.${key}`, names);
  else if (Array.isArray(value)) for (const item of value) leafNames(item, name, names);
  else names.set(name, value);
};

/** The leaves below the members of an object by their names, as the server flattens them. */
const nestedNames = (object: JsonObject): Map<string, JsonValue> => {
  const names = new Map<string, JsonValue>();
  for (const key of Object.keys(object)) {
    const value = object[key] ?? null;
    if (isObject(value) || Array.isArray(value)) leafNames(value, key, names);
  }
  return names;
};

/**
 * The members with a dot in their name that an update of a collection with nested fields drops, measured at 29.0 and 30.0: one whose namesake in a nested
 * object the update has, unless the update has the member, too, and removes no namesake; and one that is new where the document or the update has that namesake. Inserts and upserts
 * keep both.
 */
const droppedMembers = (before: JsonValue | undefined, patch: JsonObject): string[] => {
  const old = isObject(before) ? before : emptyObject();
  const [there, changed] = [nestedNames(old), nestedNames(patch)];
  return [...new Set([...Object.keys(old), ...Object.keys(patch)])].filter((name) => {
    if (!name.includes('.')) return false;
    if (!Object.hasOwn(patch, name)) return changed.has(name);
    return changed.get(name) === null || (!Object.hasOwn(old, name) && (there.has(name) || changed.has(name)));
  });
};

export const parseDocument = (text: string): JsonValue => {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof JsonParseError) throw badRequest(`Bad JSON: ${error.message}`);
    throw error;
  }
};

interface Target {
  readonly id: string;
  readonly sequence: number;
  readonly existing: boolean;
}

const targetOf = (collection: Collection, document: JsonObject, request: WriteRequest): Target => {
  const { action } = request;
  const { documents } = collection;
  if (request.id !== undefined) {
    if (document['id'] !== undefined && document['id'] !== request.id) {
      throw badRequest('The `id` of the resource does not match the `id` in the JSON body.');
    }
    document['id'] = request.id;
  }
  const { id } = document;
  if (id === undefined) {
    if (action === 'update') throw badRequest('For update, the `id` key must be provided.');
    const sequence = documents.takeSequence();
    document['id'] = String(sequence);
    return { id: String(sequence), sequence, existing: false };
  }
  if (typeof id !== 'string') throw badRequest("Document's `id` field should be a string.");
  if (id === '') throw badRequest('The `id` should not be empty.');
  const sequence = documents.sequenceOf(id);
  if (sequence !== undefined) {
    if (action === 'create') throw new ApiError(409, `A document with id ${id} already exists.`);
    return { id, sequence, existing: true };
  }
  if (action === 'update') throw notFound(`Could not find a document with id: ${id}`);
  return { id, sequence: documents.takeSequence(), existing: false };
};

const learn = (collection: Collection, fields: readonly Field[]): void => {
  for (const field of fields) collection.schema.add(field);
};

/** Adds what one document teaches the schema; returns the leaves of its objects. A whole document loses the nulls that nothing is learned from. */
export const learnFrom = (collection: Collection, document: JsonObject, isPartial = false): Map<string, JsonValue> => {
  const { enableNestedFields, fields, schema } = collection;
  if (schema.learns) {
    const { dynamic, fallbackType } = schema;
    for (const name of isPartial ? [] : Object.keys(document)) {
      if (document[name] !== null || fields.has(name)) continue;
      if (fallbackType !== undefined || describing(dynamic, name) !== undefined) delete document[name];
    }
    const known = (name: string): boolean => fields.has(name);
    learn(collection, learnFields(document, { fallback: fallbackType, dynamic, enableNested: enableNestedFields, known }));
  }
  if (!enableNestedFields) return new Map();
  const flattened = flatten(document, fields.values());
  learn(collection, learnLeaves(flattened, fields, schema.dynamic));
  return flattened.leaves;
};

/** The target of a reference field has to exist, unless the field says that it may come later. */
const checkReferences = (collection: Collection, document: JsonObject): void => {
  for (const { asyncReference, name, reference } of collection.fields.values()) {
    const value = document[name];
    const dot = reference.indexOf('.');
    const target = dot === -1 ? undefined : collection.others(reference.slice(0, dot));
    if (asyncReference || target === undefined || typeof value !== 'string') continue;
    const field = reference.slice(dot + 1);
    const isThere = [...target.documents.sequences()].some(
      (sequence) => target.documents.scanned(sequence, false)?.[field] === value,
    );
    if (isThere) continue;
    throw badRequest(`Reference document having \`${field}:= \`${value}\`\` not found in the collection \`${target.name}\`.`);
  }
};

/** Fields that the schema learns from a document stay even if the document is then rejected. */
const check = (
  collection: Collection,
  document: JsonObject,
  mode: DirtyValues,
  { partial, replaces }: { readonly partial: boolean; readonly replaces: boolean },
): void => {
  const leaves = learnFrom(collection, document, partial);
  const { defaultSortingField, fields } = collection;
  checkReferences(collection, document);
  validate(document, leaves, { fields, defaultSortingField, mode, partial, replaces });
};

/** Stores one document. Changes the value it is given: coerced, and with the id it was stored under. */
export const write = (collection: Collection, value: JsonValue, request: WriteRequest): Written => {
  if (!isObject(value)) throw badRequest('Bad JSON: not a properly formed document.');
  const { id, sequence, existing } = targetOf(collection, value, request);
  const merges = existing && (request.action === 'update' || request.action === 'emplace');
  check(collection, value, request.dirtyValues, { partial: merges, replaces: existing && !merges });
  let document = value;
  if (merges) {
    const before = collection.documents.whole(sequence);
    const dropped = collection.enableNestedFields ? droppedMembers(before, value) : [];
    const merged = mergePatch(before, value);
    document = isObject(merged) ? merged : emptyObject();
    for (const name of dropped) delete document[name];
  }
  return { id, text: collection.put(sequence, id, document) };
};

export const idOf = (collection: Collection, sequence: number): string => {
  const id = collection.documents.scanned(sequence, false)?.['id'];
  return typeof id === 'string' ? id : '';
};

export const removeDocument = (collection: Collection, sequence: number): void => {
  collection.remove(sequence, idOf(collection, sequence));
};

export const copyOf = (value: JsonObject): JsonObject => {
  const copied = clone(value);
  return isObject(copied) ? copied : emptyObject();
};
