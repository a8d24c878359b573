import type { ImportProblem } from '@tabularium/sdk';
import type { ExactValue } from '../edits/exactValue.ts';
import { digitsOf, isExactObject, parseExactly } from '../edits/exactValue.ts';
import { faultTexts } from '../faultTexts.ts';
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
    return problem("This isn't valid JSON.", 'import.noJson');
  }
  if (!isExactObject(document)) return problem('A document has to be a JSON object.', 'import.noObject');
  const id = Object.hasOwn(document, 'id') ? document['id'] : undefined;
  if (id === '') return problem('The id is empty.', 'import.emptyId', 'id');
  if (id === undefined && mode === 'update') return problem('An update needs the id of the document.', 'import.noId', 'id');
  if (id !== undefined && typeof id !== 'string') return problem('The id has to be a string.', 'import.idText', 'id');
  for (const field of schema?.fields ?? []) {
    if (!field.index || isPattern(field.name)) continue;
    const value = valueOf(document, field.name, schema?.nested === true);
    if (value === INSIDE_LIST) continue;
    if (value === undefined || value === null) {
      // An emplaced document may be there already, with this field.
      if (field.optional || field.embedded || PARTIAL.has(mode)) continue;
      return problem(`“${field.name}” is required, and this document lacks it.`, 'import.lacks', field.name);
    }
    if (!fits(value, field))
      return problem(
        `“${field.name}” holds ${field.type}, and this value isn't one.`,
        'import.otherType',
        field.name,
        field.type,
      );
  }
  return undefined;
}

/** @param id - of the message's translation, which may name the column and its type */
function problem(message: string, id: string, column?: string, type?: string): Omit<ImportProblem, 'index'> {
  const values = { ...(column === undefined ? {} : { column }), ...(type === undefined ? {} : { type }) };
  return { message, texts: faultTexts(id, values), ...(column === undefined ? {} : { column }) };
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
