import type { PagePosition } from '../../model/page.ts';
import type { Sort } from '../../model/sort.ts';
import { inTime, must, onBench } from '../bench.ts';
import { tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan, KnownTable } from '../plan.ts';
import { readAll, readOnce, rowText } from '../reading.ts';
import { describe, pageSizes } from './pages.ts';

const MAX_LIMIT = 10_000;
const MILLISECONDS = 60_000;

/** Pages join under every sort, and the same place gives the same rows, however it was reached. */
export function positionChecks(plan: ConformancePlan, known: KnownTable): ConformanceCheck[] {
  const where = tableText(known.ref);
  const count = known.rows.length;
  return [
    {
      name: `${where}: pages join under every sort, ties and odd sizes and all`,
      run: () =>
        onBench(
          plan,
          async (bench) => {
            const table = await describe(bench, known);
            const able = table.columns.filter(({ sortable }) => sortable.allowed).map(({ name }) => name);
            for (const column of bench.manifest.reading.maxSorts === 0 ? [] : able) {
              for (const direction of ['ascending', 'descending'] as const) {
                const sorts: Sort[] = [{ column, direction }];
                const texts = async (size: number): Promise<string> =>
                  (await readAll(bench, table, { sorts }, size)).map((row) => rowText(row, table)).join('\n');
                const whole = await texts(Math.min(MAX_LIMIT, count + 1));
                for (const size of pageSizes(count).slice(0, 2)) {
                  must(
                    (await texts(size)) === whole,
                    `${where} sorted by ${column}, ${direction}, comes otherwise in pages of ${size}.`,
                  );
                }
              }
            }
          },
          { milliseconds: MILLISECONDS },
        ),
    },
    {
      name: `${where}: the same place gives the same rows, whichever was read before`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const whole = (await readAll(bench, table, {}, Math.min(MAX_LIMIT, count + 1))).map((row) => rowText(row, table));
          const size = Math.max(1, Math.floor(count / 4));
          const read = async (position: PagePosition, limit: number) => {
            const { page, rows } = await readOnce(bench, table, {}, position, limit);
            return { page, rows: rows.map((row) => rowText(row, table)) };
          };
          if (table.paging === 'offset') {
            for (const offset of [count - 1, 1, count - size, 0, size + 1, count]) {
              if (offset < 0) continue;
              const { page, rows } = await read({ from: 'offset', offset }, size);
              const expected = whole.slice(offset, offset + size);
              must(
                rows.join('\n') === expected.join('\n'),
                `${where}: ${size} rows after ${offset} are not those that reading on gives there.`,
              );
              must(
                page.atEnd === offset + size >= count,
                `${where}: ${size} rows after ${offset} of ${count} say that they are ${page.atEnd ? '' : 'not '}the last.`,
              );
            }
            return;
          }
          const first = await read({ from: 'start' }, size);
          const { nextCursor } = first.page;
          if (nextCursor === undefined) return;
          for (const limit of [size, size + 1, size]) {
            const { rows } = await read({ from: 'cursor', cursor: nextCursor }, limit);
            must(
              rows.join('\n') === whole.slice(size, size + limit).join('\n'),
              `${where}: a cursor that is used again gives other rows.`,
            );
          }
          must(
            (await read({ from: 'start' }, size)).rows.join('\n') === first.rows.join('\n'),
            `${where}: the first page is another one when it is read again.`,
          );
        }),
    },
    {
      name: `${where}: a page has the columns that the table is described with`,
      run: () =>
        onBench(plan, async (bench) => {
          const read = await readOnce(
            bench,
            await describe(bench, known),
            {},
            { from: 'start' },
            Math.min(MAX_LIMIT, Math.max(1, count)),
          );
          // Described again, because reading may have taught a driver columns that no schema names.
          const table = await inTime('describeTable', bench.session.describeTable(known.ref, bench.options));
          const kinds = read.rows[0]?.kinds ?? new Map<string, string>();
          for (const { name, kind } of table.columns) {
            must(kinds.has(name), `${where} is described with a column "${name}", and a page does not have it.`);
            must(
              kinds.get(name) === kind,
              `${where}.${name} is described as ${kind}, and is ${kinds.get(name) ?? ''} in a page.`,
            );
          }
          const described = new Set(table.columns.map(({ name }) => name));
          for (const name of kinds.keys())
            must(described.has(name), `${where}: a page has a column "${name}", and the description does not.`);
        }),
    },
  ];
}
