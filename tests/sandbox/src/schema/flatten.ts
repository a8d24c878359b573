import { badRequest } from '../errors.ts';
import { isObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { describedField, isObjectType, isOpenType, learnedField } from './field.ts';
import type { Field } from './field.ts';
import { describing, inferType, toArrayType } from './infer.ts';

export interface Flattened {
  /** Leaf name to value; a leaf below an array is an array. */
  readonly leaves: Map<string, JsonValue>;
  /** Leaves in the order the server lists what it learns: the last one met comes first. */
  readonly names: readonly string[];
}

const addLeaf = (leaves: Map<string, JsonValue>, name: string, value: JsonValue, inArray: boolean): void => {
  if (!inArray) {
    leaves.set(name, value);
    return;
  }
  const existing = leaves.get(name);
  if (Array.isArray(existing)) existing.push(value);
  else leaves.set(name, [value]);
};

const flattenValue = (leaves: Map<string, JsonValue>, name: string, value: JsonValue, inArray: boolean): void => {
  if (isObject(value)) {
    for (const key of Object.keys(value).sort()) flattenValue(leaves, `${name}.${key}`, value[key] ?? null, inArray);
  } else if (Array.isArray(value)) {
    for (const item of value) flattenValue(leaves, name, item, true);
  } else if (value !== null) {
    addLeaf(leaves, name, value, inArray);
  }
};

/** The object a dotted path leads to; arrays on the way make it absent, as only whole objects are declared below them. */
export const valueAt = (document: JsonObject, path: string): JsonValue | undefined => {
  if (Object.hasOwn(document, path)) return document[path];
  let value: JsonValue | undefined = document;
  for (const part of path.split('.')) {
    if (!isObject(value)) return undefined;
    value = Object.hasOwn(value, part) ? value[part] : undefined;
  }
  return value;
};

/** Every value a dotted path leads to, through arrays of objects as well. */
export const valuesAt = (value: JsonValue | undefined, parts: readonly string[], at = 0): JsonValue[] => {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => valuesAt(item, parts, at));
  const part = parts[at];
  if (part === undefined) return [value];
  if (!isObject(value)) return [];
  const joined = parts.slice(at).join('.');
  if (at === 0 && parts.length > 1 && Object.hasOwn(value, joined)) return valuesAt(value[joined], parts, parts.length);
  return Object.hasOwn(value, part) ? valuesAt(value[part], parts, at + 1) : [];
};

const checkShape = (field: Field, value: JsonValue): void => {
  const isRight =
    field.type === 'object' ? isObject(value) : Array.isArray(value) && value.every((item) => isObject(item) || item === null);
  if (!isRight) throw badRequest(`Field \`${field.name}\` has an incorrect type.`);
};

export const flatten = (document: JsonObject, fields: Iterable<Field>): Flattened => {
  const leaves = new Map<string, JsonValue>();
  for (const field of fields) {
    if (!isObjectType(field.type)) continue;
    const value = valueAt(document, field.name);
    if (value === undefined || value === null) continue;
    checkShape(field, value);
    flattenValue(leaves, field.name, value, false);
  }
  return { leaves, names: [...leaves.keys()].reverse() };
};

/** Leaves follow patterns as well; one that is declared by its name as `auto` or `string*` is learned as if it were not. */
export const learnLeaves = (flattened: Flattened, fields: ReadonlyMap<string, Field>, dynamic: readonly Field[]): Field[] => {
  const learned: Field[] = [];
  const patterns = dynamic.filter((field) => !isOpenType(field.type));
  for (const name of flattened.names) {
    if (fields.has(name)) continue;
    const value = flattened.leaves.get(name) ?? null;
    const scalar = Array.isArray(value) ? (value[0] ?? null) : value;
    const type = inferType(scalar);
    if (type === undefined) continue;
    const declared = describing(patterns, name);
    learned.push(
      declared === undefined
        ? learnedField(name, Array.isArray(value) ? toArrayType(type) : type, parentOf(name, fields))
        : { ...describedField(declared, name, declared.type), nested: true },
    );
  }
  return learned;
};

const parentOf = (name: string, fields: ReadonlyMap<string, Field>): Field | undefined => {
  for (let at = name.lastIndexOf('.'); at > 0; at = name.lastIndexOf('.', at - 1)) {
    const parent = fields.get(name.slice(0, at));
    if (parent !== undefined && isObjectType(parent.type)) return parent;
  }
  return undefined;
};
