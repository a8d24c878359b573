import { resolve } from 'node:path';
import type { Command } from 'commander';
import { HostError } from '../../common/errors.ts';
import { exportFormatSchema, exportResultSchema, exportStepSchema } from '../../common/transfer.ts';
import type { ExportFormat, ExportProgress } from '../../common/transfer.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { findConnection } from '../findConnection.ts';
import { rewriteLine } from '../terminal.ts';
import { UsageError } from '../usageError.ts';
import { choice, follow, print, progressNotifier, run } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const exportAnswer = new JsonAnswer(exportResultSchema);

interface ExportOptions extends JsonOption {
  readonly format: ExportFormat;
  readonly output: string;
  readonly filter?: string;
  readonly columns?: readonly string[];
  readonly overwrite?: true;
  readonly header: boolean;
  readonly guardFormulas?: true;
}

export function addExportCommand(program: Command, context: ProgramContext): void {
  program
    .command('export')
    .description('write the rows of a table to a file')
    .argument('<connection>', 'name or id')
    .argument('<table>', 'its name, as "tables" prints it')
    .requiredOption('--format <format>', 'jsonl, json or csv', choice('--format', exportFormatSchema.options))
    .requiredOption('--output <file>', 'the file to write')
    .option('--filter <text>', "only what this expression lets pass, in the database's own language")
    .option('--columns <names>', 'only these columns, separated by commas (default: all)', columnList)
    .option('--overwrite', 'replace the file when it exists')
    .option('--no-header', 'csv: leave out the line with the names')
    .option('--guard-formulas', 'csv: put an apostrophe before text that a spreadsheet would take for a formula')
    .addOption(exportAnswer)
    .action(async (connection: string, table: string, options: ExportOptions) => {
      const { format, output, filter, columns, overwrite, header, guardFormulas } = options;
      const live = options.json !== true && context.terminal.stderr.isTTY === true;
      const notify = progressNotifier(context, options);
      const answer = await run(context, exportStepSchema, async (api, calling) => {
        const { id: connectionId } = await findConnection(api, connection, calling);
        const events = await api.owner.export.mutate(
          {
            connectionId,
            table,
            format,
            file: resolve(context.folder, output),
            overwrite: overwrite === true,
            csv: { header, guardFormulas: guardFormulas === true },
            ...(filter === undefined ? {} : { filter }),
            ...(columns === undefined ? {} : { columns: [...columns] }),
          },
          calling,
        );
        return follow(events, exportStepSchema, async (event) => {
          if (event.type === 'install') await notify(event.progress);
          if (live && event.type === 'export') await rewriteLine(context.terminal.stderr, sentence(event.progress));
        });
      });
      if (answer.type !== 'exported') throw new HostError('INTERNAL', 'The export ended without a result.');
      const { result } = answer;
      if (live) await rewriteLine(context.terminal.stderr, '');
      await print(context, options, exportAnswer, result, () => `${sentence(result)}: ${result.file}\n`);
    });
}

function sentence({ rows, bytes, bytesPerSecond, expected }: ExportProgress): string {
  const of = expected === undefined || expected.rows === rows ? '' : ` of ${expected.exact ? '' : 'about '}${expected.rows}`;
  return `${rows}${of} ${rows === 1 ? 'row' : 'rows'}, ${megabytes(bytes)}, ${megabytes(bytesPerSecond)}/s`;
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function columnList(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.some((name) => name === '')) throw new UsageError('--columns takes names, separated by commas.');
  return names;
}
