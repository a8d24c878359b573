import type { ExactValue } from '../edits/exactValue.ts';
import { isExactObject } from '../edits/exactValue.ts';
import type { ObjectMembers } from '../objects/objectDocument.ts';
import { schemaToCreate } from './schemaFields.ts';

/** Attributes that a field lacks in an answer or has as an empty value, whichever the server prefers; others have defaults that depend on the type. */
const PLAIN_ATTRIBUTES: readonly string[] = ['facet', 'infix', 'locale', 'optional', 'reference', 'stem', 'type'];

/**
 * Whether an empty collection can be the one that a lost request has made: it has the fields and the settings that the request names, and no others.
 * Models and metadata are left out: servers answer with their keys masked.
 *
 * @param found - the collection as the server has it
 * @param asked - the schema that was to be created
 */
export function isMadeAsAsked(found: ObjectMembers, asked: ObjectMembers): boolean {
  const [there, expected] = [schemaToCreate(found), schemaToCreate(asked)];
  const settings = new Set([...Object.keys(there), ...Object.keys(expected)]);
  for (const setting of settings) {
    if (['fields', 'metadata', 'voice_query_model'].includes(setting)) continue;
    // Servers before the setting's version leave it away.
    if (Object.hasOwn(there, setting) && textOf(there[setting]) !== textOf(expected[setting])) return false;
  }
  const [fieldsThere, fieldsExpected] = [fieldsByName(there), fieldsByName(expected)];
  return (
    fieldsThere.size === fieldsExpected.size &&
    [...fieldsExpected].every(([name, field]) => {
      const same = fieldsThere.get(name);
      return same !== undefined && isSameField(same, field);
    })
  );
}

function isSameField(there: ObjectMembers, expected: ObjectMembers): boolean {
  const isPattern = textOf(expected['name']).includes('*');
  const plain = PLAIN_ATTRIBUTES.every(
    // A pattern is optional whether that was asked for or not.
    (attribute) => (isPattern && attribute === 'optional') || textOf(there[attribute]) === textOf(expected[attribute]),
  );
  return (
    plain &&
    Object.entries(expected).every(
      ([attribute, value]) =>
        PLAIN_ATTRIBUTES.includes(attribute) ||
        typeof value === 'object' ||
        !Object.hasOwn(there, attribute) ||
        textOf(there[attribute]) === textOf(value),
    )
  );
}

function fieldsByName({ fields }: ObjectMembers): ReadonlyMap<string, ObjectMembers> {
  const list = Array.isArray(fields) ? (fields as ExactValue[]) : [];
  return new Map(list.flatMap((field) => (isExactObject(field) ? [[textOf(field['name']), field] as const] : [])));
}

/** Absent, false and empty are one. */
function textOf(value: ExactValue): string {
  if (value === undefined || value === null || value === false || value === '') return '';
  if (Array.isArray(value) && value.length === 0) return '';
  return JSON.stringify(value);
}
