import type { StatementEffect } from '@tabularium/sdk';
import { listOfNames, visibleText } from '@tabularium/sdk';
import { findingSchema } from '@tabularium/sdk/protocol';
import type { Command } from 'commander';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import { openConnectionInfoSchema } from '../../common/api.ts';
import { queryEventSchema } from '../../common/console.ts';
import { namedTablesSchema } from '../../common/namedTables.ts';
import { openingSteps } from '../../common/opening.ts';
import { tableName } from '../../common/tableName.ts';
import { UsageError } from '../usageError.ts';
import { findConnection } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import { JsonQueryOutput, TextQueryOutput, queryResultSchema } from '../output/queryOutput.ts';
import { textTable } from '../output/table.ts';
import { confirm, canAskPerson, rewriteLine, write, writeJson } from '../terminal.ts';
import { tablesToList } from './tablesToList.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { STANDARD_STREAM } from './namedPath.ts';
import { follow, print, progressNotifier, run, warn, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { readStandardInput } from './readStandardInput.ts';

/** As they are printed: with what contains a table before its name, joined by dots. */
const listedTablesSchema = z.object({
  tables: z.array(
    z.object({
      name: z.string(),
      rows: z.number().nullable(),
      /** The number of rows is an estimate. */
      estimated: z.literal(true).optional(),
    }),
  ),
  /** Tables that a person has opened by name, because the credentials may not list them; absent when there is none. */
  namedTables: z.array(z.object({ name: z.string(), openedByName: z.literal(true) })).optional(),
  /** Namespaces whose tables are not here, because they were not asked for: --namespace or --all lists them. Absent where there is none. */
  notListed: z.array(z.string()).optional(),
  /** Namespaces that can't be listed, with the reason; absent where there is none. */
  refused: z.array(z.object({ namespace: z.string(), message: z.string() })).optional(),
  /** Lists that have more than was read of them: `read` entries, of a namespace or, without one, of the connection. Absent where there is none. */
  cut: z
    .array(z.object({ namespace: z.string().optional(), list: z.enum(['namespaces', 'tables']), read: z.number() }))
    .optional(),
  /** Problems that the session found, such as a key that the server rejects; absent without any. */
  findings: z.array(findingSchema).optional(),
});

type ListedTables = z.output<typeof listedTablesSchema>;

const tablesAnswer = new JsonAnswer(listedTablesSchema);
const queryAnswer = new JsonAnswer(queryResultSchema);
/** The progress of opening, as far as a command needs it: a newer host's manifest needn't be understood. */
const openProgressSchema = z.discriminatedUnion('step', [
  ...openingSteps,
  z.object({ step: z.literal('open'), connection: openConnectionInfoSchema.pick({ findings: true, initialNamespaces: true }) }),
]);

const DEFAULT_ROWS = 1_000;
const MOST_ROWS = 500_000;

interface TablesOptions extends JsonOption {
  readonly namespace?: string;
  readonly all?: true;
}

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
    .option(
      '--namespace <path>',
      'only the tables in it, such as a database or a schema; its names joined by dots, or as a list of JSON',
    )
    .option('--all', 'the tables of every namespace, also those that are not listed at first')
    .addOption(tablesAnswer)
    .action(async (connection: string, options: TablesOptions) => {
      if (options.all === true && options.namespace !== undefined)
        throw new UsageError('--all lists every namespace, and --namespace one. Leave one of them out.');
      const answer = await listTables(context, connection, options);
      const findings = answer.findings ?? [];
      if (options.json !== true) {
        for (const { label, outcome, message } of findings)
          await warn(context, visibleText(`${label}: ${message}`, 'name', 2_000), outcome === 'failed' ? 'Failed' : 'Warning');
      }
      if (options.json !== true) {
        for (const { namespace, message } of answer.refused ?? [])
          await warn(context, visibleText(`“${namespace}” can't be listed: ${message}`, 'name', 2_000), 'Warning');
        const others = answer.notListed ?? [];
        if (others.length > 0)
          await warn(
            context,
            `Not listed: ${visibleText(listOfNames(others), 'name', 2_000)}. --namespace PATH lists one of them, --all every one.`,
            'Note',
          );
      }
      if (options.json !== true) {
        for (const { namespace, list, read } of answer.cut ?? [])
          await warn(
            context,
            visibleText(
              `Only the first ${read} ${list}${namespace === undefined ? '' : ` of “${namespace}”`} were read. --namespace PATH lists one namespace.`,
              'name',
              2_000,
            ),
            'Warning',
          );
      }
      // An empty list is an answer only where the database was really asked.
      if (answer.tables.length === 0 && findings.some(({ outcome }) => outcome === 'failed')) context.setExitCode(1);
      await print(context, options, tablesAnswer, answer, () => tablesText(answer));
    });

  program
    .command('query')
    .description("run a statement in the database's own language")
    .argument('<connection>', 'name or id')
    .argument('<statement>', 'the statement; "-" reads it from standard input')
    .option('--max-rows <n>', 'rows for each result', wholeNumber('--max-rows', 1, MOST_ROWS), DEFAULT_ROWS)
    .option('--yes', 'run it also when it changes or destroys data')
    .addOption(queryAnswer)
    .action(async (connection: string, statement: string, options: QueryOptions) => {
      const text = statement === STANDARD_STREAM ? await readStandardInput(context, LARGEST_STATEMENT) : statement;
      await query(context, connection, text, options);
    });
}

/** Bytes of a statement from standard input. */
const LARGEST_STATEMENT = 8 * 1024 * 1024;

async function query(context: ProgramContext, connection: string, text: string, options: QueryOptions): Promise<void> {
  if (text.trim() === '') throw new HostError('INVALID_REQUEST', 'There is no statement in this text.');
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
  const notify = progressNotifier(context, options);
  let agreedTo: StatementEffect = options.yes === true ? 'destructive' : 'read';
  for (;;) {
    const last = await run(context, queryEventSchema.optional(), async (api, calling) => {
      const { id: connectionId } = await findConnection(api, connection, calling);
      const events = await api.owner.query.mutate({ connectionId, text, maxRows: options.maxRows, agreedTo }, calling);
      return follow(events, queryEventSchema, async (event) => {
        if (event.type === 'install') await notify(event.progress);
        if (event.type === 'result') await output.event(event.event);
      });
    });
    if (last?.type !== 'refused') return output.end();
    await askToRun(context, last.effect, last.summaries);
    agreedTo = last.effect;
  }
}

async function askToRun(context: ProgramContext, effect: StatementEffect, summaries: readonly string[]): Promise<void> {
  const what = effect === 'destructive' ? 'This destroys data that cannot be brought back' : 'This changes data';
  const sentence = `${what}: ${summaries.map((summary) => visibleText(summary)).join('; ')}.`;
  const refused = new HostError('APPROVAL_REQUIRED', `${sentence} Nothing was run.`, {
    details: { advice: 'Add --yes to run it, or run it at a terminal and agree.' },
  });
  if (!canAskPerson(context.terminal)) throw refused;
  if (!(await confirm(context.terminal, `${sentence} Run it?`, context.signal))) throw refused;
}

async function listTables(context: ProgramContext, nameOrId: string, options: TablesOptions): Promise<ListedTables> {
  const notify = progressNotifier(context, options);
  return run(context, listedTablesSchema, async (api, calling) => {
    const { id: connectionId } = await findConnection(api, nameOrId, calling);
    const steps = await api.connections.open.mutate({ connectionId }, calling);
    const last = await follow(steps, openProgressSchema, async (step) => {
      if (step.step === 'installing') await notify(step.install);
    });
    const opened = last?.step === 'open' ? last.connection : undefined;
    const findings = (opened?.findings ?? []).filter(({ outcome }) => outcome !== 'ok');
    const progress = listingProgress(context, options);
    const { tables, ...left } = await tablesToList(
      { api, connectionId, calling },
      opened?.initialNamespaces,
      options,
      progress.onPage,
    ).finally(progress.end);
    const named =
      options.namespace === undefined
        ? understood(namedTablesSchema, await api.tables.named.query({ connectionId }, calling)).tables
        : [];
    return {
      tables: tables.map(({ ref, count }) => ({
        name: tableName(ref),
        rows: count?.rows ?? null,
        ...(count?.exact === false ? { estimated: true as const } : {}),
      })),
      ...(named.length === 0 ? {} : { namedTables: named.map((ref) => ({ name: tableName(ref), openedByName: true as const })) }),
      ...left,
      ...(findings.length === 0 ? {} : { findings }),
    };
  });
}

/** Reading that takes no longer has no progress. */
const PATIENCE = 500;

/** On a terminal: how much was read, once it takes a while. */
function listingProgress(
  { terminal: { stderr } }: ProgramContext,
  { json }: JsonOption,
): { readonly onPage: (entries: number) => Promise<void>; readonly end: () => Promise<void> } {
  const began = performance.now();
  let read = 0;
  let isShown = false;
  return {
    onPage: async (entries) => {
      read += entries;
      if (json === true || stderr.isTTY !== true || performance.now() - began < PATIENCE) return;
      isShown = true;
      await rewriteLine(stderr, `Reading namespaces and tables: ${read} so far`);
    },
    end: async () => {
      if (isShown) await rewriteLine(stderr, '');
    },
  };
}

/** The list of the database, then tables that were opened by name under a heading of their own. */
function tablesText({ tables, namedTables = [] }: ListedTables): string {
  const list = textTable(
    [{ title: 'NAME' }, { title: 'ROWS', align: 'right' }],
    tables.map(({ name, rows, estimated }) => [name, rows === null ? '?' : `${estimated === true ? '~' : ''}${rows}`]),
  );
  if (namedTables.length === 0) return list;
  const named = textTable(
    [{ title: 'OPENED BY NAME' }],
    namedTables.map(({ name }) => [name]),
  );
  return `${list}\n${named}`;
}
