import { DriverError, encodeBatch } from '@tabularium/sdk';
import type { Page, PageCell, PageRequest } from '@tabularium/sdk';
import { toCell } from '../cells.ts';
import type { PgColumn } from '../catalogue/pgTable.ts';
import { faultTexts } from '../fault.ts';
import type { PgDatabase } from '../pgDatabase.ts';
import type { TextRow } from '../wire/batch.ts';
import { Bookmarks } from './bookmarks.ts';
import { filterCondition } from './filters.ts';
import { readLocked } from './lockedRead.ts';
import { isBehind, orderBy, orderOf, sortsOf } from './order.ts';
import { checkRawText } from './rawCondition.ts';
import { Values } from './values.ts';

/** Types whose values are never long. */
const SHORT: ReadonlySet<string> = new Set(['integer', 'decimal', 'boolean', 'date', 'time', 'timestamp', 'uuid']);
/** Characters of a long value that a page shows. */
const START = 200;

/** Reads one page. */
export async function readPage(
  database: PgDatabase,
  bookmarks: Bookmarks,
  request: PageRequest,
  signal: AbortSignal,
): Promise<Page> {
  const { filter, sorts, position, limit, columns: wanted } = request;
  if (position.from === 'cursor')
    throw new DriverError('UNSUPPORTED', 'Tables of PostgreSQL are read by offset.', {
      details: { texts: faultTexts('page.offset') },
    });
  const table = await database.table(request.table, signal);
  checkRawText(filter);
  const isEnd = position.from === 'end';
  const offset = position.from === 'offset' ? position.offset : 0;
  const { terms, isTotal } = orderOf(sorts, table);
  const key = new Set(table.key);
  const columns =
    wanted === undefined ? table.columns : table.columns.filter((column) => wanted.includes(column.name) || key.has(column));
  const over = table.key.length === 0 ? undefined : request.placeholders?.over;
  const values = new Values();
  const condition = filterCondition(filter, table, values);
  const view = Bookmarks.viewOf(table, filter, terms);
  // Behind a row means past it and all that are equal to it: where there may be such rows, they are counted instead.
  const mark = isEnd || !isTotal ? undefined : bookmarks.before(view, offset);
  const where = [
    ...(condition === undefined ? [] : [mark === undefined ? condition : `(${condition})`]),
    ...(mark === undefined ? [] : [isBehind(terms, mark.values, values)]),
  ].join(' AND ');
  const mayBeLong = columns.map((column) => over !== undefined && !key.has(column) && canExceed(column, over));
  const select = columns.map((column, index) =>
    over === undefined || mayBeLong[index] !== true ? column.sql : shortened(column, over),
  );
  // The values of the order beside those of the columns: reading on needs them whole.
  const places = isTotal ? terms.map(({ sql }) => sql) : [];
  const text = `SELECT ${[...select, ...places].join(', ')} FROM ${table.sql}${where === '' ? '' : ` WHERE ${where}`}${orderBy(terms, isEnd)} LIMIT ${limit + 1} OFFSET ${isEnd ? 0 : offset - (mark?.offset ?? 0)}`;
  const began = performance.now();
  const [answer] = await readLocked(
    database,
    {
      table,
      raw: filter.raw,
      steps: [{ text, values: values.list }],
      columns: columns.map((column, index) => (mayBeLong[index] === true ? undefined : column)),
    },
    signal,
  );
  const rows = answer?.rows ?? [];
  const some = rows.slice(0, limit);
  const atEnd = isEnd || rows.length <= limit;
  const last = some.at(-1);
  if (!isEnd && isTotal && last !== undefined)
    bookmarks.set(view, { offset: offset + some.length, values: last.slice(columns.length) });
  const cells = (isEnd ? some.toReversed() : some).map((row) => cellsOf(row, columns, mayBeLong));
  return {
    rowCount: cells.length,
    atEnd,
    // Past the end an offset says nothing of how many there are; and a place that was remembered may have moved.
    ...(atEnd && !isEnd && mark === undefined && (cells.length > 0 || offset === 0)
      ? { total: { rows: offset + cells.length, exact: true } }
      : {}),
    droppedSorts: sortsOf(sorts, table).dropped,
    serverMilliseconds: Math.max(0, Math.round((performance.now() - began) * 10) / 10),
    batch: encodeBatch({ columns: columns.map(({ name, kind }) => ({ name, kind })), rows: cells }),
  };
}

/** Whether a value can be longer: asking each one for its size takes the server as long as reading it. */
function canExceed({ kind, type, mostBytes }: PgColumn, over: number): boolean {
  return !SHORT.has(kind) && type.sort !== 'e' && (mostBytes === undefined || mostBytes > over);
}

/** A long value as its beginning, with a mark before it and the size of its text. */
function shortened({ sql, kind }: PgColumn, over: number): string {
  // As the server writes the value without this: a cast to text is another form for some, such as "char(5)" without its blanks and "inet" with its mask.
  const written = `pg_catalog.concat(${sql})`;
  // Bytes travel as base64.
  const size = kind === 'bytes' ? `(pg_catalog.octet_length(${sql}) + 2) / 3 * 4` : `pg_catalog.octet_length(${written})`;
  const start = kind === 'bytes' ? "''" : `pg_catalog.left(${written}, ${START})`;
  // A composite of nulls IS NULL, and is a value.
  return `CASE WHEN pg_catalog.num_nulls(${sql}) = 1 THEN NULL WHEN ${size} > ${over} THEN pg_catalog.concat('+', ${size}, ':', ${start}) ELSE pg_catalog.concat('=', ${sql}) END`;
}

function cellsOf(row: TextRow, columns: readonly PgColumn[], mayBeLong: readonly boolean[]): PageCell[] {
  return columns.map((column, index): PageCell => {
    const value = row[index] ?? null;
    if (value === null || mayBeLong[index] !== true) return toCell(value, column.kind);
    if (value.startsWith('=')) return toCell(value.slice(1), column.kind);
    const colon = value.indexOf(':');
    const start = value.slice(colon + 1);
    return ['unread', { bytes: Number(value.slice(1, colon)), ...(start === '' ? {} : { start }) }];
  });
}
