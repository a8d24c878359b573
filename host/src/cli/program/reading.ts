import type { StatementEffect } from '@tabularium/sdk';
import { visibleText } from '@tabularium/sdk';
import type { Command } from 'commander';
import type { CommandOutput } from '../commands/index.ts';
import { HostError } from '../../common/errors.ts';
import { JsonQueryOutput, TextQueryOutput } from '../output/queryOutput.ts';
import { textTable } from '../output/table.ts';
import { confirm, isInteractive, write, writeJson } from '../terminal.ts';
import { print, run, warn, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const DEFAULT_ROWS = 1_000;
const MOST_ROWS = 500_000;

interface QueryOptions extends JsonOption {
  readonly maxRows: number;
  readonly yes?: true;
}

export function addReadingCommands(program: Command, context: ProgramContext): void {
  program
    .command('tables')
    .description(
      'list the tables of a connection with their number of rows; exit code 1 when there are none because something failed',
    )
    .argument('<connection>', 'name or id')
    .option('--json', 'answer in JSON')
    .action(async (connection: string, options: JsonOption) => {
      const answer = await run(context, options, 'tables', { connection });
      const findings = answer.findings ?? [];
      if (options.json !== true) {
        for (const { label, outcome, message } of findings)
          await warn(context, visibleText(`${label}: ${message}`, 'name', 2_000), outcome === 'failed' ? 'Failed' : 'Warning');
      }
      // An empty list is an answer only where the database was really asked.
      if (answer.tables.length === 0 && findings.some(({ outcome }) => outcome === 'failed')) context.setExitCode(1);
      await print(context, options, answer, () =>
        textTable(
          [{ title: 'NAME' }, { title: 'ROWS', align: 'right' }],
          answer.tables.map(({ name, rows, estimated }) => [
            name,
            rows === null ? '?' : `${estimated === true ? '~' : ''}${rows}`,
          ]),
        ),
      );
    });

  program
    .command('query')
    .description("run a statement in the database's own language")
    .argument('<connection>', 'name or id')
    .argument('<statement>', 'the statement; "-" reads it from standard input')
    .option('--max-rows <n>', 'rows for each result', wholeNumber('--max-rows', 1, MOST_ROWS), DEFAULT_ROWS)
    .option('--yes', 'run it also when it changes or destroys data')
    .option('--json', 'answer in JSON')
    .action(async (connection: string, statement: string, options: QueryOptions) => {
      const text = statement === '-' ? await readAll(context) : statement;
      await query(context, connection, text, options);
    });
}

async function query(context: ProgramContext, connection: string, text: string, options: QueryOptions): Promise<void> {
  const { stdout, stderr } = context.terminal;
  const out =
    (send: typeof write) =>
    (chunk: string): Promise<void> => {
      context.beginAnswer();
      return send(stdout, chunk);
    };
  const output =
    options.json === true
      ? new JsonQueryOutput(out(writeJson))
      : new TextQueryOutput(out(write), (chunk) => write(stderr, chunk));
  let agreedTo: StatementEffect = options.yes === true ? 'destructive' : 'read';
  for (;;) {
    const answer: CommandOutput<'query'> = await run(
      context,
      options,
      'query',
      { connection, text, maxRows: options.maxRows, agreedTo },
      (event) => (event.type === 'result' ? output.event(event.event) : undefined),
    );
    if (answer.done) return output.end();
    await askToRun(context, answer.effect, answer.summaries);
    agreedTo = answer.effect;
  }
}

async function askToRun(context: ProgramContext, effect: StatementEffect, summaries: readonly string[]): Promise<void> {
  const what = effect === 'destructive' ? 'This destroys data that cannot be brought back' : 'This changes data';
  const sentence = `${what}: ${summaries.map((summary) => visibleText(summary)).join('; ')}.`;
  const refused = new HostError('APPROVAL_REQUIRED', `${sentence} Nothing was run.`, {
    details: { advice: 'Add --yes to run it, or run it at a terminal and agree.' },
  });
  if (!isInteractive(context.terminal)) throw refused;
  if (!(await confirm(context.terminal, `${sentence} Run it?`, context.signal))) throw refused;
}

async function readAll(context: ProgramContext): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of context.terminal.stdin as AsyncIterable<Buffer | string>) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}
