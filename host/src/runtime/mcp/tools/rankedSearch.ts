import { DriverError } from '@tabularium/sdk';
import type { Cell, SearchAnswer, SearchForm, SearchHit, TableDescription } from '@tabularium/sdk';
import { z } from 'zod';
import { boundArguments, toRowBounds } from './boundArguments.ts';
import { connectionArgument } from './connectionArgument.ts';
import { filterArguments, toFilter } from './filterArgument.ts';
import { parseJsonExactly } from './jsonValue.ts';
import { didYouMean, namesInShort } from './nearestName.ts';
import { columnsOutput, MOST_ANSWER_CHARACTERS, ResultRows, rowsOutput, timeoutArgument } from './resultRows.ts';
import { sortArguments, toSorts } from './sortArgument.ts';
import { columnNameArgument, findTableArgument, requireColumn, tableArguments } from './tableArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';

/** Hits of an answer, when a call does not say: of ranked hits the first ones matter. */
const DEFAULT_HITS = 10;
const MOST_HITS = 250;
const MOST_FACET_VALUES = 50;

export const rankedSearch = defineTool({
  name: 'ranked_search',
  title: 'Ranked search',
  description:
    'Finds rows by words, the best first, where the database has ranked search. Facets count values of what was found.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
    text: z.string().max(4_000),
    by: z.array(columnNameArgument).max(100).default([]).describe('Where to look, the most important first.'),
    facets: z.array(columnNameArgument).max(20).default([]),
    columns: z.array(columnNameArgument).min(1).max(1_000).optional(),
    ...filterArguments,
    ...sortArguments,
    maxTokens: boundArguments.maxTokens,
    cellCharacters: boundArguments.cellCharacters,
    maxHits: z.number().int().min(1).max(MOST_HITS).default(DEFAULT_HITS),
    offset: z.number().int().min(0).max(1_000_000).default(0),
    timeoutSeconds: timeoutArgument,
  }),
  output: z.object({
    found: z.number().int(),
    foundRows: z.number().int().optional().describe('Where hits are grouped: found counts groups, and this their rows.'),
    cutOff: z.literal(true).optional().describe('The server stopped before it had looked at everything.'),
    columns: columnsOutput,
    rows: rowsOutput,
    marks: z
      .array(z.object({ row: z.number().int(), marks: z.array(z.string()) }))
      .optional()
      .describe('Rows that a rule pinned, or that were found by a typo.'),
    facets: z.record(z.string(), z.array(z.tuple([z.string(), z.number()]))).optional(),
    nextOffset: z.number().int().optional(),
    notes: z.array(z.string()).optional(),
  }),
  mostCharacters: MOST_ANSWER_CHARACTERS,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    context.timeLimit(args.timeoutSeconds);
    return context.withConnection(args.connection, { kind: 'read' }, async ({ manifest, session }) => {
      const { search } = session;
      const { signal } = context;
      if (search === undefined) {
        throw new DriverError('UNSUPPORTED', `${manifest.title} has no ranked search.`, {
          details: { advice: 'Use browse_table with filters.' },
        });
      }
      const description = await findTableArgument(session, args.table, args.namespace, signal);
      const form = await search.form(description.ref, { signal });
      mustBeOffered(
        args.by,
        form.fields.map(({ name }) => name),
        'Words cannot be looked for in',
      );
      mustBeOffered(args.facets, form.facets, 'There is no facet');
      for (const name of args.columns ?? []) requireColumn(name, description);
      const answer = await search.search(
        {
          table: description.ref,
          text: args.text,
          fields: args.by.map((name) => ({ name })),
          facets: args.facets,
          filter: toFilter(args, description, manifest),
          sorts: toSorts(args, description),
          options: {},
          offset: args.offset,
          limit: args.maxHits,
        },
        { signal },
      );
      return answerFor(answer, description, args);
    });
  },
});

function answerFor(
  answer: SearchAnswer,
  description: TableDescription,
  args: Omit<Parameters<typeof toRowBounds>[0], 'maxRows'> & {
    readonly columns?: readonly string[] | undefined;
    readonly offset: number;
  },
) {
  const documents = answer.hits.map(membersOf);
  const known = args.columns ?? description.columns.map(({ name }) => name);
  const names = args.columns ?? [
    ...known.filter((name) => documents.some((document) => document.has(name))),
    ...new Set(documents.flatMap((document) => [...document.keys()]).filter((name) => !known.includes(name))),
  ];
  const result = new ResultRows(
    names.map((name) => ({ name, kind: 'text' as const })),
    toRowBounds({ ...args, maxRows: MOST_HITS }),
  );
  result.add(documents.map((document) => names.map((name) => document.get(name) ?? null)));
  const next = args.offset + result.rows.length;
  const marks = answer.hits
    .slice(0, result.rows.length)
    .flatMap(({ marks: own }, row) =>
      own.length === 0
        ? []
        : [{ row, marks: own.map(({ label, detail }) => (detail === undefined ? label : `${label}: ${detail}`)) }],
    );
  const notes = [
    ...result.notes('Continue with offset: nextOffset; or ask for less: columns, maxHits.'),
    ...answer.notes,
    ...(answer.leftOut.length === 0 ? [] : [`Not read: ${namesInShort(answer.leftOut)}.`]),
    ...answer.droppedSorts.map(({ column, reason }) => `Not sorted by ${column}: ${reason}`),
    ...answer.facets.flatMap(({ column, values }) => roundedNote(column, values)),
  ];
  return {
    found: answer.found,
    ...(answer.foundRows === undefined ? {} : { foundRows: answer.foundRows }),
    ...(answer.isCutOff ? { cutOff: true as const } : {}),
    columns: result.columns,
    rows: result.rows,
    ...(marks.length === 0 ? {} : { marks }),
    ...(answer.facets.length === 0 ? {} : { facets: countsOf(answer) }),
    ...(next < answer.found && result.rows.length > 0 ? { nextOffset: next } : {}),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

function roundedNote(column: string, values: SearchAnswer['facets'][number]['values']): readonly string[] {
  const rounded = values.find(({ between }) => between !== undefined);
  if (rounded?.between === undefined) return [];
  const [low, high] = rounded.between;
  return [`Counted values of ${column} are rounded: filter with between, such as ${low} to ${high} for ${rounded.value}.`];
}

/** As a record without a prototype: a column may be called `__proto__`. */
function countsOf({ facets }: SearchAnswer): Record<string, [string, number][]> {
  const counts = Object.create(null) as Record<string, [string, number][]>;
  for (const { column, values } of facets)
    counts[column] = values.slice(0, MOST_FACET_VALUES).map(({ value, rows }) => [value.slice(0, 200).toWellFormed(), rows]);
  return counts;
}

/** The members of a hit's document as cells: digits of large numbers are kept, and what is nested is JSON. */
function membersOf({ document }: SearchHit): ReadonlyMap<string, Cell> {
  const members = parseJsonExactly(document);
  if (typeof members !== 'object' || members === null) return new Map();
  return new Map(
    Object.entries(members).map(([name, value]: [string, unknown]): [string, Cell] => [
      name,
      typeof value === 'object' && value !== null ? ['json', JSON.stringify(value)] : (value as Cell),
    ]),
  );
}

/** @throws ToolFailure `INVALID_INPUT` with the nearest name and those that there are */
function mustBeOffered(names: readonly string[], offered: SearchForm['facets'], what: string): void {
  const unknown = names.find((name) => !offered.includes(name));
  if (unknown === undefined) return;
  const there = offered.length === 0 ? 'There are none.' : `There are: ${namesInShort(offered)}.`;
  throw new ToolFailure('INVALID_INPUT', `${what} "${unknown}".`, `${didYouMean(unknown, [...offered])} ${there}`.trim());
}
