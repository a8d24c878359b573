import type { TableSummary } from '@tabularium/sdk';
import { z } from 'zod';
import { HostError } from '../../../common/errors.ts';
import { importFormatChoiceSchema, importMappingSchema, importStepSchema } from '../../../common/imports.ts';
import type { ImportInfo, ImportStep, RowImportPreview } from '../../../common/imports.ts';
import { tableToCreate } from '../../importing/importTarget.ts';
import { findWrittenTable } from '../../data/namespaceLister.ts';
import { streams } from '../procedureAnswer.ts';
import { NEVER } from '../trpc.ts';
import { followImport } from './followImport.ts';
import type { OwnerContext } from './ownerContext.ts';
import { openSession } from './opening.ts';
import { ownerProcedure } from './ownerTrpc.ts';
import { sayCreate } from './sayCreate.ts';

const inputSchema = z.object({
  connectionId: z.uuid(),
  /** Its name with what contains it, joined by dots. */
  table: z.string().min(1),
  /** An absolute path. */
  file: z.string().min(1),
  mode: z.string().max(40).optional(),
  format: importFormatChoiceSchema.optional(),
  mapping: importMappingSchema,
  /** Creates the table from what the first rows look like. */
  create: z.boolean(),
  /** Continues the import of this file into this table that was interrupted. */
  resume: z.boolean(),
  uncertain: z.enum(['repeat', 'skip']).optional(),
  otherTable: z.literal(true).optional(),
});

/** Imports a file, until its end. Giving it up pauses the import, so that it can be resumed. */
export const importProcedure = ownerProcedure
  .input(inputSchema)
  .output(streams(importStepSchema))
  .mutation(async function* ({ ctx, input, signal = NEVER }): AsyncGenerator<ImportStep, void, undefined> {
    const { session, connection } = yield* openSession(ctx, input.connectionId, signal);
    const table =
      (await findWrittenTable(session, input.table, signal)) ??
      (input.create ? await tableToCreate(session, input.table, signal) : { namespace: [], name: input.table });
    const { imports } = ctx;
    const { id } = input.resume
      ? await resumed(ctx, input, table.name, signal)
      : await sayCreate({ connection: connection.name, table: input.table }, () => started(ctx, input, table, signal));
    yield* followImport(imports, id, signal);
  });

/** A table is proposed by rows that would be taken: where there is none, the first row says why. */
function notProposable(rows: RowImportPreview['rows']): HostError {
  const problem = rows.find((row) => row.problem !== undefined)?.problem?.message;
  return new HostError(
    'INVALID_REQUEST',
    problem === undefined
      ? rows.length === 0
        ? 'No table can be proposed for this file: it has no rows.'
        : 'This driver proposes no table for these rows.'
      : `No table can be proposed for this file: no row of it would be taken. The first one: ${problem}`,
    { details: { advice: 'Correct the file, or make the table first and import into it.' } },
  );
}

type Input = z.output<typeof inputSchema>;

async function started(
  { imports }: OwnerContext,
  { connectionId, file, mode, format, mapping, create }: Input,
  table: TableSummary['ref'],
  signal: AbortSignal,
): Promise<ImportInfo> {
  const request = {
    connectionId,
    table,
    source: { is: 'file', path: file } as const,
    ...(mode === undefined ? {} : { mode }),
    ...(format === undefined ? {} : { format }),
    ...(mapping === undefined ? {} : { mapping }),
  };
  if (!create) return imports.start(request, signal);
  const { definition, suggested, rows } = await imports.preview({ ...request, create }, signal);
  if (definition === undefined) throw notProposable(rows);
  return imports.start({ ...request, definition, ...(suggested === undefined ? {} : { mapping: [...suggested] }) }, signal);
}

async function resumed(
  { imports }: OwnerContext,
  { connectionId, file, uncertain, otherTable }: Input,
  table: string,
  signal: AbortSignal,
): Promise<ImportInfo> {
  const found = imports
    .list()
    .find(
      (info) =>
        (info.state === 'interrupted' || info.state === 'paused') &&
        info.connectionId === connectionId &&
        info.table.name === table &&
        imports.isOf(info.id, file),
    );
  if (found === undefined) throw new HostError('INVALID_REQUEST', 'No import of this file into this table was interrupted.');
  return imports.resume(
    { id: found.id, ...(uncertain === undefined ? {} : { uncertain }), ...(otherTable === undefined ? {} : { otherTable }) },
    signal,
  );
}
