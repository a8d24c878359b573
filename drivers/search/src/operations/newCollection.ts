import { jsonRequest } from '../objects/objectSource.ts';
import { tableRef } from '../tables.ts';
import { mustBeFree } from './freeName.ts';
import { operationField } from './operationField.ts';
import { fieldNames, schemaForm } from './schemaFields.ts';
import { EMPTY_SCHEMA, SCHEMA_PRESETS } from './schemaPresets.ts';
import { describedOperation, inputMembers, requestOperation, requiredText, said, step } from './searchOperation.ts';
import type { OperationSource, SearchOperation } from './searchOperation.ts';

/** Makes a collection of a schema. */
export function newCollection(source: OperationSource): SearchOperation {
  const operation = describedOperation({
    id: 'new-collection',
    label: 'New collection',
    help: 'Makes an empty collection with the fields that you name. A field .* of the type auto learns fields from documents.',
    effect: 'write',
    makes: 'table',
  });
  const form = {
    document: EMPTY_SCHEMA,
    fields: [operationField({ type: 'text', path: ['name'], label: 'Name', required: true }), ...schemaForm([])],
    presets: SCHEMA_PRESETS,
  };
  return requestOperation(source, { on: 'server', operation, form: async () => form }, async (call, signal) => {
    const schema = inputMembers(call);
    const name = requiredText(schema, 'name', 'The name');
    const count = fieldNames(schema, 'fields').length;
    await mustBeFree(name, 'name', source.client, signal);
    return {
      effect: 'write',
      consequence: `The collection “${name}” is made. It is empty.`,
      texts: said('consequence', 'operationPlan.new-collection', { name }),
      steps: [step('create', `Create ${name}`, [jsonRequest('POST', '/collections', JSON.stringify(schema))], { name })],
      affected: [{ table: tableRef(name), becomes: 'new' }],
      basis: JSON.stringify({ name, count }),
      result: () => ({
        type: 'result',
        message: `Made the collection “${name}”.`,
        texts: said('message', 'operationResult.new-collection', { name }),
      }),
    };
  });
}
