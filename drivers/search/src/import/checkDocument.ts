import type { ImportProblem } from '@tabularium/sdk';
import type { ExactValue } from '../edits/exactValue.ts';
import { digitsOf, isExactObject, parseExactly } from '../edits/exactValue.ts';
import { isArrayType } from '../fieldTypes.ts';
import type { CollectionSchema, SchemaField } from '../schema.ts';

/** Modes that take a document with some of its fields. */
const PARTIAL: ReadonlySet<string> = new Set(['update', 'emplace']);

/** Why the server would reject a document; undefined where nothing speaks against it. */
export function documentProblem(
  text: string,
  mode: string,
  schema: CollectionSchema | undefined,
): Omit<ImportProblem, 'index'> | undefined {
  let document: ExactValue;
  try {
    document = parseExactly(text);
  } catch {
    return { message: "This isn't valid JSON." };
  }
  if (!isExactObject(document)) return { message: 'A document has to be a JSON object.' };
  const id = Object.hasOwn(document, 'id') ? document['id'] : undefined;
  if (id === '') return { message: 'The id is empty.', column: 'id' };
  if (id === undefined && mode === 'update') return { message: 'An update needs the id of the document.', column: 'id' };
  if (id !== undefined && typeof id !== 'string') return { message: 'The id has to be a string.', column: 'id' };
  for (const field of schema?.fields ?? []) {
    if (!field.index || isPattern(field.name)) continue;
    const value = valueOf(document, field.name, schema?.nested === true);
    if (value === INSIDE_LIST) continue;
    if (value === undefined || value === null) {
      // An emplaced document may be there already, with this field.
      if (field.optional || field.embedded || PARTIAL.has(mode)) continue;
      return { message: `“${field.name}” is required, and this document lacks it.`, column: field.name };
    }
    if (!fits(value, field))
      return { message: `“${field.name}” holds ${field.type}, and this value isn't one.`, column: field.name };
  }
  return undefined;
}

/** Fields that are declared by a pattern, such as `.*_facet`. */
function isPattern(name: string): boolean {
  return name.includes('*');
}

/** Values in lists of objects are left to the server. */
const INSIDE_LIST = Symbol('inside a list');

function valueOf(document: ExactValue, name: string, nested: boolean): ExactValue {
  if (isExactObject(document) && Object.hasOwn(document, name)) return document[name];
  if (!nested) return undefined;
  let value: ExactValue = document;
  for (const member of name.split('.')) {
    if (Array.isArray(value)) return INSIDE_LIST;
    value = isExactObject(value) && Object.hasOwn(value, member) ? value[member] : undefined;
  }
  return value;
}

function fits(value: ExactValue, { type }: SchemaField): boolean {
  if (isArrayType(type)) return Array.isArray(value);
  switch (type) {
    case 'int32':
    case 'int64':
      return /^-?\d+$/.test(digitsOf(value) ?? '');
    case 'float':
      return digitsOf(value) !== undefined;
    case 'bool':
      return typeof value === 'boolean';
    case 'string':
      return typeof value === 'string';
    case 'object':
      return isExactObject(value);
    case 'geopoint':
      return Array.isArray(value);
    default:
      return true;
  }
}
