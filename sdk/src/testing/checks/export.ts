import type { ExportFacet, ExportRequest } from '../../facets/export.ts';
import type { Cell } from '../../model/cell.ts';
import { NO_FILTER } from '../../model/filter.ts';
import type { BatchColumn } from '../../model/page.ts';
import type { RowCount, TableDescription } from '../../model/table.ts';
import { cancelled, fail, inTime, must, onBench, expectedRefusal } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { shownCell, tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan, KnownRow, KnownTable, OpenedTarget } from '../plan.ts';
import { knownCell, knownText, rowText, sameRows } from '../reading.ts';
import type { ReadRow } from '../reading.ts';

interface Exported {
  readonly columns: readonly BatchColumn[];
  readonly rows: readonly ReadRow[];
  readonly expected?: RowCount;
}

/** All rows of an export, its events held to their grammar. */
async function exportAll({ options }: Bench, facet: ExportFacet, request: ExportRequest): Promise<Exported> {
  const what = `The export of ${tableText(request.table)}`;
  let columns: readonly BatchColumn[] | undefined;
  let expected: RowCount | undefined;
  const rows: ReadRow[] = [];
  const stream = facet.rows(request, options)[Symbol.asyncIterator]();
  for (;;) {
    const next = await inTime('An event of an export', stream.next());
    if (next.done === true) break;
    const event = next.value;
    if (event.type === 'begin') {
      must(columns === undefined, `${what} begins twice.`);
      ({ columns, expected } = event);
      must(new Set(columns.map(({ name }) => name)).size === columns.length, `${what} has two columns of one name.`);
      continue;
    }
    const known = columns ?? fail(`${what} gives rows before it begins.`);
    const kinds = new Map(known.map(({ name, kind }) => [name, kind]));
    for (const row of event.rows) {
      must(row.length === known.length, `${what} has a row of ${row.length} cells in ${known.length} columns.`);
      rows.push({ kinds, cells: new Map(known.map(({ name }, index): [string, Cell] => [name, row[index] ?? null])) });
    }
  }
  return { columns: columns ?? fail(`${what} does not begin.`), rows, ...(expected === undefined ? {} : { expected }) };
}

async function withExport(
  plan: ConformancePlan,
  known: KnownTable,
  use: (bench: Bench, facet: ExportFacet, table: TableDescription, target: OpenedTarget) => Promise<void>,
): Promise<void> {
  const target = await plan.open();
  await onBench({ ...plan, open: () => target }, async (bench) => {
    const facet = bench.session.export;
    if (facet === undefined) return;
    await use(bench, facet, await inTime('describeTable', bench.session.describeTable(known.ref, bench.options)), target);
  });
}

function mustHold(
  where: string,
  { rows, columns, expected }: Exported,
  known: readonly KnownRow[],
  table: TableDescription,
): void {
  sameRows(
    where,
    rows.map((row) => rowText(row, table)),
    known.map((row) => knownText(row, table)),
  );
  must(
    expected === undefined || !expected.exact || expected.rows === known.length,
    `${where}: ${expected?.rows ?? 0} rows were expected, and there are ${known.length}.`,
  );
  const wanted = new Map(known.map((row) => [knownText(row, table), row]));
  for (const row of rows) {
    const match = wanted.get(rowText(row, table));
    if (match === undefined) continue;
    for (const { name, kind } of columns) {
      const [got, want] = [shownCell(row.cells.get(name) ?? null, kind), shownCell(knownCell(match, name), kind)];
      must(got === want, `${where}.${name} of (${rowText(row, table)}) is (${got}) and should be (${want}).`);
    }
    for (const name of Object.keys(match)) must(row.cells.has(name), `${where} has no column "${name}".`);
  }
}

/** An export is whole, exact and bounded, or an error. */
export function exportChecks(plan: ConformancePlan): ConformanceCheck[] {
  return plan.tables.flatMap((known) => {
    const where = `export: ${tableText(known.ref)}`;
    const everything: ExportRequest = { table: known.ref, filter: NO_FILTER };
    return [
      {
        name: `${where}: every row with every value, also of a filter`,
        run: () =>
          withExport(plan, known, async (bench, facet, table) => {
            mustHold(where, await exportAll(bench, facet, everything), known.rows, table);
            for (const { name, filter, passes } of known.filters ?? []) {
              mustHold(
                `${where}, ${name}`,
                await exportAll(bench, facet, { ...everything, filter }),
                known.rows.filter(passes),
                table,
              );
            }
          }),
      },
      {
        name: `${where}: chosen columns, in their order and no others`,
        run: () =>
          withExport(plan, known, async (bench, facet, table) => {
            const columns = table.columns.map(({ name }) => name).reverse();
            for (const chosen of [columns, columns.slice(0, 1)]) {
              const exported = await exportAll(bench, facet, { ...everything, columns: chosen });
              const names = exported.columns.map(({ name }) => name);
              must(
                names.join('\n') === chosen.join('\n'),
                `${where}: the columns ${chosen.join()} were chosen, and ${names.join()} came.`,
              );
              must(exported.rows.length === known.rows.length, `${where}: choosing columns changes the number of rows.`);
            }
          }),
      },
      {
        name: `${where}: the fast way gives the same rows, and its judge finds what is missing`,
        run: () =>
          withExport(plan, known, (bench, facet, _table, target) => spliced(where, bench, facet, everything, known, target)),
      },
      {
        name: `${where}: left early, cancelled, of nothing that is there`,
        run: () =>
          withExport(plan, known, async (bench, facet) => {
            for await (const event of facet.rows(everything, bench.options)) {
              must(event.type === 'begin', `${where} begins with ${event.type}.`);
              break;
            }
            const aborted = async (): Promise<void> => {
              for await (const { type } of facet.rows(everything, { signal: AbortSignal.abort() }))
                fail(`A cancelled export gave ${type}.`);
            };
            await cancelled(`${where} with an aborted signal`, aborted);
            const nowhere = { ...everything, table: { ...known.ref, name: 'no_such_table' } };
            await expectedRefusal('The export of an unknown table', () => exportAll(bench, facet, nowhere), ['NOT_FOUND']);
            await expectedRefusal('The splice of an unknown table', () => facet.splice(nowhere, bench.options), ['NOT_FOUND']);
            await inTime('ping', bench.session.ping(bench.options));
          }),
      },
    ];
  });
}

async function spliced(
  where: string,
  { options }: Bench,
  facet: ExportFacet,
  request: ExportRequest,
  known: KnownTable,
  { context }: OpenedTarget,
): Promise<void> {
  const splice = await inTime('splice', facet.splice(request, options));
  if (splice === undefined) return;
  const { expected } = splice;
  must(
    expected === undefined || !expected.exact || expected.rows === known.rows.length,
    `${where}: the splice expects ${expected?.rows ?? 0} rows, and there are ${known.rows.length}.`,
  );
  const judge = async (lines: number, lastLine: string, status = 200): Promise<void> =>
    inTime('judge', Promise.resolve(facet.judge(splice, { status, lines, lastLine })));
  // Without an http capability of its own the kit cannot fetch, and the judge gets a line that isn't JSON.
  let lines = ['{"broken":'];
  if (context.http !== undefined) {
    const response = await inTime('The spliced request', context.http.request({ ...splice.request, signal: options.signal }));
    lines = (await response.text()).split('\n').filter((line) => line.trim() !== '');
    must(
      lines.length === known.rows.length,
      `${where}: the spliced answer has ${lines.length} lines, and there are ${known.rows.length} rows.`,
    );
    for (const line of lines)
      must(isJson(line), `${where}: the spliced answer has a line that isn't valid JSON: ${line.slice(0, 200)}`);
    await judge(lines.length, lines.at(-1) ?? '', response.status);
    if (expected?.exact === true) {
      const lacks = `${where}: a stream that lacks a line`;
      const { code, details } = await expectedRefusal(lacks, () => judge(lines.length - 1, lines.at(-2) ?? ''), [
        ...BROKEN,
        'ROWS_DIFFER',
      ]);
      must(
        code !== 'ROWS_DIFFER' || details.rows?.got === lines.length - 1,
        `${lacks} ends in ROWS_DIFFER, and its details.rows don't say that ${lines.length - 1} rows came.`,
      );
    }
  }
  const last = lines.at(-1) ?? '';
  await expectedRefusal(
    `${where}: a stream that ends inside a line`,
    () => judge(known.rows.length, last.slice(0, Math.ceil(last.length / 2))),
    BROKEN,
  );
  await expectedRefusal(
    `${where}: a stream that ends in a sentence`,
    () => judge(known.rows.length, 'Something went wrong.'),
    BROKEN,
  );
}

const BROKEN = ['CONNECTION_LOST', 'SERVER_ERROR', 'BAD_ANSWER'] as const;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
