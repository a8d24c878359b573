import { inTime, must, mustBeRefusal, onBench } from '../bench.ts';
import { tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan, KnownTable } from '../plan.ts';
import { readOnce } from '../reading.ts';
import { describe } from './pages.ts';

const NO_SUCH = ['INVALID_INPUT', 'UNSUPPORTED', 'STRUCTURE_CHANGED', 'NOT_FOUND'] as const;
const MAX_LIMIT = 10_000;

/** Names that no column has, each a trap for a driver that pastes them into a query, a path or an object. */
const NAMES = [
  '1=1 OR 1',
  'id" OR "1"="1',
  "id' OR '1'='1",
  'id`:>0 || `id',
  'id); DROP TABLE x; --',
  '*',
  '',
  '__proto__',
  'constructor',
  'length',
  'a.b.c',
  '\u0000',
  'id\u0000',
  '💥',
];

/** A name is a name: it finds no column that it is not, and reaches nothing else. */
export function hostileNameChecks(plan: ConformancePlan, known: KnownTable): ConformanceCheck[] {
  const where = tableText(known.ref);
  return [
    {
      name: `${where}: a hostile column name isn't a column, in filters and in sorts`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const has = new Set(table.columns.map(({ name }) => name));
          const limit = Math.min(MAX_LIMIT, known.rows.length + 1);
          for (const column of NAMES) {
            if (has.has(column)) continue;
            const filter = { match: 'all', conditions: [{ column, operator: 'equals', values: ['1'] }] } as const;
            const shown = JSON.stringify(column);
            for (const [what, ask] of [
              ['read', () => readOnce(bench, table, { filter }, { from: 'start' }, limit)],
              ['count', () => bench.session.countRows({ table: table.ref, filter }, bench.options)],
            ] as const) {
              const error = await inTime(`a ${what} by ${shown}`, ask() as Promise<unknown>).then(
                () => undefined,
                (reason: unknown) => reason ?? new Error('nothing'),
              );
              must(error !== undefined, `${where}: a ${what} with a filter on ${shown} succeeds, but the column doesn't exist.`);
              mustBeRefusal(`${where}: a ${what} with a filter on ${shown}`, error, NO_SUCH);
            }
            const sorts = [{ column, direction: 'ascending' }] as const;
            const { page, rows } = await readOnce(bench, table, { sorts }, { from: 'start' }, limit);
            const dropped = page.droppedSorts.find((sort) => sort.column === column);
            must(
              dropped !== undefined && dropped.reason.trim() !== '',
              `${where}: a sort by ${shown} is not reported as dropped, with a reason.`,
            );
            must(rows.length === known.rows.length, `${where}: a sort by ${shown} changes how many rows there are.`);
          }
        }),
    },
  ];
}
