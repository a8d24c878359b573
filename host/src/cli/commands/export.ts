import type { TableSummary } from '@tabularium/sdk';
import { NO_FILTER, isDriverError } from '@tabularium/sdk';
import { z } from 'zod';
import { findTable, tableName } from '../../common/tableName.ts';
import { csvOptionsSchema, exportFormatSchema } from '../../common/transfer.ts';
import type { ExportProgress } from '../../common/transfer.ts';
import { defineCommand, exportProgressSchema } from './command.ts';
import { findConnection, tellOpening } from './find.ts';

/** Writes what a filter lets pass to a file, and waits for the end of it. */
export const exportTable = defineCommand({
  input: z.object({
    connection: z.string(),
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
  output: exportProgressSchema.extend({ file: z.string(), format: exportFormatSchema, table: z.string() }),
  run: async (services, input, context) => {
    const { signal, emit } = context;
    const { id: connectionId } = findConnection(services, input.connection);
    const tables = await services.sessions
      .use(connectionId, ({ session }) => session.listTables({ signal }), { signal, onProgress: tellOpening(context) })
      .catch(noList);
    // A table that the credentials may read but not list is named as it stands.
    const table = findTable(tables, input.table)?.ref ?? { namespace: [], name: input.table };
    const { format, file, overwrite, columns, csv } = input;
    const started = await services.exports.start({
      connectionId,
      table,
      filter: input.filter === undefined ? NO_FILTER : { ...NO_FILTER, raw: input.filter },
      format,
      file,
      overwrite,
      csv,
      ...(columns === undefined ? {} : { columns }),
    });
    const cancel = (): void => void services.exports.cancel(started.id);
    signal.addEventListener('abort', cancel);
    try {
      if (signal.aborted) cancel();
      for await (const info of services.exports.follow(started.id, new AbortController().signal)) {
        if (info.state === 'running' && !signal.aborted) await emit({ type: 'export', progress: progressOf(info) });
      }
    } finally {
      signal.removeEventListener('abort', cancel);
    }
    return { ...progressOf(await services.exports.outcome(started.id)), file, format, table: tableName(table) };
  },
});

function noList(error: unknown): readonly TableSummary[] {
  if (isDriverError(error) && error.code === 'ACCESS_REFUSED') return [];
  throw error;
}

function progressOf({
  rows,
  bytes,
  bytesPerSecond,
  milliseconds,
  expected,
}: ExportProgress): z.output<typeof exportProgressSchema> {
  return { rows, bytes, bytesPerSecond, milliseconds, ...(expected === undefined ? {} : { expected }) };
}
