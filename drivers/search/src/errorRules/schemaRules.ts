import type { ErrorRule } from './errorRule.ts';

/** Collections, their schemas and aliases. */
export const schemaRules: readonly ErrorRule[] = [
  {
    when: /^(?:A c|C)ollection with name `(.*)` already exists/s,
    code: 'CONFLICT',
    message: 'A collection “$1” already exists.',
    advice: 'Choose another name, or change that collection with PATCH.',
  },
  {
    when: /^(?:No collection with name|Collection with name) `(.*)`(?: not)? found/s,
    code: 'NOT_FOUND',
    message: 'There is no collection “$1”.',
    advice: 'Use the name of a collection on this server.',
  },
  {
    when: /^Name `(.*)` conflicts with an existing collection name/s,
    code: 'CONFLICT',
    message: 'A collection is called “$1”, so an alias can’t be.',
    advice: 'Choose another name for the alias.',
  },
  {
    when: /^Field `(.*)` has an invalid data type/s,
    code: 'INVALID_INPUT',
    advice: 'Use a type of the server, such as string, int32, float, bool, geopoint, object or a list of them (string[]).',
  },
  {
    when: /^Type `object` or `object\[\]` can be used only when nested fields/s,
    code: 'INVALID_INPUT',
    message: 'The collection takes no objects.',
    advice: 'Add "enable_nested_fields": true to the collection.',
  },
  {
    when: /^Default sorting field/s,
    code: 'INVALID_INPUT',
    advice: 'Choose a field with numbers that isn’t optional.',
  },
  {
    when: /^Field `(.*)` has been declared in the schema, but is not found in the documents already present/s,
    code: 'INVALID_INPUT',
    message: 'The documents that exist have no “$1”, so the field can’t be required.',
    advice: 'Add the field with "optional": true.',
  },
  {
    when: /^Field `(.*)` is already part of the schema/s,
    code: 'CONFLICT',
    message: 'The collection already has a field “$1”.',
    advice: 'Drop the field and add it again, both in one request.',
  },
  {
    when: /^Field `(.*)` is not part of collection schema/s,
    code: 'NOT_FOUND',
    message: 'The collection has no field “$1”.',
    advice: 'Reload the structure and use a field that it lists.',
  },
  {
    when: /^Schema change is incompatible/s,
    code: 'CONFLICT',
    advice: 'Correct the values of that field in the documents, or add a field with another name.',
  },
  {
    when: /^Only `fields`.* can be updated|^Alter payload is empty/s,
    code: 'INVALID_INPUT',
    advice: 'Send what can be changed; for anything else create a new collection and point an alias at it.',
  },
  {
    when: /^Referencing a field of the same collection|^Invalid reference `|^Field `.*` cannot be altered|^Field `.*` must be an optional field|^Field `.*` cannot be a sortable field/s,
    code: 'INVALID_INPUT',
    advice: 'Change the field’s definition as the message says.',
  },
  {
    when: /^(?:Synonym|Curation) set `(.*)` not found/s,
    code: 'NOT_FOUND',
    advice: 'Create the set first with PUT /synonym_sets/… or PUT /curation_sets/….',
  },
  {
    when: /^(?:The )?`(?:fields|metadata|curation_sets|synonym_sets|symbols_to_index|token_separators)` (?:value )?should be/s,
    code: 'INVALID_INPUT',
    advice: 'Send the form that the message names.',
  },
  {
    when: /^Wrong format for `fields`|^There are duplicate field names|^Field name cannot be empty|^Property `|^The `.*` property |^The `locale` value of/s,
    code: 'INVALID_INPUT',
    advice: 'Correct the definition of the field: it needs a name and a type, each property once and of its own type.',
  },
  {
    when: /^(?:Limit param should be|Invalid offset param)/s,
    code: 'INVALID_INPUT',
    advice: 'Send a whole number that isn’t beyond the end of the list.',
  },
];
