import type { Command } from 'commander';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import {
  BEST_GRADE,
  DEFAULT_DEPTH,
  LARGEST_QUERY_SET_FILE,
  MOST_DEPTH,
  RELEVANCE_METRICS,
  importedQuerySetSchema,
  querySetFormatSchema,
  querySetInfoSchema,
  queryMetricsSchema,
  relevanceRunEventSchema,
  relevanceTotalsSchema,
  searchConfigurationSchema,
} from '../../common/relevance.ts';
import type { QuerySetFormat, QuerySetInfo, RelevanceMetric, RelevanceRun } from '../../common/relevance.ts';
import { tableName } from '../../common/tableName.ts';
import { findConnection, savedConnections } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import { textTable } from '../output/table.ts';
import { rewriteLine } from '../terminal.ts';
import { readTextFile } from '../textFiles.ts';
import { UsageError } from '../usageError.ts';
import { chosenWays, DEFAULT_NAME } from './chosenWays.ts';
import { columnList } from './columnList.ts';
import { addDifferencesCommand } from './differences.ts';
import { allSets, findSet } from './findSet.ts';
import { findTableOf } from './findTableOf.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { namedPath } from './namedPath.ts';
import { choice, follow, print, run, warn, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';
import { addRecordedCommand } from './recorded.ts';
import { writeOutput } from './writeOutput.ts';

const listedSchema = z.object({
  id: z.string(),
  name: z.string(),
  /** Null: it was removed, so that the set is there for every connection. */
  connection: z.string().nullable(),
  table: z.string(),
  queries: z.number(),
  judgments: z.number(),
});
const listAnswer = new JsonAnswer(z.object({ sets: z.array(listedSchema) }));
const runAnswer = new JsonAnswer(
  z.object({
    set: z.string(),
    connection: z.string(),
    depth: z.number(),
    relevantFrom: z.number(),
    queries: z.number(),
    configurations: z.array(relevanceTotalsSchema.extend({ name: z.string() })),
    perQuery: z.array(z.object({ query: z.string(), metrics: z.array(queryMetricsSchema) })),
    /** Whether every configuration is as good as `--fail-below` asks for, and no search failed. */
    ok: z.boolean(),
  }),
);
const exportAnswer = new JsonAnswer(z.object({ file: z.string(), queries: z.number(), judgments: z.number() }));
const importAnswer = new JsonAnswer(
  z.object({ set: z.string(), id: z.string(), merged: z.boolean(), queries: z.number(), judgments: z.number() }),
);

interface RunOptions extends JsonOption {
  readonly connection?: string;
  readonly configuration?: readonly string[];
  readonly metric: RelevanceMetric;
  readonly depth: number;
  readonly relevantFrom: number;
  readonly failBelow?: number;
}

export function addRelevanceCommands(program: Command, context: ProgramContext): void {
  const relevance = program.command('relevance').description('query sets with judged rows, and how well a search finds them');

  relevance
    .command('list')
    .description('list the query sets')
    .addOption(listAnswer)
    .action(async (options: JsonOption) => {
      const answer = await run(context, listAnswer.schema, async (api, calling) => {
        const names = new Map((await savedConnections(api, calling)).map(({ id, name }) => [id, name]));
        const sets = (await allSets(api, calling)).map(({ id, name, connectionId, table, queries, judgments }) => ({
          ...{ id, name, table: tableName(table), queries, judgments },
          connection: connectionId === null ? null : (names.get(connectionId) ?? null),
        }));
        return { sets };
      });
      await print(context, options, listAnswer, answer, () =>
        textTable(
          [
            { title: 'Name' },
            { title: 'Connection' },
            { title: 'Table' },
            { title: 'Queries', align: 'right' },
            { title: 'Judgments', align: 'right' },
          ],
          answer.sets.map(({ name, connection, table, queries, judgments }) => [
            name,
            connection ?? '(any)',
            table,
            `${queries}`,
            `${judgments}`,
          ]),
        ),
      );
    });

  relevance
    .command('run')
    .description('search the queries of a set and compute how good the hits are; exit code 1 when they are not good enough')
    .argument('<set>', 'name or id of a query set')
    .option('--connection <name>', 'where to search (default: the connection of the set)')
    .option(
      '--configuration <names>',
      `saved configurations of the search, separated by commas; "${DEFAULT_NAME}" is the search as it is without options (default: that one)`,
      columnList,
    )
    .option(
      '--metric <name>',
      `the metric of --fail-below: ${RELEVANCE_METRICS.join(', ')}`,
      choice('--metric', RELEVANCE_METRICS),
      'ndcg',
    )
    .option('--fail-below <n>', 'the least of the metric, from 0 to 1', share('--fail-below'))
    .option('--depth <n>', 'hits of each query to look at', wholeNumber('--depth', 1, MOST_DEPTH), DEFAULT_DEPTH)
    .option(
      '--relevant-from <grade>',
      'the lowest grade that counts as relevant, except for ndcg',
      wholeNumber('--relevant-from', 1, BEST_GRADE),
      1,
    )
    .addOption(runAnswer)
    .action(async (named: string, options: RunOptions) => {
      const { result, set, connection } = await runSet(context, named, options);
      const { metric, failBelow } = options;
      const bad = result.configurations.filter(({ totals }) => totals.failed > 0 || isBelow(totals[metric], failBelow));
      const answer = {
        ...{ set: set.name, connection, depth: result.depth, relevantFrom: result.relevantFrom, queries: result.queries },
        configurations: result.configurations.map(({ name, totals }) => ({ name, ...totals })),
        perQuery: result.perQuery.map(({ text, metrics }) => ({ query: text, metrics: [...metrics] })),
        ok: bad.length === 0,
      };
      if (bad.length > 0) context.setExitCode(1);
      await print(context, options, runAnswer, answer, () => metricsTable(result));
      for (const { name, totals } of options.json === true ? [] : bad) {
        await warn(context, failureOf(name, totals[metric], totals.failed, options), 'Failed');
      }
    });

  relevance
    .command('export')
    .description('write a query set with its judgments to a file')
    .argument('<set>', 'name or id of a query set')
    .requiredOption('--output <file>', 'the file to write; - writes standard output')
    .option('--format <format>', 'json or csv', choice('--format', querySetFormatSchema.options), 'json')
    .option('--overwrite', 'replace the file when it exists')
    .addOption(exportAnswer)
    .action(async (named: string, options: JsonOption & { output: string; format: QuerySetFormat; overwrite?: true }) => {
      const { set, text } = await run(context, z.object({ set: querySetInfoSchema, text: z.string() }), async (api, calling) => {
        const found = await findSet(api, named, calling);
        return { set: found, text: await api.relevance.sets.export.query({ id: found.id, format: options.format }, calling) };
      });
      const file = await writeOutput(context, options, text);
      if (file === undefined) return;
      const answer = { file, queries: set.queries, judgments: set.judgments };
      await print(
        context,
        options,
        exportAnswer,
        answer,
        () => `Wrote ${file} (queries: ${set.queries}, judgments: ${set.judgments}).\n`,
      );
    });

  relevance
    .command('import')
    .description('take queries and judgments from a JSON or CSV file into a set; the set is made where it is missing')
    .argument('<connection>', 'name or id')
    .argument('<table>', 'its name, as "tables" prints it')
    .argument('<file>', 'a file that "relevance export" or the window has written, or CSV lines of query,key,grade')
    .requiredOption('--name <name>', 'the name of the set')
    .addOption(importAnswer)
    .action(async (connection: string, named: string, file: string, options: JsonOption & { name: string }) => {
      const content = await readTextFile(namedPath(context, file), LARGEST_QUERY_SET_FILE);
      const answer = await run(context, importAnswer.schema, async (api, calling) => {
        const { id: connectionId } = await findConnection(api, connection, calling);
        const table = await findTableOf(api, connectionId, named, calling);
        const imported = await api.relevance.sets.import.mutate({ connectionId, table, name: options.name, content }, calling);
        const { set, ...counts } = understood(importedQuerySetSchema, imported);
        return { set: set.name, id: set.id, ...counts };
      });
      await print(
        context,
        options,
        importAnswer,
        answer,
        () =>
          `${answer.merged ? 'Added to' : 'Made'} the query set "${answer.set}" (queries: ${answer.queries}, judgments: ${answer.judgments}).\n`,
      );
    });

  addRecordedCommand(relevance, context);
  addDifferencesCommand(relevance, context);
}

interface SetRun {
  readonly result: RelevanceRun;
  readonly set: QuerySetInfo;
  /** The name of the connection. */
  readonly connection: string;
}

async function runSet(context: ProgramContext, named: string, options: RunOptions): Promise<SetRun> {
  const live = options.json !== true && context.terminal.stderr.isTTY === true;
  let ran: SetRun | undefined;
  await run(context, relevanceRunEventSchema.optional(), async (api, calling) => {
    const set = await findSet(api, named, calling);
    const at = options.connection ?? set.connectionId;
    if (at === null) {
      throw new UsageError(`The connection of the query set "${set.name}" was removed. Name another one with --connection.`);
    }
    const { id: connectionId, name: connection } = await findConnection(api, at, calling);
    const saved = understood(
      z.array(searchConfigurationSchema),
      await api.relevance.configurations.list.query({ connectionId, table: set.table }, calling),
    );
    const events = await api.relevance.runs.start.mutate(
      {
        ...{ setId: set.id, connectionId, depth: options.depth, relevantFrom: options.relevantFrom },
        configurations: chosenWays(options.configuration ?? [DEFAULT_NAME], saved),
      },
      calling,
    );
    return follow(events, relevanceRunEventSchema, async (event) => {
      if (event.type === 'run') ran = { result: event.run, set, connection };
      else if (live) await rewriteLine(context.terminal.stderr, `${event.done} of ${event.of} searches`);
    });
  });
  if (live) await rewriteLine(context.terminal.stderr, '');
  if (ran === undefined) throw new HostError('INTERNAL', 'The run ended without a result.');
  return ran;
}

function isBelow(metric: number | null, least: number | undefined): boolean {
  return least !== undefined && (metric === null || metric < least);
}

function failureOf(name: string, metric: number | null, failed: number, options: RunOptions): string {
  if (failed > 0) return `${name}: ${failed} ${failed === 1 ? 'search' : 'searches'} failed.`;
  if (metric === null) return `${name}: nothing could be measured, as no row is judged relevant.`;
  return `${name}: ${options.metric} is ${metric.toFixed(4)}, below ${options.failBelow ?? 0}.`;
}

function metricsTable({ configurations, queries }: RelevanceRun): string {
  return textTable(
    [
      { title: 'Configuration' },
      { title: 'nDCG', align: 'right' },
      { title: 'MRR', align: 'right' },
      { title: 'Precision', align: 'right' },
      { title: 'Recall', align: 'right' },
      { title: 'Measured', align: 'right' },
      { title: 'Zero results', align: 'right' },
      { title: 'Failed', align: 'right' },
      { title: 'Unjudged hits', align: 'right' },
    ],
    configurations.map(({ name, totals }) => [
      name,
      ...RELEVANCE_METRICS.map((metric) => totals[metric]?.toFixed(4) ?? '–'),
      `${totals.measured} of ${queries}`,
      `${totals.zeroResults}`,
      `${totals.failed}`,
      `${totals.unjudged} of ${totals.hits}`,
    ]),
  );
}

/** A number from 0 to 1. @throws UsageError */
function share(option: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^(?:\d{1,9}|\d?\.\d{1,15})$/.test(text) && value <= 1) return value;
    throw new UsageError(`${option} takes a number from 0 to 1.`);
  };
}
