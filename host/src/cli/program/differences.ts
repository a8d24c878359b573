import type { Command } from 'commander';
import { z } from 'zod';
import { HostError } from '../../common/errors.ts';
import {
  DEFAULT_DEPTH,
  MOST_DEPTH,
  queryDifferenceSchema,
  searchConfigurationSchema,
  searchDifferencesEventSchema,
} from '../../common/relevance.ts';
import type { QueryDifference } from '../../common/relevance.ts';
import { findConnection } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import { textTable } from '../output/table.ts';
import { rewriteLine } from '../terminal.ts';
import { UsageError } from '../usageError.ts';
import { chosenWays, DEFAULT_NAME } from './chosenWays.ts';
import { findSet } from './findSet.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { follow, print, run, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const differencesAnswer = new JsonAnswer(
  z.object({
    set: z.string(),
    depth: z.number(),
    first: z.string(),
    second: z.string(),
    /** The most different first. */
    queries: z.array(queryDifferenceSchema),
  }),
);

interface DifferencesOptions extends JsonOption {
  readonly connection?: string;
  readonly first: string;
  readonly second: string;
  readonly depth: number;
}

/** `relevance differences`: for which queries two ways to search find something else. */
export function addDifferencesCommand(relevance: Command, context: ProgramContext): void {
  relevance
    .command('differences')
    .description('search the queries of a set in two ways and list those whose hits differ most; no judgments are needed')
    .argument('<set>', 'name or id of a query set')
    .requiredOption('--second <name>', `a saved configuration of the search, or "${DEFAULT_NAME}"`)
    .option('--first <name>', 'what it is compared with', DEFAULT_NAME)
    .option('--connection <name>', 'where to search (default: the connection of the set)')
    .option('--depth <n>', 'hits of each query to look at', wholeNumber('--depth', 1, MOST_DEPTH), DEFAULT_DEPTH)
    .addOption(differencesAnswer)
    .action(async (named: string, options: DifferencesOptions) => {
      const answer = await differencesOf(context, named, options);
      await print(context, options, differencesAnswer, answer, () => differencesTable(answer.queries));
    });
}

type Answer = z.output<typeof differencesAnswer.schema>;

async function differencesOf(context: ProgramContext, named: string, options: DifferencesOptions): Promise<Answer> {
  const live = options.json !== true && context.terminal.stderr.isTTY === true;
  let answer: Answer | undefined;
  await run(context, searchDifferencesEventSchema.optional(), async (api, calling) => {
    const set = await findSet(api, named, calling);
    const at = options.connection ?? set.connectionId;
    if (at === null) {
      throw new UsageError(`The connection of the query set "${set.name}" was removed. Name another one with --connection.`);
    }
    const { id: connectionId } = await findConnection(api, at, calling);
    const saved = understood(
      z.array(searchConfigurationSchema),
      await api.relevance.configurations.list.query({ connectionId, table: set.table }, calling),
    );
    const [first, second] = chosenWays([options.first, options.second], saved);
    if (first === undefined || second === undefined) throw new HostError('INTERNAL', 'A configuration is missing.');
    const events = await api.relevance.differences.mutate(
      { connectionId, table: set.table, queries: { setId: set.id }, first, second, depth: options.depth },
      calling,
    );
    return follow(events, searchDifferencesEventSchema, async (event) => {
      if (event.type === 'differences') {
        answer = { set: set.name, depth: options.depth, first: first.name, second: second.name, queries: [...event.queries] };
      } else if (live) await rewriteLine(context.terminal.stderr, `${event.done} of ${event.of} searches`);
    });
  });
  if (live) await rewriteLine(context.terminal.stderr, '');
  if (answer === undefined) throw new HostError('INTERNAL', 'The comparison ended without a result.');
  return answer;
}

function differencesTable(queries: readonly QueryDifference[]): string {
  return textTable(
    [
      { title: 'Query' },
      { title: 'Overlap', align: 'right' },
      { title: 'In both', align: 'right' },
      { title: 'Moved', align: 'right' },
      { title: 'Only first', align: 'right' },
      { title: 'Only second', align: 'right' },
      { title: 'Failed' },
    ],
    queries.map(({ text, overlap, shared, moved, lost, gained, error }) => [
      ...[text, overlap?.toFixed(4) ?? '–', `${shared}`, `${moved}`, `${lost}`, `${gained}`],
      error ?? '',
    ]),
  );
}
