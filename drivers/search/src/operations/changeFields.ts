import { DriverError, listOfNames } from '@tabularium/sdk';
import type { ExactValue } from '../edits/exactValue.ts';
import { isExactObject } from '../edits/exactValue.ts';
import { collectionPath } from '../paths.ts';
import { jsonRequest } from '../objects/objectSource.ts';
import { tableRef } from '../tables.ts';
import { operationField } from './operationField.ts';
import { readSchema } from './readSchema.ts';
import { fieldList, fieldNames } from './schemaFields.ts';
import {
  MOST_OF_LABEL,
  describedOperation,
  inputMembers,
  placedCollection,
  requestOperation,
  said,
  step,
  textList,
} from './searchOperation.ts';
import type { OperationSource, SearchOperation } from './searchOperation.ts';
import { faultTexts } from '../faultTexts.ts';

/** Adds fields to a collection. */
export function addFields(source: OperationSource): SearchOperation {
  const operation = describedOperation({
    id: 'add-fields',
    label: 'Add fields',
    help: 'Adds fields to the schema. The server indexes the documents that it has; it is slower meanwhile.',
    effect: 'write',
  });
  const form = {
    document: JSON.stringify({ fields: [{ name: '', type: 'string', optional: true }] }, null, 2),
    fields: [fieldList([])],
    presets: [],
  };
  return requestOperation(source, { on: 'table', operation, form: async () => form }, async (call, signal) => {
    const { name, members } = await readSchema(placedCollection(call.place), source.client, signal);
    const input = inputMembers(call);
    const names = fieldNames(input, 'fields');
    const known = new Set(fieldsOf(members['fields']).map((field) => field['name']));
    const twice = names.find((one) => known.has(one));
    if (twice !== undefined) {
      throw new DriverError('CONFLICT', `“${name}” has the field “${twice}” already.`, {
        details: {
          field: 'fields',
          advice: 'To change a field, drop it first and add it again, or reindex into a new collection.',
          texts: faultTexts('fault.fieldExists', { name, field: twice }, 'fault.fieldExists.advice'),
        },
      });
    }
    const fields = listOfNames(names);
    const body = JSON.stringify({ fields: input['fields'] });
    return {
      effect: 'write',
      consequence: `“${name}” gets ${names.length === 1 ? 'the field' : 'the fields'} ${fields}. The server reads its documents for them, which takes a while for many; writes wait until then.`,
      texts: said('consequence', 'operationPlan.add-fields', { name, fields: names, count: names.length }),
      steps: [step('change', `Change the schema of ${name}`, [jsonRequest('PATCH', collectionPath(name), body)], { name })],
      affected: [{ table: tableRef(name), becomes: 'changed' }],
      basis: JSON.stringify({ name }),
      result: () => ({
        type: 'result',
        message: `Added to “${name}”: ${fields}.`,
        texts: said('message', 'operationResult.add-fields', { name, fields: names }),
        undo: {
          label: `Drop ${listOfNames(names, MOST_OF_LABEL)} again`,
          texts: said('label', 'operationUndo.add-fields', { fields: names }),
          call: { place: call.place, operation: 'drop-fields', input: JSON.stringify({ fields: names }) },
        },
      }),
    };
  });
}

/** Drops fields of a collection. The documents keep their values. */
export function dropFields(source: OperationSource): SearchOperation {
  const operation = describedOperation({
    id: 'drop-fields',
    label: 'Drop fields',
    help: 'Takes fields out of the schema. Documents keep their values, but no search, filter or sort reaches them.',
    effect: 'destructive',
  });
  const form = {
    document: JSON.stringify({ fields: [] }),
    fields: [operationField({ type: 'texts', path: ['fields'], label: 'Field names', required: true })],
    presets: [],
  };
  return requestOperation(source, { on: 'table', operation, form: async () => form }, async (call, signal) => {
    const { name, members } = await readSchema(placedCollection(call.place), source.client, signal);
    const names = textList(inputMembers(call), 'fields');
    if (names.length === 0) {
      throw new DriverError('INVALID_INPUT', 'Name a field to drop.', {
        details: { field: 'fields', texts: faultTexts('fault.dropWhich') },
      });
    }
    const known = fieldsOf(members['fields']);
    const unknown = names.find((one) => !known.some((field) => field['name'] === one));
    if (unknown !== undefined) {
      throw new DriverError('INVALID_INPUT', `“${name}” has no field “${unknown}”.`, {
        details: { field: 'fields', texts: faultTexts('fault.noFieldOf', { name, field: unknown }) },
      });
    }
    if (names.includes(String(members['default_sorting_field']))) {
      throw new DriverError('CONFLICT', `“${String(members['default_sorting_field'])}” is the default sorting field.`, {
        details: {
          field: 'fields',
          advice: 'Reindex into a new collection with another default sorting field.',
          texts: faultTexts(
            'fault.defaultSorting',
            { field: String(members['default_sorting_field']) },
            'fault.defaultSorting.advice',
          ),
        },
      });
    }
    const fields = listOfNames(names);
    const before = known.filter((field) => names.includes(String(field['name'])));
    const body = JSON.stringify({ fields: names.map((one) => ({ name: one, drop: true })) });
    return {
      effect: 'destructive',
      confirm: name,
      consequence: `“${name}” loses ${names.length === 1 ? 'the field' : 'the fields'} ${fields}: searches, filters and sorts that use ${names.length === 1 ? 'it' : 'them'} fail from then on. Documents keep the values that are stored.`,
      texts: said('consequence', 'operationPlan.drop-fields', { name, fields: names, count: names.length }),
      steps: [step('change', `Change the schema of ${name}`, [jsonRequest('PATCH', collectionPath(name), body)], { name })],
      affected: [{ table: tableRef(name), becomes: 'changed' }],
      basis: JSON.stringify({ name }),
      result: () => ({
        type: 'result',
        message: `Dropped from “${name}”: ${fields}.`,
        texts: said('message', 'operationResult.drop-fields', { name, fields: names }),
        undo: {
          label: `Add ${listOfNames(names, MOST_OF_LABEL)} again`,
          texts: said('label', 'operationUndo.drop-fields', { fields: names }),
          call: { place: call.place, operation: 'add-fields', input: JSON.stringify({ fields: before }) },
        },
      }),
    };
  });
}

function fieldsOf(fields: ExactValue): readonly Readonly<Record<string, ExactValue>>[] {
  return Array.isArray(fields) ? fields.filter((field) => isExactObject(field)) : [];
}
