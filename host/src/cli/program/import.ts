import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { importFileFormatSchema } from '../../common/imports.ts';
import type { ImportField, ImportFileFormat, ImportInfo } from '../../common/imports.ts';
import { findConnection } from '../findConnection.ts';
import { createSpoolFolder } from '../spoolFolder.ts';
import { UsageError } from '../usageError.ts';
import { addImportField } from './addImportField.ts';
import { followedImport, importAnswer, printImport, rejectedFileOf } from './followedImport.ts';
import { STANDARD_STREAM, namedPath } from './namedPath.ts';
import { choice } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const SEPARATORS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const;

interface ImportOptions extends JsonOption {
  readonly file: string;
  readonly mode?: string;
  readonly format?: ImportFileFormat;
  readonly separator?: keyof typeof SEPARATORS;
  readonly header: boolean;
  readonly map?: readonly ImportField[];
  readonly create?: true;
  readonly rejected?: string;
  readonly resume?: true;
  readonly uncertain?: 'repeat' | 'skip';
  readonly otherTable?: true;
}

export function addImportCommand(program: Command, context: ProgramContext): void {
  program
    .command('import')
    .description('write the rows of a file into a table')
    .argument('<connection>', 'name or id')
    .argument('<table>', 'its name, as "tables" prints it')
    .requiredOption('--file <file>', 'jsonl, json or csv, also compressed with gzip; - reads standard input')
    .option(
      '--mode <mode>',
      "what happens to rows that are there, such as create, upsert, update, emplace (default: the driver's first)",
    )
    .option(
      '--format <format>',
      'jsonl, json, csv or rejected (default: by the content)',
      choice('--format', importFileFormatSchema.options),
    )
    .option(
      '--separator <separator>',
      'csv: comma, semicolon, tab or pipe (default: by the content)',
      choice('--separator', Object.keys(SEPARATORS) as (keyof typeof SEPARATORS)[]),
    )
    .option('--no-header', 'csv: the first line is a row')
    .option(
      '--map <source=target:type>',
      'the field of a column, or nothing behind = to leave it out; and its type: text, integer, decimal, boolean, json or list. Repeatable',
      addImportField,
    )
    .option('--create', 'create the table from what the first rows look like')
    .option('--rejected <file>', 'write rejected rows and their reasons there; import that file to try them again')
    .option('--resume', 'continue the import of this file that was interrupted')
    .option(
      '--uncertain <what>',
      'with --resume: repeat or skip rows that may have been written, where they have no key',
      choice('--uncertain', ['repeat', 'skip'] as const),
    )
    .option('--other-table', 'with --resume: continue in a table that was made again, or lacks rows that were written')
    .addOption(importAnswer)
    .action(async (connection: string, table: string, options: ImportOptions) => {
      if (options.uncertain !== undefined && options.resume !== true) throw new UsageError('--uncertain needs --resume.');
      if (options.otherTable === true && options.resume !== true) throw new UsageError('--other-table needs --resume.');
      if (options.file === STANDARD_STREAM && options.resume === true)
        throw new UsageError('Standard input cannot be read again, so its import cannot be resumed.');
      const rejected = await rejectedFileOf(context, options.rejected);
      const source = options.file === STANDARD_STREAM ? await spooled(context) : { file: namedPath(context, options.file) };
      try {
        const info = await imported(context, connection, table, source.file, options);
        await printImport(context, options, info, rejected);
      } finally {
        if ('folder' in source) await rm(source.folder, { recursive: true, force: true });
      }
    });
}

async function imported(
  context: ProgramContext,
  connection: string,
  table: string,
  file: string,
  options: ImportOptions,
): Promise<ImportInfo> {
  const { mode, format, separator, header, map, create, resume, uncertain, otherTable } = options;
  const chosen = {
    ...(format === undefined ? {} : { format }),
    ...(separator === undefined ? {} : { separator: SEPARATORS[separator] }),
    ...(header ? {} : { header: false }),
  };
  return followedImport(context, options, async (api, calling) => {
    const { id: connectionId } = await findConnection(api, connection, calling);
    return api.owner.import.mutate(
      {
        connectionId,
        table,
        file,
        format: chosen,
        create: create === true,
        resume: resume === true,
        ...(mode === undefined ? {} : { mode }),
        ...(map === undefined ? {} : { mapping: [...map] }),
        ...(uncertain === undefined ? {} : { uncertain }),
        ...(otherTable === undefined ? {} : { otherTable }),
      },
      calling,
    );
  });
}

/** Standard input as a file: its end is not known before, and it cannot be read again. */
async function spooled(context: ProgramContext): Promise<{ readonly file: string; readonly folder: string }> {
  const folder = await createSpoolFolder('import');
  const file = join(folder, 'standard input');
  try {
    const input = Readable.from(context.terminal.stdin as AsyncIterable<Buffer | string>, { objectMode: false });
    await pipeline(input, createWriteStream(file, { mode: 0o600 }), { signal: context.signal });
    return { file, folder };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
