import { z } from 'zod';
import { HostError } from '../../../common/errors.ts';
import { importMappingSchema, importStepSchema } from '../../../common/imports.ts';
import type { ImportInfo, ImportStep } from '../../../common/imports.ts';
import { tableName } from '../../../common/tableName.ts';
import { tableToCreate } from '../../importing/importTarget.ts';
import { findWrittenTable } from '../../data/namespaceLister.ts';
import { streams } from '../procedureAnswer.ts';
import { NEVER } from '../trpc.ts';
import { followImport } from './followImport.ts';
import { openSession } from './opening.ts';
import type { OwnerContext } from './ownerContext.ts';
import { ownerProcedure } from './ownerTrpc.ts';
import { sayCreate } from './sayCreate.ts';
import type { WrittenTarget } from './sayCreate.ts';

const inputSchema = z.object({
  /** Of the rows. */
  sourceId: z.uuid(),
  /** Its name with what contains it, joined by dots. */
  source: z.string().min(1),
  /** Where they go. */
  connectionId: z.uuid(),
  table: z.string().min(1),
  mode: z.string().max(40).optional(),
  mapping: importMappingSchema,
  /** Creates the table, like the source or from what its first rows look like. */
  create: z.boolean(),
  /** The name of the table that is there. */
  typedName: z.string().max(1_000).optional(),
  /** Continues the copy of this table into that one that was interrupted. */
  resume: z.boolean(),
  uncertain: z.enum(['repeat', 'skip']).optional(),
  otherTable: z.literal(true).optional(),
});
type Input = z.output<typeof inputSchema>;

/** Copies the rows of a table, until its end. Giving it up pauses the copy, so that it can be resumed. */
export const copyProcedure = ownerProcedure
  .input(inputSchema)
  .output(streams(importStepSchema))
  .mutation(async function* ({ ctx, input, signal = NEVER }): AsyncGenerator<ImportStep, void, undefined> {
    const { session: from, connection: origin } = yield* openSession(ctx, input.sourceId, signal);
    const found = await findWrittenTable(from, input.source, signal);
    const { session: to, connection } = yield* openSession(ctx, input.connectionId, signal);
    const there = await findWrittenTable(to, input.table, signal);
    const source = found ?? { namespace: [], name: input.source };
    const table = there ?? (input.create ? await tableToCreate(to, input.table, signal) : { namespace: [], name: input.table });
    // That of the rows, where the list of its connection has none of this name.
    const missing: WrittenTarget =
      found === undefined
        ? { connection: origin.name, table: input.source, isSource: true }
        : { connection: connection.name, table: input.table };
    const { id } = input.resume
      ? await resumed(ctx, input, source, table, signal)
      : await sayCreate(missing, () => started(ctx, input, source, table, signal));
    yield* followImport(ctx.imports, id, signal);
  });

type Table = ImportInfo['table'];

async function started(
  { imports }: OwnerContext,
  { sourceId, connectionId, mode, mapping, create, typedName }: Input,
  source: Table,
  table: Table,
  signal: AbortSignal,
): Promise<ImportInfo> {
  const request = {
    connectionId,
    table,
    source: { is: 'table', connectionId: sourceId, table: source } as const,
    ...(mode === undefined ? {} : { mode }),
    ...(mapping === undefined ? {} : { mapping }),
    ...(typedName === undefined ? {} : { typedName }),
  };
  const { definition, suggested } = await imports.preview({ ...request, create }, signal);
  if (create && definition === undefined) throw new HostError('INVALID_REQUEST', 'No table can be proposed for these rows.');
  const used = mapping ?? suggested;
  return imports.start(
    { ...request, ...(create ? { definition } : {}), ...(used === undefined ? {} : { mapping: [...used] }) },
    signal,
  );
}

async function resumed(
  { imports }: OwnerContext,
  { sourceId, connectionId, uncertain, otherTable }: Input,
  source: Table,
  table: Table,
  signal: AbortSignal,
): Promise<ImportInfo> {
  const found = imports
    .list()
    .find(
      ({ state, from, ...info }) =>
        (state === 'interrupted' || state === 'paused') &&
        info.connectionId === connectionId &&
        tableName(info.table) === tableName(table) &&
        from?.connectionId === sourceId &&
        tableName(from.table) === tableName(source),
    );
  if (found === undefined) throw new HostError('INVALID_REQUEST', 'No copy of this table into that one was interrupted.');
  return imports.resume(
    { id: found.id, ...(uncertain === undefined ? {} : { uncertain }), ...(otherTable === undefined ? {} : { otherTable }) },
    signal,
  );
}
