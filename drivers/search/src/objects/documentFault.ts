import type { ObjectField, ObjectValueField } from '@tabularium/sdk';
import { digitsOf, isExactObject, sameValue } from '../edits/exactValue.ts';
import type { ExactValue } from '../edits/exactValue.ts';
import { memberAt } from './objectDocument.ts';
import type { ObjectMembers } from './objectDocument.ts';

/**
 * Why the server would refuse a document, or read it otherwise than it is meant; undefined for a good one. What the object has already is not looked at: a newer
 * server may know values that this driver doesn't.
 *
 * @param before - the document that the change began from
 */
export function documentFault(
  members: ObjectMembers,
  form: readonly ObjectField[],
  before: ObjectMembers | undefined,
): string | undefined {
  for (const field of form) {
    const value = memberAt(members, field.path);
    const isUnchanged = before !== undefined && value !== undefined && sameValue(value, memberAt(before, field.path));
    const fault = isUnchanged ? undefined : fieldFault(value, field);
    if (fault !== undefined) return `“${field.path.join('.')}” (${field.label}) ${fault}.`;
  }
  return undefined;
}

function fieldFault(value: ExactValue, field: ObjectField): string | undefined {
  // The server takes an empty text and keeps an object that does nothing.
  if (value === undefined || value === null || value === '') return field.required ? 'is missing' : undefined;
  if (field.type !== 'list') return valueFault(value, field);
  if (!Array.isArray(value)) return 'is not a list';
  for (const [place, entry] of value.entries()) {
    if (!isExactObject(entry)) return `has an entry, number ${place + 1}, that is not an object`;
    const inner = field.fields.find((one) => fieldFault(memberAt(entry, one.path), one) !== undefined);
    if (inner === undefined) continue;
    const fault = fieldFault(memberAt(entry, inner.path), inner) ?? '';
    return `has an entry, number ${place + 1}, whose “${inner.path.join('.')}” (${inner.label}) ${fault}`;
  }
  return undefined;
}

function valueFault(value: ExactValue, field: ObjectValueField): string | undefined {
  switch (field.type) {
    case 'text':
    case 'table':
      return typeof value === 'string' ? undefined : 'is not a text';
    case 'texts':
      if (!Array.isArray(value)) return 'is not a list of texts';
      if (value.length === 0) return field.required ? 'has no text' : undefined;
      if (value.some((one) => typeof one !== 'string')) return 'has an entry that is not a text';
      return value.includes('') ? 'has an empty text' : undefined;
    case 'number':
      return /^-?\d+$/.test(digitsOf(value) ?? '') ? numberFault(Number(digitsOf(value)), field) : 'is not a whole number';
    case 'switch':
      return typeof value === 'boolean' ? undefined : 'is neither true nor false';
    case 'choice': {
      const values = field.choices.map((choice) => choice.value);
      return typeof value === 'string' && values.includes(value) ? undefined : `is none of ${values.join(', ')}`;
    }
    case 'json':
      return undefined;
  }
}

/** The server writes −1 for “never”. */
function numberFault(value: number, { minimum, maximum }: Extract<ObjectValueField, { type: 'number' }>): string | undefined {
  if ((value >= minimum && value <= maximum) || (value === -1 && minimum === 0)) return undefined;
  return `is ${value}, and goes from ${minimum} to ${maximum}`;
}
