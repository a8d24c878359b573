import type { ObjectField } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { ExactValue } from '../edits/exactValue.ts';
import { isExactObject } from '../edits/exactValue.ts';
import type { ObjectMembers } from '../objects/objectDocument.ts';
import { operationField } from './operationField.ts';
import { faultTexts } from '../faultTexts.ts';

const TYPES = [
  ...['string', 'string[]', 'int32', 'int32[]', 'int64', 'int64[]', 'float', 'float[]', 'bool', 'bool[]'],
  ...['geopoint', 'geopoint[]', 'geopolygon', 'object', 'object[]', 'auto', 'string*', 'image'],
];

/** The list of a schema's fields. @param under - the members above it */
export function fieldList(under: readonly string[]): ObjectField {
  return operationField({
    type: 'list',
    path: [...under, 'fields'],
    label: 'Fields',
    help: 'Other attributes, such as num_dim and embed, can be entered as JSON.',
    required: true,
    fields: [
      { type: 'text', path: ['name'], label: 'Name', help: 'A pattern such as .*_facet is allowed.', required: true },
      {
        type: 'choice',
        path: ['type'],
        label: 'Type',
        required: true,
        choices: TYPES.map((value) => ({ value, label: value })),
      },
      { type: 'switch', path: ['facet'], label: 'Facet', required: false, default: false },
      { type: 'switch', path: ['optional'], label: 'Optional', required: false, default: false },
      { type: 'switch', path: ['index'], label: 'Index', required: false, default: true },
      { type: 'switch', path: ['sort'], label: 'Sort', required: false, default: false },
      { type: 'switch', path: ['infix'], label: 'Infix search', required: false, default: false },
      { type: 'switch', path: ['stem'], label: 'Stem', required: false, default: false },
      { type: 'text', path: ['locale'], label: 'Locale', required: false },
      { type: 'text', path: ['reference'], label: 'Reference', help: 'Such as brands.id.', required: false },
    ],
  });
}

/** The form of a schema beside its fields. */
export function schemaForm(under: readonly string[]): readonly ObjectField[] {
  return [
    fieldList(under),
    operationField({
      type: 'text',
      path: [...under, 'default_sorting_field'],
      label: 'Default sorting field',
      help: 'A number that ranks documents where nothing else does.',
      required: false,
    }),
    operationField({
      type: 'switch',
      path: [...under, 'enable_nested_fields'],
      label: 'Nested fields',
      help: 'Wanted for the types object and object[].',
      required: false,
      default: false,
    }),
  ];
}

/** Facts that a server reports of a collection and that no request may set. */
const SERVER_FACTS: ReadonlySet<string> = new Set(['created_at', 'name', 'num_documents']);
/** Types with which a field is declared before the server has seen a value. */
const UNDECIDED: ReadonlySet<unknown> = new Set(['auto', 'string*']);

/** A collection's schema as a new one can be created with it. */
export function schemaToCreate(collection: ObjectMembers): ObjectMembers {
  return Object.fromEntries(
    Object.entries(collection).flatMap(([member, value]): [string, ExactValue][] => {
      if (SERVER_FACTS.has(member)) return [];
      return [[member, member === 'fields' ? eachOnce(value) : value]];
    }),
  );
}

/** The server lists a field that was declared as `auto` a second time once a document brought it, and takes no list with a field twice. */
function eachOnce(fields: ExactValue): ExactValue {
  if (!Array.isArray(fields)) return fields;
  const known = new Map<unknown, ExactValue>();
  for (const field of fields as ExactValue[]) {
    const name = isExactObject(field) ? field['name'] : field;
    const isUndecided = isExactObject(field) && UNDECIDED.has(field['type']);
    if (!known.has(name) || !isUndecided) known.set(name, field);
  }
  return [...known.values()];
}

/** The names of the fields of a schema. @throws DriverError `INVALID_INPUT` for what isn't a list of fields */
export function fieldNames(schema: ObjectMembers, field: string): readonly string[] {
  const { fields } = schema;
  if (!Array.isArray(fields) || fields.length === 0) {
    throw new DriverError('INVALID_INPUT', 'The schema has no fields. Add one.', {
      details: { field, texts: faultTexts('fault.noFields') },
    });
  }
  const names = fields.map((one: ExactValue, place) => {
    const name = isExactObject(one) ? one['name'] : undefined;
    const type = isExactObject(one) ? one['type'] : undefined;
    if (typeof name !== 'string' || name.trim() === '') {
      throw new DriverError('INVALID_INPUT', `Field ${place + 1} has no name.`, {
        details: { field, texts: faultTexts('fault.fieldUnnamed', { position: place + 1 }) },
      });
    }
    if (typeof type !== 'string' || type === '') {
      throw new DriverError('INVALID_INPUT', `The field “${name}” has no type.`, {
        details: { field, texts: faultTexts('fault.fieldUntyped', { name }) },
      });
    }
    return name;
  });
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice === undefined) return names;
  throw new DriverError('INVALID_INPUT', `The schema has the field “${twice}” twice.`, {
    details: { field, texts: faultTexts('fault.fieldTwice', { name: twice }) },
  });
}
