import { badRequest } from '../errors.ts';
import { isFloat, isInteger, isObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { learnedField } from './field.ts';
import type { Field, FieldType } from './field.ts';

const scalarType = (value: JsonValue): FieldType | undefined => {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'boolean') return 'bool';
  if (isInteger(value)) return 'int64';
  if (isFloat(value)) return 'float';
  if (isObject(value)) return 'object';
  return undefined;
};

const arrayTypes: Partial<Record<FieldType, FieldType>> = {
  string: 'string[]',
  bool: 'bool[]',
  int64: 'int64[]',
  float: 'float[]',
  object: 'object[]',
};

export const toArrayType = (type: FieldType): FieldType => arrayTypes[type] ?? type;

/** The type the server would give a value; undefined where it can tell nothing (null, an empty array, an array of arrays). */
export const inferType = (value: JsonValue): FieldType | undefined => {
  if (!Array.isArray(value)) return scalarType(value);
  const [first] = value;
  if (first === undefined) return undefined;
  const type = scalarType(first);
  return type === undefined ? undefined : arrayTypes[type];
};

export interface Learning {
  readonly fallback: 'auto' | 'string*' | FieldType;
  readonly enableNested: boolean;
  readonly known: (name: string) => boolean;
}

/** The fields a schema with `.*` learns from the top level of one document, in the order of their names. */
export const learnFields = (document: JsonObject, learning: Learning): Field[] => {
  const learned: Field[] = [];
  for (const name of Object.keys(document).sort()) {
    const value = document[name] ?? null;
    if (name === 'id' || value === null || learning.known(name)) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    const type = inferType(value);
    if (type === undefined) throw badRequest(`Type of field \`${name}\` is invalid.`);
    const isNested = type === 'object' || type === 'object[]';
    if (isNested && !learning.enableNested) continue;
    if (learning.fallback === 'string*' && !isNested) {
      learned.push(learnedField(name, Array.isArray(value) ? 'string[]' : 'string'));
    } else if (learning.fallback === 'auto' || isNested) {
      learned.push(learnedField(name, type));
    } else {
      learned.push(learnedField(name, learning.fallback));
    }
  }
  return learned;
};
