import { DriverError, driverText, encodeBatch } from '@tabularium/sdk';
import type { Ability, DroppedSort, Filter, Page, PageCell, PageRequest, RowCount, Sort } from '@tabularium/sdk';
import { LARGEST_BLOB } from './cells.ts';
import type { SqliteDatabase, SqlRow } from './database.ts';
import { faultTexts } from './fault.ts';
import { filterCondition } from './filters.ts';
import type { Condition } from './filters.ts';
import { cutValues, limitedCells, limitedSelect, longNote, unreadCell } from './longValues.ts';
import type { CutValue } from './longValues.ts';
import { rowBytes, weightOfRow } from './rowBytes.ts';
import type { SqlColumn, SqlTable } from './schema.ts';

/** As many as the manifest says. */
const MOST_SORTS = 16;
/** Bytes of the values of a page: this process holds them as they are, as text and as the encoded answer. */
const LARGEST_PAGE = 16 * 1024 * 1024;
/** Bytes of a text in a row without a key, which can't be read alone. */
const LARGEST_TEXT = 1024 * 1024;

/** The facts about a file that decide how its pages are read. */
export interface PagedFile {
  readonly bytes: number;
  readonly isUtf8: boolean;
}

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
export function readPage(database: SqliteDatabase, table: SqlTable, request: PageRequest, file: PagedFile): Page {
  const { filter, sorts, position, limit, columns: wanted } = request;
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
  const columns =
    wanted === undefined
      ? table.columns
      : table.columns.filter((column) => table.key.includes(column) || wanted.includes(column.name));
  const from = `FROM ${table.sql}${whereOf(condition)}${orderBy(done, table, isEnd)} LIMIT ? OFFSET ?`;
  const parameters = [...(condition?.parameters ?? []), BigInt(limit) + 1n, BigInt(offset)];
  const hasKey = table.key.length > 0;
  const over = hasKey ? request.placeholders?.over : undefined;
  // Values that have to be whole are weighed before they are read. In a small file there are no large ones.
  if (hasKey && over === undefined && file.bytes > LARGEST_PAGE) {
    let bytes = 0;
    for (const [size] of database.all(`SELECT ${rowBytes(columns)} ${from}`, parameters).slice(0, limit)) bytes += Number(size);
    if (bytes > LARGEST_PAGE) throw largePage();
  }
  const most = columns.map((column) => mostBytes(column, table, over, file));
  const select = limitedSelect(columns.map((column, index) => ({ column, most: most[index] ?? LARGEST_PAGE })));
  const rows: SqlRow[] = [];
  let weight = 0;
  let isCut = false;
  for (const row of database.rows(`SELECT ${select.join(', ')} ${from}`, parameters)) {
    weight += weightOfRow(row);
    if (weight > LARGEST_PAGE && rows.length > 0 && rows.length < limit) {
      if (request.placeholders === undefined) throw largePage();
      isCut = true;
      break;
    }
    rows.push(row);
  }
  const some = rows.slice(0, limit);
  const atEnd = isEnd || (!isCut && rows.length <= limit);
  const instead = (cut: CutValue): PageCell => (hasKey ? unreadCell(cut, file.isUtf8) : longNote(cut));
  const kinds = columns.map(({ kind }) => kind);
  const cells = (isEnd ? some.toReversed() : some).map((row) => {
    for (const place of hasKey ? cutValues(row, columns.length).keys() : []) {
      const column = columns[place];
      if (over === undefined || (column !== undefined && table.key.includes(column))) throw largePage();
    }
    return limitedCells(row, kinds, instead);
  });
  return {
    rowCount: cells.length,
    atEnd,
    // Past the end an offset says nothing of how many there are.
    ...(atEnd && !isEnd && (cells.length > 0 || offset === 0) ? { total: { rows: offset + cells.length, exact: true } } : {}),
    droppedSorts: dropped,
    batch: encodeBatch({ columns: columns.map(({ name, kind }) => ({ name, kind })), rows: cells }),
  };
}

/** The bytes above which values of a column are cut. */
function mostBytes(column: SqlColumn, { key }: SqlTable, over: number | undefined, { isUtf8 }: PagedFile): number {
  if (key.length === 0) return column.kind === 'bytes' ? LARGEST_BLOB : LARGEST_TEXT;
  if (over === undefined || key.includes(column)) return LARGEST_PAGE;
  // A text in UTF-16 has at most twice the bytes that it has in UTF-8.
  return Math.min(LARGEST_PAGE, isUtf8 ? over : 2 * over);
}

function largePage(): DriverError {
  const size = LARGEST_PAGE / 1_048_576;
  return new DriverError('TOO_LARGE', `The values of this page have more than ${size} MB.`, {
    details: { advice: 'Read fewer rows or columns at once.', texts: faultTexts('page.large', { size }, 'page.large.advice') },
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
