import type { Column } from '../../model/column.ts';
import { FILTER_OPERATORS, FILTER_VALUES } from '../../model/filter.ts';
import type { Filter, FilterOperator } from '../../model/filter.ts';
import type { TableDescription } from '../../model/table.ts';
import { inTime, must, mustBeRefusal, onBench, expectedRefusal } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { shownCell, isMissing, tableText, typed } from '../cells.ts';
import { compareNumerals } from '../../unstable/numerals.ts';
import type { ConformanceCheck, ConformancePlan, KnownRow, KnownTable } from '../plan.ts';
import { knownCell, knownText, readAll, rowText, sameRows } from '../reading.ts';
import { describe } from './pages.ts';

const REFUSED = ['INVALID_INPUT', 'UNSUPPORTED'] as const;
const MAX_LIMIT = 10_000;

/** Values that tempt a driver that builds its queries by pasting. Each must be refused, or change nothing about what is asked. */
const TEMPTING = [
  '`',
  '`zzz` || id:!=x',
  "' OR '1'='1",
  '"; DROP TABLE x; --',
  '*',
  '%',
  '_',
  '\\',
  '$(x)',
  '\u0000',
  '💥',
  ']',
  '..',
];

function condition(column: string, operator: FilterOperator, values: readonly string[]): Filter {
  return { match: 'all', conditions: [{ column, operator, values }] };
}

async function rowsOf(bench: Bench, table: TableDescription, filter: Filter): Promise<string[]> {
  const rows = (await readAll(bench, table, { filter }, MAX_LIMIT)).map((row) => rowText(row, table));
  const count = await inTime('countRows', bench.session.countRows({ table: table.ref, filter }, bench.options));
  must(
    !count.exact || count.rows === rows.length,
    `countRows says ${count.rows}, and ${rows.length} rows pass ${JSON.stringify(filter)}.`,
  );
  return rows;
}

/** How values look when neither letter case nor punctuation counts. What differs even then must never be found equal. */
function loose(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The operators of a column that the manifest allows, and those that it refuses or does not name. */
export function operatorsOf({ manifest }: Bench, column: Column): { allowed: Set<FilterOperator>; refused: FilterOperator[] } {
  const operators = column.filterClass === undefined ? [] : (manifest.filtering?.classes[column.filterClass]?.operators ?? []);
  const allowed = new Set(
    operators.flatMap((entry) => (typeof entry === 'string' ? [entry] : entry.refused === undefined ? [entry.operator] : [])),
  );
  return { allowed, refused: FILTER_OPERATORS.filter((operator) => !allowed.has(operator)) };
}

/** The value of a column in the middle of the table, and the row that has it. */
function sampleOf(known: KnownTable, column: string): { row: KnownRow; value: string } | undefined {
  const usable = known.rows.filter((row) => {
    const cell = knownCell(row, column);
    return !isMissing(cell) && loose(typed(cell)) !== '';
  });
  const row = usable[Math.floor(usable.length / 2)];
  return row === undefined ? undefined : { row, value: typed(knownCell(row, column)) };
}

const COMPARISONS: Partial<Record<FilterOperator, (order: number) => boolean>> = {
  greaterThan: (order) => order > 0,
  greaterOrEqual: (order) => order >= 0,
  lessThan: (order) => order < 0,
  lessOrEqual: (order) => order <= 0,
};

/** A filter is honoured whole, or refused. */
export function filterChecks(plan: ConformancePlan, known: KnownTable): ConformanceCheck[] {
  const where = tableText(known.ref);
  const examples = (known.filters ?? []).map((example) => ({
    name: `${where}: ${example.name}`,
    run: () =>
      onBench(plan, async (bench) => {
        const table = await describe(bench, known);
        const expected = known.rows.filter(example.passes).map((row) => knownText(row, table));
        sameRows(`${where}, ${example.name}`, await rowsOf(bench, table, example.filter), expected);
      }),
  }));
  return [
    {
      name: `${where}: equality finds what is equal and nothing else`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          for (const column of table.columns) {
            const sample = sampleOf(known, column.name);
            const { allowed } = operatorsOf(bench, column);
            if (sample === undefined || column.kind === 'json') continue;
            for (const operator of ['equals', 'in'] as const) {
              if (!allowed.has(operator)) continue;
              const got = new Set(await rowsOf(bench, table, condition(column.name, operator, [sample.value])));
              for (const row of known.rows) {
                const cell = knownCell(row, column.name);
                const text = knownText(row, table);
                const same = shownCell(cell, column.kind) === shownCell(knownCell(sample.row, column.name), column.kind);
                must(
                  !same || got.has(text),
                  `${where}.${column.name} ${operator} ${sample.value}: the row (${text}) is missing.`,
                );
                const other = isMissing(cell) || loose(typed(cell)) !== loose(sample.value);
                must(
                  !other || !got.has(text),
                  `${where}.${column.name} ${operator} ${sample.value}: the row (${text}) came and should not.`,
                );
              }
            }
          }
        }),
    },
    {
      name: `${where}: comparisons of numbers are exact`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          for (const column of table.columns) {
            if (column.kind !== 'integer' && column.kind !== 'decimal') continue;
            const sample = sampleOf(known, column.name);
            const { allowed } = operatorsOf(bench, column);
            if (sample === undefined) continue;
            for (const [operator, holds] of Object.entries(COMPARISONS) as [FilterOperator, (order: number) => boolean][]) {
              if (!allowed.has(operator)) continue;
              const expected = known.rows.filter((row) => {
                const cell = knownCell(row, column.name);
                return !isMissing(cell) && holds(compareNumerals(typed(cell), sample.value));
              });
              const got = await rowsOf(bench, table, condition(column.name, operator, [sample.value]));
              sameRows(
                `${where}.${column.name} ${operator} ${sample.value}`,
                got,
                expected.map((row) => knownText(row, table)),
              );
            }
          }
        }),
    },
    {
      name: `${where}: an operator that the manifest refuses is refused`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          for (const column of table.columns) {
            for (const operator of operatorsOf(bench, column).refused) {
              const values = { none: [], one: ['1'], two: ['1', '2'], many: ['1'] }[FILTER_VALUES[operator]];
              const filter = condition(column.name, operator, values);
              const ask = (): Promise<unknown> => readAll(bench, table, { filter }, MAX_LIMIT);
              await expectedRefusal(`${where}.${column.name} ${operator}, which the manifest does not allow,`, ask, REFUSED);
            }
          }
        }),
    },
    {
      name: `${where}: no value changes what a filter means`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          for (const column of table.columns) {
            const { allowed } = operatorsOf(bench, column);
            for (const operator of ['equals', 'in', 'contains', 'startsWith'] as const) {
              if (!allowed.has(operator) || column.kind === 'json') continue;
              for (const value of TEMPTING) {
                if (known.rows.some((row) => typed(knownCell(row, column.name)).includes(value))) continue;
                const values = FILTER_VALUES[operator] === 'many' ? [value, 'no such value'] : [value];
                let got: string[];
                try {
                  got = await rowsOf(bench, table, condition(column.name, operator, values));
                } catch (error) {
                  mustBeRefusal(`${where}.${column.name} ${operator} ${JSON.stringify(value)}`, error, REFUSED);
                  continue;
                }
                must(
                  got.length === 0,
                  `${where}.${column.name} ${operator} ${JSON.stringify(value)} finds ${got.length} rows that do not hold it.`,
                );
              }
            }
          }
        }),
    },
    {
      name: `${where}: a filter on a column that does not exist is refused`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const ask = (): Promise<unknown> =>
            readAll(bench, table, { filter: condition('no_such_column', 'equals', ['1']) }, MAX_LIMIT);
          await expectedRefusal(`${where}: a filter on an unknown column`, ask, [...REFUSED, 'STRUCTURE_CHANGED', 'NOT_FOUND']);
        }),
    },
    ...examples,
  ];
}
