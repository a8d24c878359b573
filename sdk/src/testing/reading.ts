import { decodeBatch } from '../model/batch.ts';
import type { Cell } from '../model/cell.ts';
import type { Filter } from '../model/filter.ts';
import { NO_FILTER } from '../model/filter.ts';
import type { BatchColumn, Page, PagePosition } from '../model/page.ts';
import type { Sort } from '../model/sort.ts';
import type { TableDescription } from '../model/table.ts';
import type { Bench } from './bench.ts';
import { fail, inTime, must } from './bench.ts';
import { shownCell, tableText } from './cells.ts';
import type { KnownRow } from './plan.ts';

/** A row that was read, by column. */
export interface ReadRow {
  readonly cells: ReadonlyMap<string, Cell>;
  readonly kinds: ReadonlyMap<string, BatchColumn['kind']>;
}

export interface ReadQuestion {
  readonly filter?: Filter;
  readonly sorts?: readonly Sort[];
}

/** A driver that hands out pages without end can't be read to the end of a table. */
const MAX_PAGES = 10_000;

/** One page, its rows decoded and its head held to them. */
export async function readOnce(
  { session, options }: Bench,
  table: TableDescription,
  question: ReadQuestion,
  position: PagePosition,
  limit: number,
): Promise<{ page: Page; rows: ReadRow[] }> {
  const page = await inTime(
    'readPage',
    session.readPage(
      { table: table.ref, filter: question.filter ?? NO_FILTER, sorts: question.sorts ?? [], position, limit },
      options,
    ),
  );
  const batch = decodeBatch(page.batch);
  const where = `A page of ${tableText(table.ref)}`;
  must(batch.rows.length === page.rowCount, `${where} says it has ${page.rowCount} rows and has ${batch.rows.length}.`);
  must(page.rowCount <= limit, `${where} has ${page.rowCount} rows; ${limit} were asked for.`);
  const kinds = new Map(batch.columns.map(({ name, kind }) => [name, kind]));
  must(kinds.size === batch.columns.length, `${where} has two columns of one name.`);
  return {
    page,
    rows: batch.rows.map((row) => ({
      kinds,
      cells: new Map(batch.columns.map(({ name }, index) => [name, row[index] ?? null])),
    })),
  };
}

/** Reads a table from start to end in pages of a size, as a grid would. */
export async function readAll(bench: Bench, table: TableDescription, question: ReadQuestion, limit: number): Promise<ReadRow[]> {
  const rows: ReadRow[] = [];
  let position: PagePosition = { from: 'start' };
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const { page, rows: more } = await readOnce(bench, table, question, position, limit);
    rows.push(...more);
    if (page.atEnd) {
      must(page.nextCursor === undefined, `The last page of ${tableText(table.ref)} hands out a cursor.`);
      return rows;
    }
    must(more.length > 0, `A page of ${tableText(table.ref)} is empty and does not say that it is the last.`);
    if (table.paging === 'cursor') {
      if (page.nextCursor === undefined) fail(`A page of ${tableText(table.ref)} is not the last and hands out no cursor.`);
      position = { from: 'cursor', cursor: page.nextCursor };
    } else {
      must(page.nextCursor === undefined, `${tableText(table.ref)} is read by offset and hands out a cursor.`);
      position = { from: 'offset', offset: rows.length };
    }
  }
  fail(`${tableText(table.ref)} does not end.`);
}

/** One text for one row: its key, or everything where it has none. */
export function rowText(row: ReadRow, table: TableDescription): string {
  const names = table.key.length > 0 ? table.key : table.columns.map(({ name }) => name);
  return names.map((name) => shownCell(row.cells.get(name) ?? null, row.kinds.get(name) ?? 'text')).join(' | ');
}

/** The same for a row as the plan gives it. */
export function knownText(row: KnownRow, table: TableDescription): string {
  const kinds = new Map(table.columns.map(({ name, kind }) => [name, kind]));
  const names = table.key.length > 0 ? table.key : table.columns.map(({ name }) => name);
  return names.map((name) => shownCell(knownCell(row, name), kinds.get(name) ?? 'text')).join(' | ');
}

/** A column that a known row leaves out is one that the row does not have. */
export function knownCell(row: KnownRow, name: string): Cell {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : ['absent'];
}

/** Fails unless exactly the expected rows came, each once. */
export function sameRows(what: string, got: readonly string[], expected: readonly string[]): void {
  const left = new Map<string, number>();
  for (const text of expected) left.set(text, (left.get(text) ?? 0) + 1);
  for (const text of got) {
    const count = left.get(text) ?? 0;
    must(count > 0, () =>
      expected.includes(text) ? `${what}: the row (${text}) came twice.` : `${what}: the row (${text}) came and should not.`,
    );
    left.set(text, count - 1);
  }
  for (const [text, count] of left) must(count === 0, `${what}: the row (${text}) is missing.`);
}
