import { streams } from '../procedureAnswer.ts';
import type { TableSummary } from '@tabularium/sdk';
import { NO_FILTER, isDriverError } from '@tabularium/sdk';
import { z } from 'zod';
import { findTable, tableName } from '../../../common/tableName.ts';
import { csvOptionsSchema, exportFormatSchema, exportStepSchema } from '../../../common/transfer.ts';
import type { ExportProgress, ExportStep } from '../../../common/transfer.ts';
import { NEVER } from '../trpc.ts';
import { openSession } from './opening.ts';
import { ownerProcedure } from './ownerTrpc.ts';

/** Writes what a filter lets pass to a file, until its end. Giving it up ends the export and removes the unfinished file. */
export const exportProcedure = ownerProcedure
  .input(
    z.object({
      connectionId: z.uuid(),
      /** Its name with what contains it, joined by dots. */
      table: z.string().min(1),
      format: exportFormatSchema,
      /** An absolute path. */
      file: z.string().min(1),
      overwrite: z.boolean(),
      /** In the database's own language. */
      filter: z.string().optional(),
      columns: z.array(z.string().max(1_000)).min(1).max(10_000).optional(),
      csv: csvOptionsSchema,
    }),
  )
  .output(streams(exportStepSchema))
  .mutation(async function* ({ ctx, input, signal = NEVER }): AsyncGenerator<ExportStep, void, undefined> {
    const { connectionId, format, file, overwrite, columns, csv } = input;
    const { session } = yield* openSession(ctx, connectionId, signal);
    const tables = await session.listTables({ signal }).catch(noList);
    // A table that the credentials may read but not list is named as it is.
    const table = findTable(tables, input.table)?.ref ?? { namespace: [], name: input.table };
    const { transfers } = ctx;
    const started = await transfers.start({
      connectionId,
      table,
      filter: input.filter === undefined ? NO_FILTER : { ...NO_FILTER, raw: input.filter },
      format,
      file,
      overwrite,
      csv,
      ...(columns === undefined ? {} : { columns }),
    });
    const cancel = (): void => void transfers.cancel(started.id);
    signal.addEventListener('abort', cancel);
    try {
      if (signal.aborted) cancel();
      for await (const info of transfers.follow(started.id, NEVER)) {
        if (info.state === 'running' && !signal.aborted) yield { type: 'export', progress: progressOf(info) };
      }
    } finally {
      signal.removeEventListener('abort', cancel);
    }
    const result = { ...progressOf(await transfers.outcome(started.id)), file, format, table: tableName(table) };
    yield { type: 'exported', result };
  });

function noList(error: unknown): readonly TableSummary[] {
  if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return [];
  throw error;
}

function progressOf({ rows, bytes, bytesPerSecond, milliseconds, expected }: ExportProgress): ExportProgress {
  return { rows, bytes, bytesPerSecond, milliseconds, ...(expected === undefined ? {} : { expected }) };
}
