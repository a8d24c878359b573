import { DriverError, isDriverError } from '@tabularium/sdk';
import { faultTexts } from '../faultTexts.ts';
import { operationField } from './operationField.ts';
import { describedOperation, inputMembers, requestOperation, requiredText, said, step } from './searchOperation.ts';
import type { OperationSource, SearchOperation } from './searchOperation.ts';

/** Writes everything that the server has to a folder of the server's machine. */
export function snapshot(source: OperationSource): SearchOperation {
  const operation = describedOperation({
    id: 'snapshot',
    label: 'Write a snapshot',
    help: 'Writes all collections, documents, keys and settings to a folder on the server’s own disk.',
    effect: 'destructive',
  });
  const form = {
    document: JSON.stringify({ snapshot_path: '' }),
    fields: [
      operationField({
        type: 'text',
        path: ['snapshot_path'],
        label: 'Folder on the server',
        help: 'An absolute path on the server’s machine, not on yours. Who can read it, reads all data and keys.',
        required: true,
      }),
    ],
    presets: [],
  };
  const planned = requestOperation(source, { on: 'server', operation, form: async () => form }, async (call) => {
    const path = requiredText(inputMembers(call, ['snapshot_path']), 'snapshot_path', 'The folder');
    const request = { method: 'POST', path: `/operations/snapshot?snapshot_path=${encodeURIComponent(path)}` };
    return {
      effect: 'destructive',
      consequence: `The server writes all its data, keys included, to ${path} on its own disk. What is in that folder is replaced.`,
      texts: said('consequence', 'operationPlan.snapshot', { path }),
      steps: [step('snapshot', 'Write the snapshot', [request])],
      confirm: path.slice(0, 1_000),
      affected: [],
      basis: JSON.stringify({ path: path.slice(0, 3_000) }),
      result: () => ({
        type: 'result',
        message: `The server wrote a snapshot to ${path} on its own disk.`,
        texts: said('message', 'operationResult.snapshot', { path }),
      }),
    };
  });
  return {
    ...planned,
    async *run(call, options) {
      try {
        yield* planned.run(call, options);
      } catch (error) {
        throw notWritten(error);
      }
    },
  };
}

/** The server answers a folder that it can't write with 500 and “Copy failed.” (seen on 29.0 and 30.0-dev). */
function notWritten(error: unknown): unknown {
  if (!isDriverError(error) || error.code !== 'SERVER_ERROR') return error;
  return new DriverError('SERVER_ERROR', `The server couldn’t write the snapshot. ${error.message}`, {
    cause: error,
    details: {
      ...error.details,
      advice:
        'Choose a folder on a disk of the server with room for all its data, in which the user that runs the server may write. See the server’s own log for more.',
      texts: { ...error.details.texts, ...faultTexts('fault.snapshot', {}, 'fault.snapshot.advice') },
    },
  });
}
