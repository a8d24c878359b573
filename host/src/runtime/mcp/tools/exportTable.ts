import { basename } from 'node:path';
import { z } from 'zod';
import { exportFormatSchema } from '../../../common/transfer.ts';
import { runTableExport as writeTable } from '../../transfer/exportRun.ts';
import { connectionArgument } from './connectionArgument.ts';
import { createExportFile, withoutPath } from './exportFile.ts';
import { filterArguments, toFilter } from './filterArgument.ts';
import { findTableArgument, tableArguments } from './tableArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';

export const exportTable = defineTool({
  name: 'export_table',
  title: 'Export table',
  description: 'Writes rows of a table to a new file in a granted folder: for more rows than you want to read.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
    ...filterArguments,
    format: exportFormatSchema.default('jsonl'),
    file: z.string().min(1).max(4_000).describe('A name, or a path in a granted folder.'),
  }),
  output: z.object({
    file: z.string().describe('The name that the file got.'),
    rows: z.number().int(),
    bytes: z.number().int(),
    format: exportFormatSchema,
  }),
  isFor: ({ read, exportFiles }) => read && exportFiles,
  // It changes no data, and makes a file.
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  async run(args, context) {
    return context.withConnection(args.connection, { kind: 'read' }, async ({ manifest, session }) => {
      if (session.export === undefined) {
        throw new ToolFailure('UNSUPPORTED', 'This database exports nothing.', 'Read it page by page with browse_table.');
      }
      const { signal } = context;
      const description = await findTableArgument(session, args.table, args.namespace, signal);
      const filter = toFilter(args, description, manifest);
      const { file, path } = await createExportFile(
        args.file,
        `.${args.format}`,
        context.exportFolders(),
        context.unfinishedFiles,
      );
      let rows = 0;
      try {
        await writeTable(
          session,
          session.export,
          { table: description.ref, filter },
          {
            file,
            format: args.format,
            csv: { header: true, guardFormulas: false },
            signal,
            onWritten: (progress) => {
              rows = progress.rows;
              context.progress(rows, progress.expected?.rows, `${rows} rows`);
            },
          },
        );
        await file.finish();
      } catch (error) {
        await file.abandon();
        throw withoutPath(error);
      }
      return { file: basename(path), rows, bytes: file.bytes, format: args.format };
    });
  },
});
