import { DriverError, isDriverError } from '@tabularium/sdk';
import { digitsOf } from '../edits/exactValue.ts';
import { countOf, isObject } from '../guards.ts';
import { countFiltered } from '../pages.ts';
import { collectionPath } from '../paths.ts';
import { tableRef } from '../tables.ts';
import { operationField } from './operationField.ts';
import { readSchema } from './readSchema.ts';
import {
  describedOperation,
  documentsText,
  inputMembers,
  placedCollection,
  requestOperation,
  requiredText,
  said,
  step,
} from './searchOperation.ts';
import type { OperationSource, SearchOperation } from './searchOperation.ts';

const MOST_BATCH = 10_000;

/** Deletes the documents that a filter lets pass, after their count was shown. */
export function deleteByQuery(source: OperationSource): SearchOperation {
  const { client } = source;
  const operation = describedOperation({
    id: 'delete-by-query',
    label: 'Delete documents by filter',
    help: 'Deletes the documents that a filter finds. Their number is shown first.',
    effect: 'destructive',
  });
  const form = {
    document: JSON.stringify({ filter_by: '' }),
    fields: [
      operationField({
        type: 'text',
        path: ['filter_by'],
        label: 'Filter',
        help: 'In the server’s syntax, such as year:<2001 && in_stock:false.',
        required: true,
      }),
      operationField({
        type: 'number',
        path: ['batch_size'],
        label: 'Documents at a time',
        help: 'Empty: the server’s own number. A larger number is faster and keeps searches waiting longer.',
        required: false,
        minimum: 1,
        maximum: MOST_BATCH,
      }),
    ],
    presets: [],
  };
  return requestOperation(source, { on: 'table', operation, form: async () => form }, async (call, signal) => {
    const { name } = await readSchema(placedCollection(call.place), client, signal);
    const members = inputMembers(call);
    const filter = requiredText(members, 'filter_by', 'The filter');
    const batch = members['batch_size'] === undefined ? undefined : Number(digitsOf(members['batch_size']) ?? NaN);
    if (batch !== undefined && !(Number.isInteger(batch) && batch >= 1 && batch <= MOST_BATCH)) {
      throw new DriverError('INVALID_INPUT', `“batch_size” must be a whole number from 1 to ${MOST_BATCH}.`, {
        details: { field: 'batch_size' },
      });
    }
    const count = await countFiltered(name, filter, client, signal).catch((error: unknown) => {
      throw refusedFilter(error);
    });
    const query = `filter_by=${encodeURIComponent(filter)}${batch === undefined ? '' : `&batch_size=${batch}`}`;
    return {
      effect: 'destructive',
      consequence: `${documentsText(count)} of “${name}” ${count === 1 ? 'is' : 'are'} found by the filter now. All that it finds when it runs are deleted. This can’t be undone.`,
      texts: said('consequence', 'operationPlan.delete-by-query', { name, count }),
      steps: [
        step(
          'delete',
          `Delete documents of ${name}`,
          [{ method: 'DELETE', path: `${collectionPath(name)}/documents?${query}` }],
          { name },
        ),
      ],
      confirm: name,
      count: { rows: count, exact: true },
      affected: [{ table: tableRef(name), becomes: 'changed' }],
      basis: JSON.stringify({ name, filter }),
      result: ([answer = '']) => {
        const deleted = deletedOf(answer);
        return {
          type: 'result',
          message: deleted === undefined ? `Deleted documents of “${name}”.` : `Deleted ${documentsText(deleted)} of “${name}”.`,
          ...(deleted === undefined
            ? {}
            : { affectedRows: deleted, texts: said('message', 'operationResult.delete-by-query', { name, count: deleted }) }),
        };
      },
    };
  });
}

/** The filter is what a person has just typed, whatever the server says of it. */
function refusedFilter(error: unknown): unknown {
  if (!isDriverError(error) || (error.code !== 'INVALID_INPUT' && error.code !== 'STRUCTURE_CHANGED')) return error;
  return new DriverError('INVALID_INPUT', error.message, { cause: error, details: { ...error.details, field: 'filter_by' } });
}

function deletedOf(answer: string): number | undefined {
  try {
    const value: unknown = JSON.parse(answer);
    return isObject(value) ? countOf(value, 'num_deleted') : undefined;
  } catch {
    return undefined;
  }
}
