import { DriverError, driverText, encodeBatch } from '@tabularium/sdk';
import type { Ability, Cell, DroppedSort, Filter, Page, PageRequest, RowCount, Sort } from '@tabularium/sdk';
import { LARGEST_BLOB, blobNote, toPageCell } from './cells.ts';
import type { SqliteDatabase, SqlRow } from './database.ts';
import { faultTexts } from './fault.ts';
import { filterCondition } from './filters.ts';
import type { Condition } from './filters.ts';
import type { SqlColumn, SqlTable } from './schema.ts';

/** As many as the manifest says. */
const MOST_SORTS = 16;

interface Ordering {
  readonly column: SqlColumn;
  readonly direction: Sort['direction'];
}

/** The sorts that are done, and those that are not. */
export function sortsOf(
  sorts: readonly Sort[],
  { byName }: SqlTable,
): { readonly done: readonly Ordering[]; readonly dropped: readonly DroppedSort[] } {
  const done: Ordering[] = [];
  const dropped: DroppedSort[] = [];
  for (const { column: name, direction } of sorts) {
    const column = byName.get(name);
    if (column === undefined)
      dropped.push({ column: name, reason: "The column doesn't exist.", texts: { reason: driverText('sort.noColumn') } });
    else if (!column.sortable.allowed) dropped.push(refusedSort(name, column.sortable));
    else if (done.length >= MOST_SORTS)
      dropped.push({
        column: name,
        reason: `At most ${MOST_SORTS} columns can be sorted by.`,
        texts: { reason: driverText('sort.most', { most: MOST_SORTS }) },
      });
    else if (!done.some((other) => other.column === column)) done.push({ column, direction });
  }
  return { done, dropped };
}

function refusedSort(column: string, { reason, texts }: Exclude<Ability, { allowed: true }>): DroppedSort {
  return { column, reason, ...(texts === undefined ? {} : { texts }) };
}

/**
 * The order of rows. Rows that the sorts leave equal are ordered by the key, or where there is none by every column, so that pages join:
 * SQLite keeps to no order among equals from one page to the next.
 */
function orderBy(sorts: readonly Ordering[], { key, columns }: SqlTable, reversed: boolean): string {
  const direction = (ascending: boolean): string => (ascending === reversed ? ' DESC' : '');
  const last = key.length > 0 ? key : sorts.length > 0 ? columns : [];
  const terms = [
    ...sorts.map((sort) => `${sort.column.sql}${direction(sort.direction === 'ascending')}`),
    ...last.filter((column) => !sorts.some((sort) => sort.column === column)).map(({ sql }) => `${sql}${direction(true)}`),
  ];
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}

export function whereOf(condition: Condition | undefined): string {
  return condition === undefined ? '' : ` WHERE ${condition.sql}`;
}

/** The expressions of a filter and its sorts as they are sent, with values in place. */
export function orderText(sorts: readonly Sort[], table: SqlTable): string {
  return orderBy(sortsOf(sorts, table).done, table, false)
    .trimStart()
    .replace(/^ORDER BY /, '');
}

/** Reads one page. */
export function readPage(database: SqliteDatabase, table: SqlTable, request: PageRequest): Page {
  const { filter, sorts, position, limit } = request;
  if (position.from === 'cursor')
    throw new DriverError('UNSUPPORTED', 'Tables of SQLite are read by offset.', {
      details: { texts: faultTexts('page.offset') },
    });
  const isEnd = position.from === 'end';
  if (isEnd && table.key.length === 0)
    throw new DriverError('UNSUPPORTED', 'Rows without a key cannot be read from the end.', {
      details: { texts: faultTexts('page.noEnd') },
    });
  const condition = filterCondition(filter, table);
  const { done, dropped } = sortsOf(sorts, table);
  const offset = position.from === 'offset' ? position.offset : 0;
  // A large blob is not even read: its length stands for it.
  const wide = table.columns.map(({ kind }) => kind === 'bytes');
  const select = table.columns.map(({ sql }, index) =>
    wide[index] === true ? `iif(typeof(${sql}) = 'blob' AND length(${sql}) > ${LARGEST_BLOB}, length(${sql}), ${sql})` : sql,
  );
  const lengths = table.columns.flatMap(({ sql }, index) => (wide[index] === true ? [`typeof(${sql}) = 'blob'`] : []));
  const rows = database.all(
    `SELECT ${[...select, ...lengths].join(', ')} FROM ${table.sql}${whereOf(condition)}${orderBy(done, table, isEnd)} LIMIT ? OFFSET ?`,
    [...(condition?.parameters ?? []), BigInt(limit) + 1n, BigInt(offset)],
  );
  const some = rows.slice(0, limit);
  const atEnd = isEnd || rows.length <= limit;
  const cells = (isEnd ? some.toReversed() : some).map((row) => cellsOf(row, table.columns));
  return {
    rowCount: cells.length,
    atEnd,
    // Past the end an offset says nothing of how many there are.
    ...(atEnd && !isEnd && (cells.length > 0 || offset === 0) ? { total: { rows: offset + cells.length, exact: true } } : {}),
    droppedSorts: dropped,
    batch: encodeBatch({ columns: table.columns.map(({ name, kind }) => ({ name, kind })), rows: cells }),
  };
}

function cellsOf(row: SqlRow, columns: readonly SqlColumn[]): Cell[] {
  let flag = columns.length;
  return columns.map(({ kind }, index) => {
    const value = row[index] ?? null;
    if (kind !== 'bytes') return toPageCell(value, kind);
    const isBlob = row[flag++] === 1n;
    return isBlob && typeof value === 'bigint' ? blobNote(Number(value)) : toPageCell(value, kind);
  });
}

/** Above this a count of a whole table is estimated: SQLite would have to read all of it. */
const LARGEST_COUNTED = 4 * 1024 ** 3;

/** Counts what a filter lets pass. Without a filter a table of a very large file is estimated by the numbers of its rows. */
export function countTableRows(database: SqliteDatabase, table: SqlTable, filter: Filter, fileBytes: number): RowCount {
  const condition = filterCondition(filter, table);
  const rowid = table.key.length === 1 && table.key[0]?.kind === 'integer' ? table.key[0].sql : undefined;
  if (condition === undefined && fileBytes > LARGEST_COUNTED && rowid !== undefined) {
    const most = database.first(`SELECT max(${rowid}) - min(${rowid}) + 1 FROM ${table.sql}`)?.[0];
    if (typeof most === 'bigint') return { rows: Number(most), exact: false };
  }
  const [count] = database.first(`SELECT count(*) FROM ${table.sql}${whereOf(condition)}`, condition?.parameters) ?? [];
  return { rows: Number(count ?? 0), exact: true };
}
