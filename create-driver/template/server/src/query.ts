import { ABSENT, DriverError, encodeBatch } from '@tabularium/sdk';
import type { Cell, Column, DroppedSort, Filter, FilterCondition, Page, PageRequest, Sort, TableRef } from '@tabularium/sdk';
import { tablePath } from './link.ts';
import type { Link } from './link.ts';
import type { Row, Tables } from './tables.ts';

// Filters, sorts and pages are the server's work: this file says them in its language.

/** As many as the manifest says (`reading.maxSorts`). */
const MOST_SORTS = 2;
const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  number: ['equals', 'greaterThan', 'lessThan'],
  text: ['equals', 'contains'],
};

/** A filter and sorts in the server's own form. */
export interface ServerQuery {
  readonly where: readonly { readonly column: string; readonly operator: string; readonly value: string | number }[];
  readonly match: Filter['match'];
  readonly sort: readonly { readonly column: string; readonly descending: boolean }[];
}

/** A filter is honoured whole or refused: what is not understood must never let every row pass. */
async function conditionOf(
  { column: name, operator, values }: FilterCondition,
  table: TableRef,
  tables: Tables,
  signal: AbortSignal,
): Promise<ServerQuery['where'][number]> {
  const { filterClass = '' } = await tables.column(table, name, signal);
  if (OPERATORS[filterClass]?.includes(operator) !== true)
    throw new DriverError('UNSUPPORTED', `Rows cannot be filtered with “${operator}”.`, { details: { field: name } });
  const [value = ''] = values;
  if (filterClass !== 'number') return { column: name, operator, value };
  if (!/^-?\d+(?:\.\d+)?$/.test(value))
    throw new DriverError('INVALID_INPUT', `“${value}” isn't a number.`, { details: { field: name } });
  return { column: name, operator, value: Number(value) };
}

/** A request in the server's form, and the sorts that it doesn't have. */
export async function queryOf(
  { table, filter, sorts }: { readonly table: TableRef; readonly filter: Filter; readonly sorts: readonly Sort[] },
  tables: Tables,
  signal: AbortSignal,
): Promise<{ readonly query: ServerQuery; readonly droppedSorts: readonly DroppedSort[] }> {
  if ((filter.raw ?? '').trim() !== '') throw new DriverError('UNSUPPORTED', 'There is no language to write filters in.');
  const columns = new Set((await tables.columns(table, signal)).map(({ name }) => name));
  const known = sorts.filter(({ column }) => columns.has(column));
  const sent = known.slice(0, MOST_SORTS);
  const where: ServerQuery['where'][number][] = [];
  for (const condition of filter.conditions) where.push(await conditionOf(condition, table, tables, signal));
  return {
    query: {
      where,
      match: filter.match,
      sort: sent.map(({ column, direction }) => ({ column, descending: direction === 'descending' })),
    },
    // A sort is never dropped in silence.
    droppedSorts: sorts
      .filter((sort) => !sent.includes(sort))
      .map(({ column }) => ({
        column,
        reason: columns.has(column) ? `The server sorts by ${MOST_SORTS} columns.` : `There is no column “${column}”.`,
      })),
  };
}

/** The cells of a row, one for each column. */
export function cellsOf(row: Row, columns: readonly Pick<Column, 'name'>[]): Cell[] {
  return columns.map(({ name }) => (Object.hasOwn(row, name) ? (row[name] ?? null) : ABSENT));
}

/** One page, read by the server. */
export async function readPage(link: Link, tables: Tables, request: PageRequest, signal: AbortSignal): Promise<Page> {
  const { table, position, limit } = request;
  link.begin(signal);
  if (position.from === 'cursor' || position.from === 'end') throw new DriverError('UNSUPPORTED', 'Rows are read by offset.');
  const offset = position.from === 'offset' ? position.offset : 0;
  const { query, droppedSorts } = await queryOf(request, tables, signal);
  const { found, rows } = await ask(link, table, { ...query, offset, limit }, signal);
  const columns = await tables.columns(table, signal);
  return {
    rowCount: rows.length,
    atEnd: offset + rows.length >= found,
    total: { rows: found, exact: true },
    droppedSorts,
    batch: encodeBatch({
      columns: columns.map(({ name, kind }) => ({ name, kind })),
      rows: rows.map((row) => cellsOf(row, columns)),
    }),
  };
}

/** How many rows a filter lets pass: the server counts, and sends none of them. */
export async function countRows(
  link: Link,
  tables: Tables,
  { table, filter }: { readonly table: TableRef; readonly filter: Filter },
  signal: AbortSignal,
): Promise<{ readonly rows: number; readonly exact: true }> {
  const { query } = await queryOf({ table, filter, sorts: [] }, tables, signal);
  const { found } = await ask(link, table, { ...query, offset: 0, limit: 0 }, signal);
  return { rows: found, exact: true };
}

async function ask(
  link: Link,
  table: TableRef,
  json: object,
  signal: AbortSignal,
): Promise<{ readonly found: number; readonly rows: readonly Row[] }> {
  const answer = await link.json({ method: 'POST', path: tablePath(table, 'query'), json, isReading: true, signal });
  return answer as { readonly found: number; readonly rows: readonly Row[] };
}
