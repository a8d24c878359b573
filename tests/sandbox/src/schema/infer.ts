import { badRequest } from '../errors.ts';
import { isFloat, isInteger, isObject } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { describedField, isOpenType, learnedField } from './field.ts';
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

/** The type that the server would give a value; undefined where it can't infer one (null, an empty array, an array of arrays). */
export const inferType = (value: JsonValue): FieldType | undefined => {
  if (!Array.isArray(value)) return scalarType(value);
  const [first] = value;
  if (first === undefined) return undefined;
  const type = scalarType(first);
  return type === undefined ? undefined : arrayTypes[type];
};

export interface Learning {
  /** The declaration of `.*`; without it only names with a declaration are learned. */
  readonly fallback: FieldType | undefined;
  /** Fields declared by pattern, as `auto` or as `string*`. */
  readonly dynamic: readonly Field[];
  readonly enableNested: boolean;
  readonly known: (name: string) => boolean;
}

/** The declaration for a name; a pattern doesn't describe itself. */
export const describing = (dynamic: readonly Field[], name: string): Field | undefined =>
  dynamic.find((field) => {
    if (field.name === name) return isOpenType(field.type);
    return !name.includes('.*') && matchesWhole(field.name, name);
  });

const matchesWhole = (pattern: string, name: string): boolean => {
  try {
    return new RegExp(`^(?:${pattern})$`).test(name);
  } catch {
    return false;
  }
};

/** The fields a schema learns from the top level of one document, in the order of their names. */
export const learnFields = (document: JsonObject, learning: Learning): Field[] => {
  const learned: Field[] = [];
  for (const name of Object.keys(document).sort()) {
    const value = document[name] ?? null;
    if (name === 'id' || value === null || learning.known(name)) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    const declared = describing(learning.dynamic, name);
    if (declared?.index === false) continue;
    const wanted = declared?.type ?? learning.fallback;
    if (wanted === undefined) continue;
    const type = inferType(value);
    if (type === undefined) throw badRequest(`Type of field \`${name}\` is invalid.`);
    const isNested = type === 'object' || type === 'object[]';
    if (isNested && !learning.enableNested) continue;
    const isText = wanted === 'string*' && (!isNested || declared !== undefined);
    const settled = isText ? (Array.isArray(value) ? 'string[]' : 'string') : wanted === 'auto' || isNested ? type : wanted;
    if (declared === undefined) learned.push(learnedField(name, settled));
    else learned.push(isNested && !isText ? learnedField(name, settled) : describedField(declared, name, settled));
  }
  return learned;
};
