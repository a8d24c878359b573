import type { Page, PagePosition } from '@tabularium/sdk';
import { ABSENT, DriverError, NO_FILTER } from '@tabularium/sdk';
import { readRowsEventSchema, readRowsRequestSchema } from '../../../common/rowsApi.ts';
import type { ReadRowsEvent } from '../../../common/rowsApi.ts';
import { findWrittenTable } from '../../data/namespaceLister.ts';
import { streamsOn } from '../procedureAnswer.ts';
import { NEVER } from '../trpc.ts';
import { driverBatch } from '../../data/driverBatch.ts';
import { openSession } from './opening.ts';
import { ownerProcedure } from './ownerTrpc.ts';

/** Rows of one page. */
const PAGE_ROWS = 1_000;

/** Reads rows of a table, as many as were asked for, whole. */
export const rowsProcedure = ownerProcedure
  .input(readRowsRequestSchema)
  .output(streamsOn(readRowsEventSchema))
  .mutation(async function* ({ ctx, input, signal = NEVER }): AsyncGenerator<ReadRowsEvent, void, undefined> {
    const { connectionId, limit, filter, sorts, columns } = input;
    const { session } = yield* openSession(ctx, connectionId, signal);
    // A table that the credentials may read but not list is named as it is.
    const table = (await findWrittenTable(session, input.table, signal)) ?? { namespace: [], name: input.table };
    const description = await session.describeTable(table, { signal });
    const wanted = columns === undefined ? {} : { columns: [...new Set([...description.key, ...columns])] };
    const known = new Set(description.columns.map(({ name }) => name));
    let position: PagePosition = { from: 'start' };
    for (let read = 0; ;) {
      const page: Page = await session.readPage(
        {
          table: description.ref,
          filter: filter === undefined ? NO_FILTER : { ...NO_FILTER, raw: filter },
          sorts,
          position,
          limit: Math.min(PAGE_ROWS, limit - read),
          ...wanted,
        },
        { signal },
      );
      const [dropped] = page.droppedSorts;
      if (dropped !== undefined) {
        throw new DriverError('UNSUPPORTED', `The rows cannot be sorted by "${dropped.column}": ${dropped.reason}`, {
          details: { advice: 'Leave out this --sort.' },
        });
      }
      read += page.rowCount;
      const ends = page.atEnd || read >= limit || page.rowCount === 0;
      yield {
        type: 'page',
        ...chosenColumns(driverBatch(page.batch), columns, known),
        ...(page.total === undefined ? {} : { total: page.total }),
        more: !page.atEnd,
      };
      if (ends) return;
      position =
        description.paging === 'offset' || page.nextCursor === undefined
          ? { from: 'offset', offset: read }
          : { from: 'cursor', cursor: page.nextCursor };
    }
  });

type Batch = ReturnType<typeof driverBatch>;

/** @throws DriverError `INVALID_INPUT` for a column that neither the table nor the page has */
function chosenColumns(
  batch: Batch,
  names: readonly string[] | undefined,
  known: ReadonlySet<string>,
): Pick<ReadRowsEvent & { type: 'page' }, 'columns' | 'rows'> {
  if (names === undefined) return { columns: [...batch.columns], rows: batch.rows.map((row) => [...row]) };
  const found = names.map((name) => batch.columns.findIndex((column) => column.name === name));
  const unknown = names.find((name, index) => found[index] === -1 && !known.has(name));
  if (unknown !== undefined) {
    throw new DriverError('INVALID_INPUT', `There is no column "${unknown}".`, {
      details: { advice: `The columns are: ${[...known].join(', ').slice(0, 1_000)}.` },
    });
  }
  return {
    columns: names.map((name, index) => batch.columns[found[index] ?? -1] ?? { name, kind: 'text' }),
    rows: batch.rows.map((row) => found.map((index) => row[index] ?? ABSENT)),
  };
}
