import type { Cell } from '../../model/cell.ts';
import type { Column, ColumnKind } from '../../model/column.ts';
import type { Sort } from '../../model/sort.ts';
import type { TableDescription } from '../../model/table.ts';
import type { Bench } from '../bench.ts';
import { must, onBench } from '../bench.ts';
import { isMissing, tableText, typed } from '../cells.ts';
import { compareNumerals } from '../../unstable/numerals.ts';
import { grouped } from '../grouped.ts';
import type { ConformanceCheck, ConformancePlan, KnownTable } from '../plan.ts';
import { knownText, readAll, readOnce, rowText, sameRows } from '../reading.ts';
import type { ReadRow } from '../reading.ts';
import { describe, pageSizes } from './pages.ts';

const collator = new Intl.Collator('en');
/** Databases order text in different ways; a driver must keep to one of them. */
const textOrders: readonly ((a: string, b: string) => number)[] = [
  (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  (a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : a.toLowerCase() > b.toLowerCase() ? 1 : 0),
  (a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)),
  (a, b) => collator.compare(a, b),
];

/** Kinds whose values every database orders in a way of its own, which their texts don't show. */
const ORDER_OF_ITS_OWN: ReadonlySet<ColumnKind> = new Set(['array', 'range', 'interval', 'vector']);

/** The orders that a sort may have; undefined where the values don't show one. */
function ordersOf({ kind, values }: Column): readonly ((a: string, b: string) => number)[] | undefined {
  if (ORDER_OF_ITS_OWN.has(kind)) return undefined;
  if (kind === 'integer' || kind === 'decimal') return [compareNumerals];
  if (kind !== 'enum') return textOrders;
  // Labels have the order of their list, or that of texts.
  return values === undefined ? undefined : [(a, b) => values.indexOf(a) - values.indexOf(b), ...textOrders];
}

/** Whether the cells rise (or fall), missing ones all at one end. */
function isOrdered(cells: readonly Cell[], column: Column, direction: Sort['direction']): boolean {
  const missing = cells.map(isMissing);
  const changes = missing.filter((value, index) => index > 0 && value !== missing[index - 1]).length;
  if (changes > 1) return false;
  const values = cells.filter((cell) => !isMissing(cell)).map(typed);
  const sign = direction === 'ascending' ? 1 : -1;
  const orders = ordersOf(column);
  return (
    orders === undefined ||
    orders.some((compare) => values.every((value, index) => index === 0 || compare(values[index - 1] ?? '', value) * sign <= 0))
  );
}

function cellsOf(rows: readonly ReadRow[], column: string): Cell[] {
  return rows.map(({ cells }) => cells.get(column) ?? null);
}

async function sorted(bench: Bench, table: TableDescription, sorts: readonly Sort[], size: number): Promise<ReadRow[]> {
  return readAll(bench, table, { sorts }, size);
}

/** A sort is done, or reported as not done. */
export function sortChecks(plan: ConformancePlan, known: KnownTable): ConformanceCheck[] {
  const where = tableText(known.ref);
  const page = Math.min(10_000, known.rows.length + 1);
  const directions = ['ascending', 'descending'] as const;
  return [
    {
      name: `${where}: a sort by a sortable column orders the rows`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const expected = known.rows.map((row) => knownText(row, table));
          for (const column of table.columns) {
            const { name, sortable } = column;
            if (!sortable.allowed) continue;
            for (const direction of directions) {
              const sorts = [{ column: name, direction }];
              const { page: first } = await readOnce(bench, table, { sorts }, { from: 'start' }, page);
              must(first.droppedSorts.length === 0, `${where}.${name} is called sortable, and the sort is dropped.`);
              const rows = await sorted(bench, table, sorts, page);
              must(
                isOrdered(cellsOf(rows, name), column, direction),
                `${where} sorted by ${name}, ${direction}, is in no such order.`,
              );
              const small = await sorted(bench, table, sorts, pageSizes(known.rows.length)[1] ?? 1);
              sameRows(
                `${where} sorted by ${name} in small pages`,
                small.map((row) => rowText(row, table)),
                expected,
              );
            }
          }
        }),
    },
    {
      name: `${where}: a sort that cannot be done is reported, and the read does not fail`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const able = table.columns.filter(({ sortable }) => sortable.allowed).map(({ name }) => name);
          const unable = table.columns.filter(({ sortable }) => !sortable.allowed).map(({ name }) => name);
          const most = bench.manifest.reading.maxSorts;
          const questions = [...unable.map((name) => [name]), ...(able.length > most ? [able.slice(0, most + 1)] : [])];
          for (const names of questions) {
            const sorts = names.map((column) => ({ column, direction: 'ascending' as const }));
            const { page: first, rows } = await readOnce(bench, table, { sorts }, { from: 'start' }, page);
            const last = names.at(-1) ?? '';
            const dropped = first.droppedSorts.find(({ column }) => column === last);
            must(dropped !== undefined, `${where}: the sort by ${last} (${names.length} in all) is not reported as dropped.`);
            must(dropped.reason.trim() !== '', `${where}: the sort by ${last} is dropped without a reason.`);
            must(rows.length === known.rows.length, `${where}: a dropped sort changes how many rows there are.`);
          }
        }),
    },
    {
      name: `${where}: the second sort orders what the first leaves equal`,
      run: () =>
        onBench(plan, async (bench) => {
          const table = await describe(bench, known);
          const able = table.columns.filter(({ sortable }) => sortable.allowed);
          if (bench.manifest.reading.maxSorts < 2) return;
          for (const first of able) {
            for (const second of able) {
              if (first === second) continue;
              const sorts: Sort[] = [
                { column: first.name, direction: 'ascending' },
                { column: second.name, direction: 'descending' },
              ];
              const rows = await sorted(bench, table, sorts, page);
              const groups = grouped(rows, ({ cells }) => JSON.stringify(cells.get(first.name) ?? null));
              for (const group of groups.values()) {
                must(
                  isOrdered(cellsOf(group, second.name), second, 'descending'),
                  `${where} sorted by ${first.name} and ${second.name}: rows with equal ${first.name} are not ordered by ${second.name}.`,
                );
              }
            }
          }
        }),
    },
  ];
}
