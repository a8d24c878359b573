import type { OperationCall } from '@tabularium/sdk';
import { jsonRequest } from '../objects/objectSource.ts';
import type { ObjectMembers } from '../objects/objectDocument.ts';
import { tableRef } from '../tables.ts';
import type { CopyJob } from './copyJob.ts';
import { runCopyJob } from './copyJob.ts';
import { basisText, copyJob, copySteps, readBasis } from './copyPlan.ts';
import type { CopyBasis } from './copyPlan.ts';
import { mustBeFree } from './freeName.ts';
import { operationField } from './operationField.ts';
import { readSchema } from './readSchema.ts';
import {
  confirmedOtherwise,
  describedOperation,
  documentsText,
  inputMembers,
  placedCollection,
  requiredText,
  said,
  switchOf,
} from './searchOperation.ts';
import type { OperationSource, SearchOperation } from './searchOperation.ts';

/** Makes another collection of the same schema, with its documents where that is asked for. */
export function cloneCollection(source: OperationSource): SearchOperation {
  const { client, schemas } = source;
  const operation = describedOperation({
    id: 'clone',
    label: 'Clone',
    help: 'Makes another collection of the same schema, with its documents if you choose so.',
    effect: 'write',
    resumable: true,
  });
  const prepared = async (
    call: OperationCall,
    signal: AbortSignal,
  ): Promise<{ readonly job: CopyJob; readonly documents: number; readonly copies: boolean }> => {
    const members = inputMembers(call, ['name', 'documents']);
    const to = requiredText(members, 'name', 'The name');
    const { name: from, madeAt, shape, documents } = await readSchema(placedCollection(call.place), client, signal);
    await mustBeFree(to, 'name', client, signal);
    const job = jobOf(members, { from, madeAt, shape, aliases: [], settings: false });
    return { job, documents, copies: copiesDocuments(members) };
  };
  return {
    on: 'table',
    operation,
    async form(place, signal) {
      const { name } = await readSchema(placedCollection(place), client, signal);
      return {
        document: JSON.stringify({ name: `${name}_copy`, documents: false }, null, 2),
        fields: [
          operationField({ type: 'text', path: ['name'], label: 'Name', required: true }),
          operationField({
            type: 'switch',
            path: ['documents'],
            label: 'With the documents',
            required: false,
            default: false,
          }),
        ],
        presets: [],
      };
    },
    async plan(call, signal) {
      const { job, documents, copies } = await prepared(call, signal);
      const steps = copySteps(job, []).map(({ requests: _requests, ...one }) => one);
      const values = { from: job.from, to: job.to, count: documents };
      return {
        effect: 'write',
        consequence: copies
          ? `“${job.to}” is made with the schema of “${job.from}”, its synonyms and rules, and ${documentsText(documents)}. “${job.from}” stays as it is.`
          : `“${job.to}” is made with the schema of “${job.from}”, its synonyms and rules. It is empty.`,
        texts: said('consequence', copies ? 'operationPlan.clone.documents' : 'operationPlan.clone.schema', values),
        steps: copies ? steps : steps.slice(0, 1),
        ...(copies ? { count: { rows: documents, exact: true } } : {}),
        affected: [{ table: tableRef(job.to), becomes: 'new' }],
        basis: basisText(job),
      };
    },
    async *run(call, { basis, checkpoint, signal }) {
      const members = inputMembers(call);
      const job = checkpoint === undefined ? (await prepared(call, signal)).job : jobOf(members, readBasis(basis));
      if (basisText(job) !== basis) throw confirmedOtherwise();
      try {
        yield* runCopyJob({ ...job, documents: copiesDocuments(members) }, source, checkpoint, signal);
      } finally {
        schemas.clear();
      }
    },
  };
}

function copiesDocuments(members: ObjectMembers): boolean {
  return switchOf(members, 'documents', false);
}

function jobOf(members: ObjectMembers, basis: CopyBasis): CopyJob {
  const to = requiredText(members, 'name', 'The name');
  const path = `/collections?src_name=${encodeURIComponent(basis.from)}`;
  return copyJob({
    ...basis,
    to,
    create: jsonRequest('POST', path, JSON.stringify({ name: to })),
    stopsOnRejected: true,
    converts: false,
  });
}
