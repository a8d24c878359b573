import type { TableDescription } from '../../model/table.ts';
import { inTime, must, onBench, expectedRefusal } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { shownCell, tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan, KnownTable } from '../plan.ts';
import { knownCell, knownText, readAll, readOnce, rowText, sameRows } from '../reading.ts';
import { NO_FILTER } from '../../model/filter.ts';

/** The most that one page may be asked for. */
const MAX_LIMIT = 10_000;

export async function describe({ session, options }: Bench, { ref }: KnownTable): Promise<TableDescription> {
  return inTime('describeTable', session.describeTable(ref, options));
}

/** Page sizes at which a paging fault shows: several pages, odd ones, one page exactly, one page and room left. */
export function pageSizes(rows: number): number[] {
  const sizes = [Math.floor(rows / 7), Math.floor(rows / 3) | 1, rows - 1, rows, rows + 5, ...(rows <= 12 ? [1] : [])];
  return [...new Set(sizes.map((size) => Math.min(MAX_LIMIT, Math.max(1, size))))];
}

/** Rows come whole, once, and in one order. */
export function pageChecks(plan: ConformancePlan, known: KnownTable): ConformanceCheck[] {
  const where = tableText(known.ref);
  return [
    {
      name: `${where}: pages of every size join without gaps and doubles`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const expected = known.rows.map((row) => knownText(row, table));
          let order: string[] | undefined;
          for (const size of pageSizes(known.rows.length)) {
            const rows = (await readAll(bench, table, {}, size)).map((row) => rowText(row, table));
            sameRows(`${where} in pages of ${size}`, rows, expected);
            order ??= rows;
            must(order.join('\n') === rows.join('\n'), `${where} comes in another order in pages of ${size}.`);
          }
        }),
    },
    {
      name: `${where}: every value is exact, null and absent are distinguished`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const rows = await readAll(bench, table, {}, Math.min(MAX_LIMIT, known.rows.length + 1));
          const expected = new Map(known.rows.map((row) => [knownText(row, table), row]));
          for (const row of rows) {
            const wanted = expected.get(rowText(row, table));
            must(wanted !== undefined, `${where}: the row (${rowText(row, table)}) should not be there.`);
            for (const { name, kind, values } of table.columns) {
              const got = shownCell(row.cells.get(name) ?? null, row.kinds.get(name) ?? kind);
              const want = shownCell(knownCell(wanted, name), kind);
              must(got === want, `${where}.${name} of (${rowText(row, table)}) is (${got}) and should be (${want}).`);
              const cell = row.cells.get(name) ?? null;
              must(
                values === undefined || typeof cell !== 'string' || values.includes(cell),
                `${where}.${name} of (${rowText(row, table)}) is none of the labels that the column declares.`,
              );
            }
            for (const name of Object.keys(wanted)) must(row.cells.has(name), `${where} has no column "${name}".`);
          }
        }),
    },
    {
      name: `${where}: counts, totals and the end agree`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const count = await inTime(
            'countRows',
            bench.session.countRows({ table: known.ref, filter: NO_FILTER }, bench.options),
          );
          must(
            !count.exact || count.rows === known.rows.length,
            `${where} is counted as ${count.rows} rows and has ${known.rows.length}.`,
          );
          const size = Math.max(1, Math.min(MAX_LIMIT, known.rows.length));
          const { page } = await readOnce(bench, table, {}, { from: 'start' }, size);
          must(page.atEnd, `${where}: a page that holds every row does not say that it is the last.`);
          const { total } = page;
          must(
            total === undefined || !total.exact || total.rows === known.rows.length,
            `${where}: a page reports a wrong total.`,
          );
        }),
    },
    {
      name: `${where}: the last page, and positions that the table does not have`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const limit = Math.max(1, Math.floor(known.rows.length / 2));
          const read = (from: Parameters<typeof readOnce>[3]) => readOnce(bench, table, {}, from, limit);
          if (table.readsFromEnd) {
            const whole = (await readAll(bench, table, {}, MAX_LIMIT)).map((row) => rowText(row, table));
            const { page, rows } = await read({ from: 'end' });
            must(page.atEnd, `${where}: the page at the end does not say that it is the last.`);
            sameRows(
              `${where} at the end`,
              rows.map((row) => rowText(row, table)),
              whole.slice(-limit),
            );
            must(
              rows.map((row) => rowText(row, table)).join('\n') === whole.slice(-limit).join('\n'),
              `${where}: the last page is out of order.`,
            );
          } else {
            await expectedRefusal(
              `${where}: reading from the end, which its description does not offer`,
              () => read({ from: 'end' }),
              ['UNSUPPORTED', 'INVALID_INPUT'],
            );
          }
          if (table.paging === 'offset') {
            const { rows, page } = await read({ from: 'offset', offset: known.rows.length + 1_000 });
            must(rows.length === 0 && page.atEnd, `${where}: behind its last row there are rows, or no end.`);
            await expectedRefusal(`${where}: a cursor, where pages have offsets`, () => read({ from: 'cursor', cursor: 'x' }), [
              'UNSUPPORTED',
              'INVALID_INPUT',
            ]);
          } else {
            await expectedRefusal(`${where}: an offset, where pages have cursors`, () => read({ from: 'offset', offset: 1 }), [
              'UNSUPPORTED',
              'INVALID_INPUT',
            ]);
            await expectedRefusal(
              `${where}: a cursor that was never handed out`,
              () => read({ from: 'cursor', cursor: 'no such cursor' }),
              ['INVALID_INPUT'],
            );
          }
        }),
    },
  ];
}
