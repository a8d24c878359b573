import { ABSENT, isDriverError } from '@tabularium/sdk';
import type { Page, PagePosition, PageRequest, Session, TableDescription } from '@tabularium/sdk';
import { z } from 'zod';
import { boundArguments, toRowBounds } from './boundArguments.ts';
import { connectionArgument } from './connectionArgument.ts';
import { filterArguments, toFilter } from './filterArgument.ts';
import { columnsOutput, MOST_ANSWER_CHARACTERS, ResultRows, rowsOutput, timeoutArgument } from './resultRows.ts';
import { sortArguments, toSorts } from './sortArgument.ts';
import { columnNameArgument, findTableArgument, requireColumn, tableArguments } from './tableArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';
import { driverPage } from '../../data/driverBatch.ts';

export const browseTable = defineTool({
  name: 'browse_table',
  title: 'Browse table',
  description:
    'Reads rows of a table, filtered, sorted and page by page. describe_table has columns and operators. To see less: columns, filters, count_rows.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
    columns: z.array(columnNameArgument).min(1).max(1_000).optional(),
    ...filterArguments,
    ...sortArguments,
    ...boundArguments,
    offset: z
      .number()
      .int()
      .min(0)
      .max(2 ** 53 - 1)
      .optional()
      .describe('The nextOffset of the page before.'),
    cursor: z.string().max(10_000).optional().describe('The nextCursor of the page before.'),
    timeoutSeconds: timeoutArgument,
  }),
  output: z.object({
    columns: columnsOutput,
    emptyColumns: z.array(z.string()).optional().describe('Columns without a value in these rows.'),
    rows: rowsOutput,
    rowCount: z.number().int(),
    total: z.number().int().optional().describe('How many rows pass the filters, where the database has said so.'),
    totalExact: z.boolean().optional(),
    atEnd: z.boolean().describe('True if the last row is included.'),
    nextOffset: z.number().int().optional().describe('For the next page.'),
    nextCursor: z.string().optional().describe('For the next page.'),
    notes: z.array(z.string()).optional().describe('What was left out, and how to get it.'),
  }),
  mostCharacters: MOST_ANSWER_CHARACTERS,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    context.timeLimit(args.timeoutSeconds);
    return context.withConnection(args.connection, { kind: 'read' }, async ({ manifest, session }) => {
      const { signal } = context;
      const description = await findTableArgument(session, args.table, args.namespace, signal);
      const filter = toFilter(args, description, manifest);
      const { columns } = args;
      const request: PageRequest = {
        table: description.ref,
        filter,
        sorts: toSorts(args, description),
        position: positionOf(args, description),
        limit: args.maxRows,
        ...(columns === undefined ? {} : { columns: [...new Set([...description.key, ...columns])] }),
        // Vectors and long values are not even read, unless the caller says how much of a value it needs.
        ...(session.rows === undefined || args.cellCharacters !== undefined ? {} : { placeholders: { over: UNREAD_BYTES } }),
      };
      const bounds = toRowBounds(args);
      const { maxRows } = bounds;
      const read = async (limit: number): Promise<{ readonly page: Page; readonly result: ResultRows }> => {
        const page = await readFitting(session, { ...request, limit }, signal);
        const batch = chosen(driverPage(page.batch), columns, description);
        const result = new ResultRows(batch.columns, bounds, description.key);
        result.add(batch.rows);
        return { page, result };
      };
      let { page, result } = await read(maxRows);
      // A cursor begins where its page ended: a page with rows left out is read again with those that fit.
      for (let limit = result.rows.length; description.paging === 'cursor' && result.isFull; limit = result.rows.length) {
        ({ page, result } = await read(Math.min(limit, maxRows)));
      }
      const next = (args.offset ?? 0) + result.rows.length;
      const atEnd = page.atEnd && !result.isFull;
      const goOn = description.paging === 'offset' ? 'Continue with offset: nextOffset' : 'Continue with cursor: nextCursor';
      const notes = [
        ...result.notes(`${goOn}; or ask for less: columns, filters, count_rows.`),
        ...page.droppedSorts.map(({ column, reason }) => `Not sorted by ${column}: ${reason}`),
      ];
      const shown = columns === undefined ? withoutEmptyColumns(result) : { columns: result.columns, rows: result.rows };
      return {
        ...shown,
        rowCount: result.rows.length,
        ...(page.total === undefined ? {} : { total: page.total.rows, ...(page.total.exact ? {} : { totalExact: false }) }),
        atEnd,
        ...(description.paging === 'offset' && !atEnd && result.rows.length > 0 ? { nextOffset: next } : {}),
        ...(page.nextCursor === undefined || result.isFull ? {} : { nextCursor: page.nextCursor }),
        ...(notes.length === 0 ? {} : { notes }),
      };
    });
  },
});

/** Bytes of a value beyond which a driver that can leaves it out of the page. More than is shown of it, so that its beginning is whole. */
const UNREAD_BYTES = 8_192;

/** A column without a value in any row costs its name once, and not a null in each row. */
function withoutEmptyColumns({ columns, rows }: ResultRows): {
  readonly columns: string[];
  readonly rows: unknown[][];
  readonly emptyColumns?: string[];
} {
  const isEmpty = columns.map((_, index) => rows.length > 0 && rows.every((row) => row[index] === null));
  if (!isEmpty.includes(true)) return { columns, rows };
  const keep = <T>(values: readonly T[]): T[] => values.filter((_, index) => isEmpty[index] === false);
  return { columns: keep(columns), emptyColumns: columns.filter((_, index) => isEmpty[index]), rows: rows.map(keep) };
}

/** A page whose rows are too large together is read again with half as many: the answer says where it continues. */
async function readFitting(session: Session, request: PageRequest, signal: AbortSignal): Promise<Page> {
  for (let { limit } = request; ; limit >>= 1) {
    try {
      return await session.readPage({ ...request, limit }, { signal });
    } catch (error) {
      if (limit <= 1 || !isDriverError(error) || error.code !== 'TOO_LARGE') throw error;
    }
  }
}

function positionOf(
  args: { offset?: number | undefined; cursor?: string | undefined },
  description: TableDescription,
): PagePosition {
  if (args.cursor !== undefined) {
    if (args.offset !== undefined || description.paging !== 'cursor') {
      throw new ToolFailure(
        'INVALID_INPUT',
        'This table is not paged by cursor.',
        description.paging === 'cursor' ? 'Use cursor or offset, not both.' : 'Use offset.',
      );
    }
    return { from: 'cursor', cursor: args.cursor };
  }
  if (args.offset === undefined || args.offset === 0) return { from: 'start' };
  if (description.paging !== 'offset') {
    throw new ToolFailure('INVALID_INPUT', 'This table is not paged by offset.', 'Use the nextCursor of the page before.');
  }
  return { from: 'offset', offset: args.offset };
}

type Batch = ReturnType<typeof driverPage>;

/**
 * The columns that were asked for, in that order. A driver may leave out one that no row has, and give one that the description does not have.
 *
 * @throws ToolFailure `INVALID_INPUT` for an unknown column
 */
function chosen(batch: Batch, names: readonly string[] | undefined, description: TableDescription): Batch {
  if (names === undefined) return batch;
  const found = names.map((name) => batch.columns.findIndex((column) => column.name === name));
  for (const [index, name] of names.entries()) if (found[index] === -1) requireColumn(name, description);
  return {
    columns: names.map((name, index) => batch.columns[found[index] ?? -1] ?? { name, kind: 'text' }),
    rows: batch.rows.map((row) => found.map((index) => row[index] ?? ABSENT)),
  };
}
