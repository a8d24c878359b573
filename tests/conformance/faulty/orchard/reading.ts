import { DriverError, encodeBatch } from '@tabularium/sdk';
import type { Cell, Column, DroppedSort, Page, PageRequest, RowCount, Sort } from '@tabularium/sdk';
import { passing } from './filtering.ts';
import type { FilterParts } from './filtering.ts';
import type { Row, Table } from './world.ts';

/** As the manifest says. */
export const MAX_SORTS = 2;

/** Decisions of the driver that a fault may take otherwise. */
export interface ReadParts extends FilterParts {
  readonly maxSorts: number;
  readonly compare: (a: Cell, b: Cell, column: Column) => number;
  readonly dropped: (dropped: readonly DroppedSort[]) => readonly DroppedSort[];
  readonly slice: (rows: readonly Row[], start: number, limit: number, request: PageRequest) => readonly Row[];
  readonly cell: (cell: Cell, column: Column) => Cell;
  readonly count: (rows: number) => RowCount;
}

export function ordered(table: Table, rows: readonly Row[], sorts: readonly Sort[], parts: ReadParts) {
  const dropped: DroppedSort[] = [];
  const steps: { index: number; column: Column; sign: number }[] = [];
  for (const { column: name, direction } of sorts) {
    const index = table.columns.findIndex((column) => column.name === name);
    const column = table.columns[index];
    if (column === undefined) dropped.push({ column: name, reason: "The column doesn't exist." });
    else if (!column.sortable.allowed) dropped.push({ column: name, reason: column.sortable.reason });
    else if (steps.length >= parts.maxSorts)
      dropped.push({ column: name, reason: `At most ${MAX_SORTS} columns are sorted by.` });
    else steps.push({ index, column, sign: direction === 'ascending' ? 1 : -1 });
  }
  const sorted = rows.toSorted((a, b) => {
    for (const { index, column, sign } of steps) {
      const order = parts.compare(a[index] ?? null, b[index] ?? null, column);
      if (order !== 0) return order * sign;
    }
    return 0;
  });
  return { rows: sorted, dropped };
}

function startOf({ position, limit }: PageRequest, { paging }: Table, rows: number): number {
  switch (position.from) {
    case 'start':
      return 0;
    case 'offset':
      if (paging !== 'offset') throw new DriverError('UNSUPPORTED', 'This table is read by cursor.');
      return position.offset;
    case 'cursor': {
      if (paging !== 'cursor') throw new DriverError('UNSUPPORTED', 'This table is read by offset.');
      if (!/^c\d+$/.test(position.cursor)) throw new DriverError('INVALID_INPUT', 'This cursor was never handed out.');
      return Number(position.cursor.slice(1));
    }
    case 'end':
      if (paging !== 'cursor') throw new DriverError('UNSUPPORTED', 'The last page is reached by its offset.');
      return Math.max(0, rows - limit);
  }
}

export function readPage(table: Table, request: PageRequest, parts: ReadParts): Page {
  const { rows, dropped } = ordered(table, passing(table, request.filter, parts), request.sorts, parts);
  const start = startOf(request, table, rows.length);
  const page = parts.slice(rows, start, request.limit, request);
  const next = start + page.length;
  const atEnd = next >= rows.length;
  return {
    rowCount: page.length,
    atEnd,
    ...(table.paging === 'cursor' && !atEnd ? { nextCursor: `c${next}` } : {}),
    total: parts.count(rows.length),
    droppedSorts: parts.dropped(dropped),
    batch: encodeBatch({
      columns: table.columns.map(({ name, kind }) => ({ name, kind })),
      rows: page.map((row) => table.columns.map((column, index) => parts.cell(row[index] ?? null, column))),
    }),
  };
}
