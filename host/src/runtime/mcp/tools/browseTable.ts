import { decodeBatch, isDriverError } from '@tabularium/sdk';
import type { Page, PagePosition, PageRequest, Session, TableDescription } from '@tabularium/sdk';
import { z } from 'zod';
import { connectionArgument } from './connectionArgument.ts';
import { filterArguments, toFilter } from './filterArgument.ts';
import { columnsOutput, maxRowsArgument, ResultRows, rowsOutput, timeoutArgument } from './resultRows.ts';
import { findTableArgument, tableArguments } from './tableArgument.ts';
import { defineTool, ToolFailure } from './tool.ts';

export const browseTable = defineTool({
  name: 'browse_table',
  title: 'Browse table',
  description:
    'Reads rows of a table, filtered, sorted and page by page, without a statement. Call describe_table first for columns and operators.',
  input: z.strictObject({
    connection: connectionArgument,
    ...tableArguments,
    columns: z.array(z.string().max(500)).min(1).max(1_000).optional().describe('Only these, in this order.'),
    ...filterArguments,
    sorts: z
      .array(
        z.strictObject({
          column: z.string().min(1).max(500),
          direction: z.enum(['ascending', 'descending']).default('ascending'),
        }),
      )
      .max(20)
      .default([])
      .describe('Most important first. What cannot be sorted by is left out, and notes say so.'),
    maxRows: maxRowsArgument,
    offset: z
      .number()
      .int()
      .min(0)
      .max(2 ** 53 - 1)
      .optional()
      .describe('How many rows to pass over.'),
    cursor: z.string().max(10_000).optional().describe('The nextCursor of the page before.'),
    timeoutSeconds: timeoutArgument,
  }),
  output: z.object({
    connection: z.object({ id: z.string(), name: z.string() }),
    columns: columnsOutput,
    rows: rowsOutput,
    rowCount: z.number().int(),
    total: z.number().int().optional().describe('How many rows pass the filters, where the database has said so.'),
    totalExact: z.boolean().optional(),
    atEnd: z.boolean().describe('True if the last row is included.'),
    nextOffset: z.number().int().optional().describe('For the next page.'),
    nextCursor: z.string().optional().describe('For the next page.'),
    truncated: z.boolean().describe('True if rows of this page were left out.'),
    notes: z.array(z.string()),
  }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  async run(args, context) {
    context.timeLimit(args.timeoutSeconds);
    return context.withConnection(args.connection, { kind: 'read' }, async ({ connection, manifest, session }) => {
      const { signal } = context;
      const description = await findTableArgument(session, args.table, args.namespace, signal);
      const filter = toFilter(args, description, manifest);
      const page = await readFitting(
        session,
        {
          table: description.ref,
          filter,
          sorts: args.sorts,
          position: positionOf(args, description),
          limit: args.maxRows,
          ...(args.columns === undefined ? {} : { columns: [...new Set([...description.key, ...args.columns])] }),
        },
        signal,
      );
      const batch = chosen(decodeBatch(page.batch), args.columns);
      const result = new ResultRows(batch.columns, args.maxRows);
      result.add(batch.rows);
      const left = result.isFull;
      const next = (args.offset ?? 0) + result.rows.length;
      const atEnd = page.atEnd && !left;
      return {
        connection: { id: connection.id, name: connection.name },
        columns: result.columns,
        rows: result.rows,
        rowCount: result.rows.length,
        ...(page.total === undefined ? {} : { total: page.total.rows, totalExact: page.total.exact }),
        atEnd,
        ...(description.paging === 'offset' && !atEnd && result.rows.length > 0 ? { nextOffset: next } : {}),
        // A cursor begins where the page ended; when rows of it were left out, it would pass over them.
        ...(page.nextCursor === undefined || left ? {} : { nextCursor: page.nextCursor }),
        truncated: left,
        notes: [...result.notes(), ...page.droppedSorts.map(({ column, reason }) => `Not sorted by ${column}: ${reason}`)],
      };
    });
  },
});

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

type Batch = ReturnType<typeof decodeBatch>;

/** The columns that were asked for, in that order. */
function chosen(batch: Batch, names: readonly string[] | undefined): Batch {
  if (names === undefined) return batch;
  const indices = names.map((wanted) => {
    const index = batch.columns.findIndex(({ name }) => name === wanted);
    if (index === -1) {
      throw new ToolFailure('INVALID_INPUT', `There is no column "${wanted}".`, 'Call describe_table to list the columns.');
    }
    return index;
  });
  const pick = <T>(values: readonly T[]): T[] => indices.flatMap((index) => values.slice(index, index + 1));
  return { columns: pick(batch.columns), rows: batch.rows.map(pick) };
}
