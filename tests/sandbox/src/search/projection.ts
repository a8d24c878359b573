import { emptyObject, isObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isObjectType } from '../schema/field.ts';
import type { Collection } from '../store/collection.ts';

/** include_fields and exclude_fields, resolved against a schema. */
export interface Projection {
  readonly include: readonly string[];
  readonly exclude: ReadonlySet<string>;
}

const hasWildcard = (name: string): boolean => name.endsWith('*');

const leavesOf = (collection: Collection, name: string): string[] =>
  [...collection.fields.keys()].filter((field) => field.startsWith(`${name}.`));

/** A wildcard stands for the fields of the schema it matches. */
const expand = (collection: Collection, name: string): string[] => {
  if (!hasWildcard(name)) return [name];
  const prefix = name.slice(0, -1);
  return [...collection.fields.values()]
    .filter((field) => field.name.startsWith(prefix) && field.numDim === 0 && !field.name.includes('.*'))
    .map((field) => field.name);
};

/** Excluding an object excludes its leaves, so that an array of objects stays as an array of empty ones. */
const expandExcluded = (collection: Collection, name: string): string[] =>
  expand(collection, name).flatMap((field) => {
    const declared = collection.fields.get(field);
    const leaves = declared !== undefined && isObjectType(declared.type) ? leavesOf(collection, field) : [];
    return leaves.length === 0 ? [field] : leaves;
  });

/** Undefined where documents are answered whole. */
export const readProjection = (
  collection: Collection,
  include: readonly string[],
  exclude: readonly string[],
  starIsSchemaOnly: boolean,
): Projection | undefined => {
  const isWhole = include.length === 0 || (!starIsSchemaOnly && include.includes('*'));
  if (isWhole && exclude.length === 0) return undefined;
  const included = isWhole ? [] : include.flatMap((name) => expand(collection, name));
  if (!isWhole && include.some(hasWildcard)) included.push('id');
  return { include: included, exclude: new Set(exclude.flatMap((name) => expandExcluded(collection, name))) };
};

const isIncluded = (name: string, include: readonly string[]): boolean =>
  include.length === 0 ||
  include.some((wanted) => wanted === name || wanted.startsWith(`${name}.`) || name.startsWith(`${wanted}.`));

/** A new document with what the projection leaves of one. */
export const project = (document: JsonObject, projection: Projection, prefix = ''): JsonObject => {
  const result = emptyObject();
  for (const key of Object.keys(document)) {
    const name = prefix + key;
    if (!isIncluded(name, projection.include) || projection.exclude.has(name)) continue;
    const value = document[key] ?? null;
    const projected = projectValue(value, projection, name);
    const isEmptied =
      isObject(projected) && Object.keys(projected).length === 0 && isObject(value) && Object.keys(value).length > 0;
    if (!isEmptied) result[key] = projected;
  }
  return result;
};

const projectValue = (value: JsonValue, projection: Projection, name: string): JsonValue => {
  if (isObject(value)) return project(value, projection, `${name}.`);
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? project(item, projection, `${name}.`) : item));
  return value;
};
