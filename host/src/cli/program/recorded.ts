import type { Command } from 'commander';
import { z } from 'zod';
import { querySetInfoSchema, querySetSchema } from '../../common/relevance.ts';
import { recordedQueriesSchema } from '@tabularium/sdk/protocol';
import type { RecordedQueries, TableRef } from '@tabularium/sdk';
import { findConnection } from '../findConnection.ts';
import { understood } from '../ownerApi.ts';
import type { ApiCallOptions, OwnerApi } from '../ownerApi.ts';
import { textTable } from '../output/table.ts';
import { write } from '../terminal.ts';
import { findTableOf } from './findTableOf.ts';
import { JsonAnswer } from './jsonAnswer.ts';
import { print, run, wholeNumber } from './programContext.ts';
import type { JsonOption, ProgramContext } from './programContext.ts';

const DEFAULT_QUERIES = 100;
const MOST_QUERIES = 1_000;
const MOST_OFFSET = 1_000_000;

const recordedAnswer = new JsonAnswer(
  z.object({
    /** All that records queries of this kind. */
    recordings: z.array(z.string()),
    found: z.number(),
    queries: z.array(z.object({ text: z.string(), count: z.number(), filter: z.string().optional() })),
    /** Why there is none. */
    missing: z.object({ reason: z.string(), advice: z.string().optional() }).optional(),
    /** The query set that they were added to, and how many of them it did not have. */
    set: z.object({ id: z.string(), name: z.string(), added: z.number() }).optional(),
  }),
);

interface RecordedOptions extends JsonOption {
  readonly withoutHits?: true;
  readonly recording?: string;
  readonly into?: string;
  readonly limit: number;
  readonly offset: number;
}

interface Added {
  readonly id: string;
  readonly name: string;
  readonly added: number;
}

/** `relevance recorded`: the queries of the database's own users. */
export function addRecordedCommand(relevance: Command, context: ProgramContext): void {
  relevance
    .command('recorded')
    .description("list what the database's own users search for most often, or without finding anything")
    .argument('<connection>', 'name or id')
    .argument('<table>', 'its name, as "tables" prints it')
    .option('--without-hits', 'the queries that found nothing, instead of the most frequent ones')
    .option('--recording <name>', 'where several things record queries: the one to read (default: the first)')
    .option('--limit <n>', 'queries at most', wholeNumber('--limit', 1, MOST_QUERIES), DEFAULT_QUERIES)
    .option('--offset <n>', 'queries to leave out at the beginning', wholeNumber('--offset', 0, MOST_OFFSET), 0)
    .option('--into <set>', 'add them to the query set of this name, which is made where it is missing')
    .addOption(recordedAnswer)
    .action(async (connection: string, named: string, options: RecordedOptions) => {
      const answer = await run(context, recordedAnswer.schema, async (api, calling) => {
        const { id: connectionId } = await findConnection(api, connection, calling);
        const table = await findTableOf(api, connectionId, named, calling);
        const request = {
          ...{ table, limit: options.limit, offset: options.offset },
          kind: options.withoutHits === true ? ('withoutHits' as const) : ('popular' as const),
          ...(options.recording === undefined ? {} : { recording: options.recording }),
        };
        const recorded = understood(
          recordedQueriesSchema,
          await api.search.recordedQueries.query({ connectionId, request }, calling),
        );
        const { recordings, found, queries, missing } = recorded;
        const set =
          options.into === undefined || queries.length === 0
            ? undefined
            : await addTo(api, { connectionId, table, name: options.into }, queries, calling);
        return {
          ...{ recordings: [...recordings], found, queries: queries.map((query) => ({ ...query })) },
          ...(missing === undefined
            ? {}
            : { missing: { reason: missing.reason, ...(missing.advice === undefined ? {} : { advice: missing.advice }) } }),
          ...(set === undefined ? {} : { set }),
        };
      });
      await print(context, options, recordedAnswer, answer, () =>
        textTable(
          [{ title: 'Query' }, { title: 'Searches', align: 'right' }, { title: 'Filter' }],
          answer.queries.map(({ text, count, filter }) => [text, String(count), filter ?? '']),
        ),
      );
      if (options.json === true) return;
      const { missing, set } = answer;
      const { stderr } = context.terminal;
      if (missing !== undefined) await write(stderr, `${[missing.reason, missing.advice].filter(Boolean).join(' ')}\n`);
      if (set !== undefined) await write(stderr, `Added to the query set "${set.name}": ${set.added}.\n`);
    });
}

/** Adds queries to the set of that name, which is made where it is missing. */
async function addTo(
  api: OwnerApi,
  wanted: { readonly connectionId: string; readonly table: TableRef; readonly name: string },
  queries: RecordedQueries['queries'],
  calling: ApiCallOptions,
): Promise<Added> {
  const table = { namespace: [...wanted.table.namespace], name: wanted.table.name };
  const { connectionId } = wanted;
  const sets = understood(z.array(querySetInfoSchema), await api.relevance.sets.list.query({ connectionId, table }, calling));
  const name = wanted.name.trim();
  const there = sets.find((set) => set.name.toLowerCase() === name.toLowerCase());
  const set =
    there ?? understood(querySetInfoSchema, await api.relevance.sets.create.mutate({ connectionId, table, name }, calling));
  const texts = queries.map(({ text }) => text.trim()).filter((text) => text !== '');
  const after = understood(querySetSchema, await api.relevance.sets.addQueries.mutate({ id: set.id, texts }, calling));
  return { id: set.id, name: set.name, added: after.queries - set.queries };
}
