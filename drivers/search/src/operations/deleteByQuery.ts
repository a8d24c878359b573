import { DriverError, isDriverError, wholeStart } from '@tabularium/sdk';
import type { OperationEvent } from '@tabularium/sdk';
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
import { faultTexts } from '../faultTexts.ts';

const MOST_BATCH = 10_000;
/** Characters of a filter in a sentence. The request has the whole. */
const LONGEST_SHOWN = 400;

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
  const planned = requestOperation(source, { on: 'table', operation, form: async () => form }, async (call, signal) => {
    const { name, documents } = await readSchema(placedCollection(call.place), client, signal);
    const members = inputMembers(call, ['filter_by', 'batch_size']);
    const filter = requiredText(members, 'filter_by', 'The filter');
    const batch = members['batch_size'] === undefined ? undefined : Number(digitsOf(members['batch_size']) ?? NaN);
    if (batch !== undefined && !(Number.isInteger(batch) && batch >= 1 && batch <= MOST_BATCH)) {
      throw new DriverError('INVALID_INPUT', `“batch_size” must be a whole number from 1 to ${MOST_BATCH}.`, {
        details: { field: 'batch_size', texts: faultTexts('fault.batchSize', { most: MOST_BATCH }) },
      });
    }
    const count = await countFiltered(name, filter, client, signal).catch((error: unknown) => {
      throw refusedFilter(error);
    });
    const query = `filter_by=${encodeURIComponent(filter)}${batch === undefined ? '' : `&batch_size=${batch}`}`;
    const isAll = count > 1 && count >= documents;
    const shown = filter.length > LONGEST_SHOWN ? `${wholeStart(filter, LONGEST_SHOWN)}…` : filter;
    return {
      effect: 'destructive',
      consequence: `${isAll ? `All ${documentsText(count)}` : documentsText(count)} of “${name}” ${count === 1 ? 'is' : 'are'} found by the filter ${shown} now. All that it finds when it runs are deleted. This can’t be undone.`,
      texts: said('consequence', 'operationPlan.delete-by-query', { name, count, filter: shown, which: isAll ? 'all' : 'some' }),
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
  return {
    ...planned,
    async *run(call, options) {
      const { name } = await readSchema(placedCollection(call.place), client, options.signal);
      const filter = requiredText(inputMembers(call), 'filter_by', 'The filter');
      const of = await countFiltered(name, filter, client, options.signal).catch(() => undefined);
      yield* watchedDeletion(planned.run(call, options), () => countFiltered(name, filter, client, options.signal), of);
    },
  };
}

/** Between two looks at how many documents are left. */
const LOOK_MILLISECONDS = 2_000;
/** Looks in a row without one document less, after which a deletion whose answer was lost is given up. */
const MOST_IDLE_LOOKS = 15;
const UNIT = { unit: 'documents', texts: { unit: { id: 'operationUnit.documents' } } } as const;

/**
 * A deletion with its progress. The server answers when all is done, which for many documents is later than any time-out, and continues to delete after the
 * request was given up (seen on 29.0 and 30.0-dev): so the count is followed to its end.
 */
async function* watchedDeletion(
  events: AsyncGenerator<OperationEvent, void>,
  left: () => Promise<number>,
  of: number | undefined,
): AsyncGenerator<OperationEvent, void> {
  let last = of ?? 0;
  /** Whether the request may have been sent: its progress is the event before it. */
  let isSent = false;
  const look = async function* (): AsyncGenerator<OperationEvent, void> {
    if (of === undefined) return;
    try {
      last = await left();
    } catch {
      // The deletion is what counts: it goes its way whether or not it can be looked at.
      return;
    }
    yield { type: 'progress', step: 0, done: Math.max(0, of - last), of, ...UNIT };
  };
  try {
    for (;;) {
      const next = events.next();
      // It is awaited below, and may fail while the count is looked at.
      next.catch(() => undefined);
      while ((await Promise.race([next, pause()])) === 'over') yield* look();
      const { value, done } = await next;
      if (done === true) return;
      isSent ||= value.type === 'progress';
      yield value;
    }
  } catch (error) {
    if (!isSent || !isDriverError(error) || !['CANCELLED', 'TIMEOUT'].includes(error.code)) throw error;
    if (error.code === 'CANCELLED') throw goesOn(error);
    // Without a count to begin from, nothing shows whether documents are being deleted.
    if (of === undefined) throw error;
    for (let idle = 0; last > 0 && idle < MOST_IDLE_LOOKS;) {
      const before = last;
      await pause();
      yield* look();
      idle = last < before ? 0 : idle + 1;
    }
    if (last > 0) throw error;
    yield {
      type: 'result',
      message: `Deleted ${documentsText(of)}.`,
      affectedRows: of,
    };
  }
}

function pause(): Promise<'over'> {
  return new Promise((resolve) => {
    setTimeout(resolve, LOOK_MILLISECONDS, 'over');
  });
}

function goesOn(cause: DriverError): DriverError {
  return new DriverError('CANCELLED', 'The server has the request and continues to delete: it can’t be stopped from here.', {
    cause,
    details: { advice: 'Look at the number of documents.', texts: faultTexts('fault.deletesOn', {}, 'fault.deletesOn.advice') },
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
