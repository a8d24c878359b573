import { NO_FILTER } from '../../model/filter.ts';
import type { Filter } from '../../model/filter.ts';
import type { RowCount } from '../../model/table.ts';
import { inTime, must, onBench } from '../bench.ts';
import { tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan, KnownTable } from '../plan.ts';
import { readOnce } from '../reading.ts';
import { describe } from './pages.ts';

const MAX_LIMIT = 10_000;

/** A number of rows that there can be, and the right one where it is called exact. */
function mustCount(what: string, count: RowCount | undefined, rows: number): void {
  if (count === undefined) return;
  must(Number.isSafeInteger(count.rows) && count.rows >= 0, `${what} is ${count.rows} rows.`);
  must(typeof count.exact === 'boolean', `${what} does not say whether it is exact.`);
  must(!count.exact || count.rows === rows, `${what} is exactly ${count.rows} rows, and there are ${rows}.`);
}

/** Every count that is marked as exact is exact. */
export function countChecks(plan: ConformancePlan, known: KnownTable): ConformanceCheck[] {
  const where = tableText(known.ref);
  return [
    {
      name: `${where}: a count is a number of rows, and what is called exact is exact`,
      run: () =>
        onBench(plan, async (bench) => {
          const { session, options } = bench;
          const table = await describe(bench, known);
          const questions: { name: string; filter: Filter; rows: number }[] = [
            { name: 'without a filter', filter: NO_FILTER, rows: known.rows.length },
            ...(known.filters ?? []).map(({ name, filter, passes }) => ({
              name,
              filter,
              rows: known.rows.filter(passes).length,
            })),
          ];
          for (const { name, filter, rows } of questions) {
            mustCount(
              `${where}, ${name}: countRows`,
              await inTime('countRows', session.countRows({ table: known.ref, filter }, options)),
              rows,
            );
            for (const limit of [1, Math.min(MAX_LIMIT, rows + 1)]) {
              const { page } = await readOnce(bench, table, { filter }, { from: 'start' }, limit);
              mustCount(`${where}, ${name}: the total of a page of ${limit}`, page.total, rows);
              const { serverMilliseconds: spent } = page;
              must(spent === undefined || (Number.isFinite(spent) && spent >= 0), `${where}: a page took ${spent ?? ''} ms.`);
            }
          }
          for (const { ref, count } of await inTime('listTables', session.listTables(options))) {
            if (tableText(ref) === where) mustCount(`${where}: the count in the list`, count, known.rows.length);
          }
        }),
    },
  ];
}
