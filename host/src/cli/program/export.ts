import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RowsDifference } from '@tabularium/sdk';
import type { Command } from 'commander';
import { HostError } from '../../common/errors.ts';
import { exportFormatSchema, exportResultSchema, exportStepSchema } from '../../common/transfer.ts';
import type { ExportFormat, ExportProgress, ExportAnswer } from '../../common/transfer.ts';
import { columnList } from './columnList.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { findConnection } from '../findConnection.ts';
import { createSpoolFolder } from '../spoolFolder.ts';
import { canAskPerson, confirm, rewriteLine, write, writeContent } from '../terminal.ts';
import { namedPath } from './namedPath.ts';
import { choice, follow, print, progressNotifier, run, warn } from './programContext.ts';
import type { ProgramContext } from './programContext.ts';
import { goesToOutput } from './writeOutput.ts';
import type { OutputOptions } from './writeOutput.ts';

const exportAnswer = new JsonAnswer(exportResultSchema);

interface ExportOptions extends OutputOptions {
  readonly format: ExportFormat;
  readonly filter?: string;
  readonly columns?: readonly string[];
  readonly header: boolean;
  readonly guardFormulas?: true;
  readonly keepInconsistent?: true;
}

export function addExportCommand(program: Command, context: ProgramContext): void {
  program
    .command('export')
    .description('write the rows of a table to a file')
    .argument('<connection>', 'name or id')
    .argument('<table>', 'its name, as "tables" prints it')
    .requiredOption('--format <format>', 'jsonl, json or csv', choice('--format', exportFormatSchema.options))
    .requiredOption('--output <file>', 'the file to write; - writes standard output, once all rows are there')
    .option('--filter <text>', "only what this expression lets pass, in the database's own language")
    .option('--columns <names>', 'only these columns, separated by commas (default: all)', columnList)
    .option('--overwrite', 'replace the file when it exists')
    .option('--no-header', 'csv: leave out the line with the names')
    .option('--guard-formulas', 'csv: put an apostrophe before text that a spreadsheet would take for a formula')
    .option('--keep-inconsistent', "keep the file also when its rows differ from the database's own count")
    .addOption(exportAnswer)
    .action(async (connection: string, table: string, options: ExportOptions) => {
      if (!goesToOutput(options)) {
        const result = await exported(context, connection, table, namedPath(context, options.output), options);
        await print(context, options, exportAnswer, result, () => `${sentence(result)}: ${result.file}\n`);
        return;
      }
      const spool = await createSpoolFolder('export');
      try {
        const result = await exported(context, connection, table, join(spool, 'rows'), options);
        for await (const text of createReadStream(result.file, 'utf8')) {
          context.signal.throwIfAborted();
          await writeContent(context.terminal.stdout, text as string);
        }
        await write(context.terminal.stderr, `${sentence(result)}\n`);
      } finally {
        await rm(spool, { recursive: true, force: true });
      }
    });
}

async function exported(
  context: ProgramContext,
  connection: string,
  table: string,
  file: string,
  options: ExportOptions,
): Promise<ExportAnswer> {
  const { format, filter, columns, overwrite, header, guardFormulas, keepInconsistent } = options;
  const live = options.json !== true && context.terminal.stderr.isTTY === true;
  const asks = options.json !== true && canAskPerson(context.terminal);
  const notify = progressNotifier(context, options);
  const answer = await run(context, exportStepSchema, async (api, calling) => {
    const { id: connectionId } = await findConnection(api, connection, calling);
    const events = await api.owner.export.mutate(
      {
        connectionId,
        table,
        format,
        file,
        overwrite: overwrite === true,
        whenRowsDiffer: keepInconsistent === true ? 'keep' : asks ? 'ask' : 'fail',
        csv: { header, guardFormulas: guardFormulas === true },
        ...(filter === undefined ? {} : { filter }),
        ...(columns === undefined ? {} : { columns: [...columns] }),
      },
      calling,
    );
    return follow(events, exportStepSchema, async (event) => {
      if (event.type === 'install') await notify(event.progress);
      if (live && event.type === 'export') await rewriteLine(context.terminal.stderr, sentence(event.progress));
      if (event.type !== 'undecided') return;
      if (live) await rewriteLine(context.terminal.stderr, '');
      const question = goesToOutput(options) ? 'Print the rows?' : `Keep ${event.file}?`;
      const keeps = await confirm(context.terminal, `${differenceText(event.rowsDiffer)} ${question}`, context.signal);
      await api.exports.decide.mutate({ id: event.id, decision: keeps ? 'keep' : 'delete' }, calling);
    });
  });
  if (answer.type !== 'exported') throw new HostError('INTERNAL', 'The export ended without a result.');
  if (live) await rewriteLine(context.terminal.stderr, '');
  const { result } = answer;
  if (result.rowsDiffer !== undefined && options.json !== true) await warn(context, differenceText(result.rowsDiffer));
  return result;
}

function sentence({ rows, bytes, bytesPerSecond, expected }: ExportProgress): string {
  const of = expected === undefined || expected.rows === rows ? '' : ` of ${expected.exact ? '' : 'about '}${expected.rows}`;
  return `${rows}${of} ${rows === 1 ? 'row' : 'rows'}, ${megabytes(bytes)}, ${megabytes(bytesPerSecond)}/s`;
}

function differenceText({ got, counted }: RowsDifference): string {
  const what = got < counted ? 'Rows may be missing.' : 'Rows may no longer exist in the database.';
  return `The file has ${got} ${got === 1 ? 'row' : 'rows'}, but the database counts ${counted}. ${what}`;
}

function megabytes(bytes: number): string {
  return bytes < 100_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
