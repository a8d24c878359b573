import { decodeBatch, decodePage } from '../../model/batch.ts';
import { isUnread } from '../../model/cell.ts';
import type { Cell, PageCell } from '../../model/cell.ts';
import { NO_FILTER } from '../../model/filter.ts';
import type { BatchColumn, PageBatch, PageRequest } from '../../model/page.ts';
import { rowKeyText } from '../../model/rowKey.ts';
import type { TableDescription } from '../../model/table.ts';
import type { Bench } from '../bench.ts';
import { cancelled, fail, inTime, must, onBench } from '../bench.ts';
import { shownCell, tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

/** Rows that are looked at of each table. */
const SOME = 20;
/** Small, so that ordinary values are longer. */
const OVER = 8;

/** A page as it was read: its columns, and its rows by their keys. */
interface KeyedRows {
  readonly columns: readonly BatchColumn[];
  readonly rows: ReadonlyMap<string, readonly PageCell[]>;
}

function keyOf(columns: readonly BatchColumn[], row: readonly PageCell[], { key, ref }: TableDescription): Cell[] {
  return key.map((name) => {
    const cell = row[columns.findIndex((column) => column.name === name)];
    if (cell === undefined) fail(`A page of ${tableText(ref)} has no column "${name}", which is of its key.`);
    if (isUnread(cell)) fail(`A page of ${tableText(ref)} has a placeholder in "${name}", which is of its key.`);
    return cell;
  });
}

function keyed({ columns, rows }: PageBatch, table: TableDescription): KeyedRows {
  return { columns, rows: new Map(rows.map((row) => [rowKeyText(keyOf(columns, row, table)), row])) };
}

/** The tables of the plan whose rows have keys. */
async function keyedTables(plan: ConformancePlan, { session, options }: Bench): Promise<TableDescription[]> {
  const described = plan.tables.map(({ ref }) => inTime('describeTable', session.describeTable(ref, options)));
  return (await Promise.all(described)).filter(({ key }) => key.length > 0);
}

async function firstPage(
  { session, options }: Bench,
  table: TableDescription,
  more: Pick<PageRequest, 'columns' | 'placeholders'> = {},
): Promise<Uint8Array> {
  const request = { table: table.ref, filter: NO_FILTER, sorts: [], position: { from: 'start' as const }, limit: SOME, ...more };
  return (await inTime('readPage', session.readPage(request, options))).batch;
}

/** The cell of a row in another order of columns; undefined where the column doesn't exist. */
function cellIn({ columns }: KeyedRows, row: readonly PageCell[], name: string): PageCell | undefined {
  const place = columns.findIndex((column) => column.name === name);
  return place === -1 ? undefined : (row[place] ?? null);
}

function mustBeSame(where: string, cell: PageCell | undefined, whole: PageCell | undefined, kind: BatchColumn['kind']): void {
  if (cell === undefined) fail(`${where} is missing.`);
  if (isUnread(cell)) fail(`${where} is a placeholder, and should be whole.`);
  if (whole === undefined || isUnread(whole)) fail(`${where} is a placeholder in a page that allows none.`);
  const [got, want] = [shownCell(cell, kind), shownCell(whole, kind)];
  must(got === want, () => `${where} is (${got}) and should be (${want}).`);
}

function mustBeLong(where: string, { bytes, start }: { bytes?: number; start?: string }, whole: PageCell | undefined): void {
  const text = Array.isArray(whole) ? (whole as readonly string[])[1] : whole;
  if (typeof text !== 'string') return;
  const there = new TextEncoder().encode(text).length;
  must(bytes === undefined || bytes === there, `${where} is said to have ${bytes} bytes and has ${there}.`);
  must(start === undefined || text.startsWith(start), `${where} is said to begin otherwise than it does.`);
}

/** Rows by their keys are the rows of pages, and pages with placeholders are the same pages. */
export function rowChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'rows: a row that is read by its key has the values of its page',
      run: () =>
        onBench(plan, async (bench) => {
          const { session, options } = bench;
          const { rows } = session;
          if (rows === undefined) return;
          for (const table of await keyedTables(plan, bench)) {
            const page = keyed(decodeBatch(await firstPage(bench, table)), table);
            if (page.rows.size === 0) continue;
            const keys = [...page.rows.values()].map((row) => keyOf(page.columns, row, table));
            const answer = await inTime('rows.read', rows.read({ table: table.ref, keys }, options));
            const found = keyed(decodeBatch(answer.batch), table);
            const where = `A row of ${tableText(table.ref)} by its key`;
            must(answer.rowCount === found.rows.size, `${where}: ${answer.rowCount} rows are said to be ${found.rows.size}.`);
            for (const key of found.rows.keys()) must(page.rows.has(key), `${where}: ${key} came and was not asked for.`);
            for (const [key, whole] of page.rows) {
              const row = found.rows.get(key);
              if (row === undefined) fail(`${where}: ${key} is missing.`);
              for (const { name, kind } of page.columns)
                mustBeSame(`${where}: "${name}" of ${key}`, cellIn(found, row, name), cellIn(page, whole, name), kind);
            }
            await cancelled('rows.read with an aborted signal', () =>
              rows.read({ table: table.ref, keys }, { signal: AbortSignal.abort() }),
            );
          }
        }),
    },
    {
      name: 'rows: a page has placeholders only where they are allowed, for long values, and never in its key',
      run: () =>
        onBench(plan, async (bench) => {
          if (bench.session.rows === undefined) return;
          for (const table of await keyedTables(plan, bench)) {
            const page = keyed(decodePage(await firstPage(bench, table)), table);
            const columns = [...new Set([...table.key, ...table.columns.slice(0, 3).map(({ name }) => name)])];
            const some = keyed(decodePage(await firstPage(bench, table, { columns })), table);
            const short = keyed(decodePage(await firstPage(bench, table, { placeholders: { over: OVER } })), table);
            must(page.rows.size === 0 || short.rows.size > 0, `A page of ${tableText(table.ref)} with placeholders has no row.`);
            for (const [key, row] of page.rows) {
              for (const { name, kind } of page.columns) {
                const where = `A page of ${tableText(table.ref)}: "${name}" of ${key}`;
                const whole = cellIn(page, row, name);
                mustBeSame(where, whole, whole, kind);
                if (columns.includes(name)) mustBeSame(where, cellIn(some, some.rows.get(key) ?? [], name), whole, kind);
                const shortened = short.rows.get(key);
                const cell = shortened === undefined ? undefined : cellIn(short, shortened, name);
                if (cell !== undefined && isUnread(cell)) mustBeLong(where, cell[1], whole);
                else if (shortened !== undefined) mustBeSame(where, cell, whole, kind);
              }
            }
          }
        }),
    },
  ];
}
