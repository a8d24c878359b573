import { DriverError, NO_FILTER, isDriverError } from '@tabularium/sdk';
import { z } from 'zod';
import { tableName } from '../../../common/tableName.ts';
import { csvOptionsSchema, exportFormatSchema, exportStepSchema, whenRowsDifferSchema } from '../../../common/transfer.ts';
import type { ExportProgress, ExportStep, TransferInfo, WhenRowsDiffer } from '../../../common/transfer.ts';
import { findWrittenTable } from '../../data/namespaceLister.ts';
import { streams } from '../procedureAnswer.ts';
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
      whenRowsDiffer: whenRowsDifferSchema,
    }),
  )
  .output(streams(exportStepSchema))
  .mutation(async function* ({ ctx, input, signal = NEVER }): AsyncGenerator<ExportStep, void, undefined> {
    const { connectionId, format, file, overwrite, columns, csv, whenRowsDiffer } = input;
    const { session } = yield* openSession(ctx, connectionId, signal);
    // A table that the credentials may read but not list is named as it is.
    const table = (await findWrittenTable(session, input.table, signal)) ?? { namespace: [], name: input.table };
    const { transfers } = ctx;
    const filter = input.filter === undefined ? NO_FILTER : { ...NO_FILTER, raw: input.filter };
    const request = { connectionId, table, filter, format, file, overwrite, csv, whenRowsDiffer };
    const { id } = await transfers.start({ ...request, ...(columns === undefined ? {} : { columns }) }, 'command');
    const giveUp = (): void => {
      transfers
        .cancel(id)
        .then(({ state }) => (state === 'undecided' ? transfers.decide(id, 'delete') : undefined))
        // It has been decided in this moment.
        .catch(() => undefined);
    };
    signal.addEventListener('abort', giveUp);
    let isAsked = false;
    try {
      if (signal.aborted) giveUp();
      for await (const info of transfers.follow(id, NEVER)) {
        if (signal.aborted) continue;
        if (info.state === 'running') yield { type: 'export', progress: progressOf(info) };
        if (info.state === 'undecided' && info.rowsDiffer !== undefined && !isAsked) {
          isAsked = true;
          yield { type: 'undecided', id, file, rowsDiffer: info.rowsDiffer };
        }
      }
    } finally {
      signal.removeEventListener('abort', giveUp);
      // A command that stops reading has decided nothing.
      if (isAsked && isUndecided(transfers.list(), id)) giveUp();
    }
    const ended = await transfers.outcome(id).catch((error: unknown) => rethrow(error, whenRowsDiffer));
    const difference = ended.rowsDiffer === undefined ? {} : { rowsDiffer: ended.rowsDiffer };
    yield { type: 'exported', result: { ...progressOf(ended), ...difference, file, format, table: tableName(table) } };
  });

/** @throws the error; where no person was asked, with the option that keeps the file */
function rethrow(error: unknown, whenRowsDiffer: WhenRowsDiffer): never {
  if (whenRowsDiffer !== 'fail' || !isDriverError(error) || error.code !== 'ROWS_DIFFER') throw error;
  const advice = 'Export again. If the numbers differ again, repeat the command with --keep-inconsistent to keep the file.';
  throw new DriverError(error.code, error.message, { details: { ...error.details, advice }, cause: error });
}

function isUndecided(list: readonly TransferInfo[], id: string): boolean {
  return list.some((info) => info.id === id && info.state === 'undecided');
}

function progressOf({ rows, bytes, bytesPerSecond, milliseconds, expected }: ExportProgress): ExportProgress {
  return { rows, bytes, bytesPerSecond, milliseconds, ...(expected === undefined ? {} : { expected }) };
}
