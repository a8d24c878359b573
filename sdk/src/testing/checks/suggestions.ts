import { isAbsent } from '../../model/cell.ts';
import type { TableDescription } from '../../model/table.ts';
import type { Bench } from '../bench.ts';
import { cancelled, inTime, must, onBench } from '../bench.ts';
import type { ConformanceCheck, ConformancePlan, KnownTable } from '../plan.ts';

const LIMIT = 20;

/** Whether a known row's cell holds a value, alone or in a list. */
function hasValue({ rows }: KnownTable, column: string, value: string): boolean {
  return rows.some((row) => {
    const cell = row[column] ?? null;
    if (cell === null || isAbsent(cell)) return false;
    const text = String(Array.isArray(cell) ? cell[1] : cell);
    return text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1)) || Number(text) === Number(value);
  });
}

async function checkColumn(
  { session, options }: Bench,
  known: KnownTable,
  table: TableDescription,
  column: string,
): Promise<void> {
  const { suggestions } = session;
  if (suggestions === undefined) return;
  const what = `The values of “${column}”`;
  const ask = (typed: string, limit: number) =>
    inTime('suggestions.values', suggestions.values({ table: table.ref, column, typed, limit }, options));
  const { values } = await ask('', LIMIT);
  must(values.length <= LIMIT, `${what}: ${values.length} came; ${LIMIT} were asked for.`);
  must(new Set(values.map(({ value }) => value)).size === values.length, `${what}: one came twice.`);
  const kind = table.columns.find(({ name }) => name === column)?.kind;
  for (const { value, rows } of values) {
    must(value !== '', `${what}: an empty one is suggested.`);
    must(kind === 'boolean' || hasValue(known, column, value), `${what}: no row has ${JSON.stringify(value)}.`);
    must(rows === undefined || (rows >= 1 && rows <= known.rows.length), `${what}: ${JSON.stringify(value)} is in ${rows} rows.`);
  }
  must((await ask('', 1)).values.length <= 1, `${what}: more than one came where one was asked for.`);
  const typed = values[0]?.value.trim().slice(0, 3).toLowerCase();
  if (typed === undefined || typed === '') return;
  for (const { value } of (await ask(typed, LIMIT)).values) {
    must(value.toLowerCase().includes(typed), `${what}: ${JSON.stringify(value)} does not hold “${typed}”.`);
  }
}

/** Values that are suggested are values that rows have. */
export function suggestionChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'suggestions: values are those of rows, hold what was typed, and keep the limit',
      run: () =>
        onBench(plan, async (bench) => {
          const { session, options } = bench;
          const { suggestions } = session;
          if (suggestions === undefined) return;
          for (const known of plan.tables) {
            const table = await inTime('describeTable', session.describeTable(known.ref, options));
            const filterable = table.columns.filter(({ filterClass }) => filterClass !== undefined);
            for (const { name } of filterable) await checkColumn(bench, known, table, name);
            const column = filterable[0]?.name;
            if (column === undefined) continue;
            const request = { table: table.ref, column, typed: '', limit: 1 };
            await cancelled('suggestions.values with an aborted signal', () =>
              suggestions.values(request, { signal: AbortSignal.abort() }),
            );
          }
        }),
    },
  ];
}
