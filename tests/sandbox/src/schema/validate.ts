import { badRequest } from '../errors.ts';
import { float, isFloat, isInteger, isNumber, toNumber } from '../json/value.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { printShortFloat } from '../json/print.ts';
import { baseType, isArrayType, isObjectType } from './field.ts';
import type { Field } from './field.ts';

export const dirtyValueModes = ['reject', 'drop', 'coerce_or_reject', 'coerce_or_drop'] as const;
export type DirtyValues = (typeof dirtyValueModes)[number];

const INT32_MAX = 2147483647;
const DROPPED = Symbol('dropped');

const article: Record<string, string> = {
  string: 'a string',
  int32: 'an int32',
  int64: 'an int64',
  float: 'a float',
  bool: 'a bool',
};

export const isInt32Text = (text: string): boolean => /^-?[0-9]+$/.test(text) && Math.abs(Number(text)) <= INT32_MAX + 1;
export const isInt64Text = (text: string): boolean =>
  /^-?[0-9]+$/.test(text) && BigInt(text) >= -(2n ** 63n) && BigInt(text) < 2n ** 63n;
export const isFloatText = (text: string): boolean => /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/.test(text);

const hasType = (type: string, value: JsonValue): boolean => {
  switch (type) {
    case 'string':
      return typeof value === 'string';
    case 'int32':
    case 'int64':
      return isInteger(value);
    case 'float':
      return isNumber(value);
    case 'bool':
      return typeof value === 'boolean';
    default:
      return true;
  }
};

const coerce = (type: string, value: JsonValue): JsonValue | undefined => {
  switch (type) {
    case 'string':
      if (typeof value === 'boolean') return value ? 'true' : 'false';
      if (isInteger(value)) return String(value);
      return isFloat(value) ? printShortFloat(Math.fround(toNumber(value))) : undefined;
    case 'int32':
    case 'int64':
      if (isFloat(value)) return Math.trunc(toNumber(value));
      if (typeof value === 'boolean') return value ? 1 : 0;
      if (typeof value === 'string' && (type === 'int32' ? isInt32Text(value) : isInt64Text(value))) return Number(value);
      return undefined;
    case 'float':
      if (typeof value === 'boolean') return float(value ? 1 : 0);
      return typeof value === 'string' && isFloatText(value) ? float(Number(value)) : undefined;
    case 'bool': {
      if (isInteger(value) && (value === 0 || value === 1)) return value === 1;
      const word = typeof value === 'string' ? value.toLowerCase() : undefined;
      if (word !== undefined && ['t', 'true', 'y', 'yes'].includes(word)) return true;
      return word !== undefined && ['f', 'false', 'n', 'no'].includes(word) ? false : undefined;
    }
    default:
      return undefined;
  }
};

const settle = (
  field: Field,
  type: string,
  value: JsonValue,
  mode: DirtyValues,
  inArray: boolean,
): JsonValue | typeof DROPPED => {
  if (hasType(type, value)) return value;
  const wrong = badRequest(
    field.nested && Array.isArray(value)
      ? `Field \`${field.name}\` has an incorrect type. Hint: field inside an array of objects must be an array type as well.`
      : `Field \`${field.name}\` must be ${inArray ? `${field.numDim > 0 ? 'a' : 'an'} array of ${type}` : (article[type] ?? type)}.`,
  );
  if (mode === 'reject') throw wrong;
  if (mode !== 'drop') {
    const coerced = coerce(type, value);
    if (coerced !== undefined) return coerced;
  }
  if ((mode === 'drop' || mode === 'coerce_or_drop') && field.optional) return DROPPED;
  throw wrong;
};

const isPoint = (value: JsonValue): boolean => Array.isArray(value) && value.length === 2;

const settleArray = (field: Field, value: JsonValue, mode: DirtyValues): JsonValue | typeof DROPPED => {
  if (!Array.isArray(value)) {
    if (field.optional && (mode === 'drop' || mode === 'coerce_or_drop')) return DROPPED;
    throw badRequest(`Field \`${field.name}\` must be an array.`);
  }
  if (field.numDim > 0 && field.numDim !== value.length) {
    throw badRequest(`Field \`${field.name}\` must have ${field.numDim} dimensions.`);
  }
  if (field.type === 'geopoint[]') {
    if (!field.nested && !value.every(isPoint)) {
      throw badRequest(`Field \`${field.name}\` must contain 2 element arrays: [ [lat, lng],... ].`);
    }
    return value;
  }
  const type = baseType(field.type);
  const settled: JsonValue[] = [];
  for (const item of value) {
    const result = settle(field, type, item, mode, true);
    if (result !== DROPPED) settled.push(result);
  }
  return settled;
};

const settleGeopoint = (field: Field, value: JsonValue, mode: DirtyValues): JsonValue | typeof DROPPED => {
  if (!Array.isArray(value) || value.length !== 2) {
    throw badRequest(`Field \`${field.name}\` must be a 2 element array: [lat, lng].`);
  }
  if (value.every(isNumber)) return value;
  const coerced = mode.startsWith('coerce') ? value.map((item) => coerce('float', item) ?? item) : value;
  if (coerced.every(isNumber)) return coerced;
  if (field.optional && mode.endsWith('drop')) return DROPPED;
  throw badRequest(`Field \`${field.name}\` must be a geopoint.`);
};

export interface Validation {
  readonly fields: ReadonlyMap<string, Field>;
  readonly defaultSortingField: string;
  readonly mode: DirtyValues;
  /** For an update: only what it names is checked. */
  readonly partial: boolean;
  /** A whole document takes the place of one that is there. */
  readonly replaces?: boolean;
}

/** Checks and coerces. Changes `document` at its top level and `leaves` below it. */
export const validate = (document: JsonObject, leaves: Map<string, JsonValue>, validation: Validation): void => {
  const { defaultSortingField, fields, mode, partial, replaces = false } = validation;
  if (defaultSortingField !== '' && !partial && !Object.hasOwn(document, defaultSortingField)) {
    throw badRequest(
      `Field \`${defaultSortingField}\` has been declared as a default sorting field, but is not found in the document.`,
    );
  }
  for (const field of fields.values()) {
    if (field.name === 'id' || isObjectType(field.type) || field.name.includes('.*')) continue;
    const isTop = Object.hasOwn(document, field.name);
    const value = isTop ? document[field.name] : leaves.get(field.name);
    if (value === undefined) {
      if (field.optional || partial) continue;
      if (replaces && !field.store) throw badRequest(`Field \`${field.name}\` must be ${article[field.type] ?? 'an array'}.`);
      throw badRequest(`Field \`${field.name}\` has been declared in the schema, but is not found in the document.`);
    }
    if (value === null && field.optional) {
      if (!partial) delete document[field.name];
      continue;
    }
    const settled =
      field.type === 'geopoint'
        ? settleGeopoint(field, value, mode)
        : isArrayType(field.type)
          ? settleArray(field, value ?? [], mode)
          : settle(field, field.type, value, mode, false);
    if (isTop) {
      if (settled === DROPPED) delete document[field.name];
      else document[field.name] = settled;
    } else if (settled === DROPPED) {
      leaves.delete(field.name);
    } else {
      leaves.set(field.name, settled);
    }
  }
};
