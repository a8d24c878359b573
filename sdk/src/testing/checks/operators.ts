import type { Column, ColumnKind } from '../../model/column.ts';
import { FILTER_VALUES } from '../../model/filter.ts';
import type { Filter, FilterOperator } from '../../model/filter.ts';
import type { TableDescription } from '../../model/table.ts';
import { filterVerdict } from '../../unstable/filterVerdict.ts';
import { compareNumerals } from '../../unstable/numerals.ts';
import { inTime, must, mustBeRefusal, onBench, expectedRefusal } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { isMissing, tableText, typed } from '../cells.ts';
import { absent } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownTable, NotChecked } from '../plan.ts';
import { knownCell, knownText, readAll, rowText } from '../reading.ts';
import { operatorsOf } from './filters.ts';
import { describe } from './pages.ts';

const REFUSED = ['INVALID_INPUT', 'UNSUPPORTED'] as const;
const MAX_LIMIT = 10_000;
/** Many questions, each of them small. */
const MILLISECONDS = 60_000;
/** A part of a text that every database finds in it: databases that search by words differ in what else separates them. */
const WORD = /(?<=^|\s)[\p{L}\p{N}]{2,}(?=$|\s)/gu;
const ANY_WORD = /(?<![\p{L}\p{N}])[\p{L}\p{N}]{2,}/gu;

const OF_THEIR_OWN: ReadonlySet<ColumnKind> = new Set(['json', 'bytes', 'geo', 'array', 'range', 'vector', 'interval']);
const OF_ENDS: ReadonlySet<FilterOperator> = new Set(['startsWith', 'endsWith']);
const OF_WORDS: ReadonlySet<FilterOperator> = new Set(['contains', 'notContains', 'matchesRegex']);

interface Asked {
  readonly bench: Bench;
  readonly plan: ConformancePlan;
  readonly known: KnownTable;
  readonly table: TableDescription;
}

/** Values of a column to ask for: some that rows have, or words of them, and one in the other letter case. */
function samples({ known, plan }: Asked, { name, kind }: Column, operator: FilterOperator): string[] {
  const word = (plan.textComparison ?? 'loose') === 'loose' ? WORD : ANY_WORD;
  const cells = known.rows.map((row) => knownCell(row, name)).filter((cell) => !isMissing(cell));
  const values = [...new Set(cells.map(typed))].filter((value) => value !== '');
  const some = [values[Math.floor(values.length / 2)], values.at(-1)].filter((value) => value !== undefined);
  if (kind !== 'text') return some;
  const several = values.find((value) => (value.match(word) ?? []).length > 1);
  const cut = [...some, ...(several === undefined ? [] : [several])].flatMap((value) => {
    const words = value.match(word) ?? [];
    // The first and the last word: for a beginning or an end the one is right, and the other must not be found in the middle.
    if (OF_ENDS.has(operator)) return [words[0], words.at(-1)];
    return OF_WORDS.has(operator) ? [words[Math.floor(words.length / 2)]] : [value];
  });
  const found = cut.filter((value) => value !== undefined);
  const [first] = found;
  if (first === undefined) return [];
  const other = first.toUpperCase() === first ? first.toLowerCase() : first.toUpperCase();
  return [...new Set([...found, ...(other === first ? [] : [other])])];
}

/** The lists of values that an operator is tried with. */
function valuesFor(asked: Asked, column: Column, operator: FilterOperator): (readonly string[])[] {
  const some = samples(asked, column, operator);
  switch (FILTER_VALUES[operator]) {
    case 'none':
      return [[]];
    case 'one':
      return some.map((value) => [value]);
    case 'two': {
      const numeric = column.kind === 'integer' || column.kind === 'decimal';
      const sorted = some.toSorted((a, b) => (numeric ? compareNumerals(a, b) : a < b ? -1 : a > b ? 1 : 0));
      const [low, high] = [sorted[0], sorted.at(-1)];
      return low === undefined || high === undefined
        ? []
        : [
            [low, high],
            [low, low],
          ];
    }
    case 'many':
      return some.length === 0 ? [] : [some.slice(0, 1), some];
  }
}

/** The rows that pass, by page and by count; undefined where the driver refuses. */
async function passing(bench: Bench, table: TableDescription, filter: Filter, what: string): Promise<string[] | undefined> {
  try {
    const rows = (await readAll(bench, table, { filter }, MAX_LIMIT)).map((row) => rowText(row, table));
    const count = await inTime('countRows', bench.session.countRows({ table: table.ref, filter }, bench.options));
    must(!count.exact || count.rows === rows.length, `${what}: countRows says ${count.rows}, and ${rows.length} rows came.`);
    return rows;
  } catch (error) {
    mustBeRefusal(what, error, REFUSED);
    return undefined;
  }
}

/** @returns whether the driver honoured the filter; false where it refused */
async function held({ bench, plan, known, table }: Asked, filter: Filter, what: string): Promise<boolean> {
  const got = await passing(bench, table, filter, what);
  if (got === undefined) return false;
  const found = new Set(got);
  // Rows of a table without a key may be equal; others come once.
  must(table.key.length === 0 || found.size === got.length, `${what}: ${got.length - found.size} rows came twice.`);
  for (const row of known.rows) {
    const verdict = filterVerdict(filter, row, table.columns, plan.textComparison ?? 'loose');
    const text = knownText(row, table);
    must(verdict !== 'passes' || found.has(text), `${what}: the row (${text}) is missing.`);
    must(verdict !== 'fails' || !found.has(text), `${what}: the row (${text}) came and should not.`);
  }
  return true;
}

/** Every operator that the manifest offers does what its name says, over the known rows. */
export function operatorChecks(plan: ConformancePlan, known: KnownTable): ConformanceCheck[] {
  const where = tableText(known.ref);
  const on = (use: (asked: Asked) => Promise<void | NotChecked>): Promise<void | NotChecked> =>
    onBench(plan, async (bench) => use({ bench, plan, known, table: await describe(bench, known) }), {
      milliseconds: MILLISECONDS,
    });
  return [
    {
      name: `${where}: every operator that the manifest offers finds the rows that its name says`,
      run: () =>
        on(async (asked) => {
          const { bench, table } = asked;
          const caseMatters = bench.manifest.filtering?.caseControl.available === true ? [undefined, true] : [undefined];
          for (const column of table.columns) {
            for (const operator of operatorsOf(bench, column).allowed) {
              const tried = valuesFor(asked, column, operator);
              // The text of a list or of bytes is not what a person types to find one.
              let honoured = tried.length === 0 || OF_THEIR_OWN.has(column.kind);
              for (const values of tried) {
                for (const matchCase of column.kind === 'text' ? caseMatters : [undefined]) {
                  const conditions = [{ column: column.name, operator, values }];
                  const filter: Filter = { match: 'all', conditions, ...(matchCase === undefined ? {} : { matchCase }) };
                  const what = `${where}.${column.name} ${operator} ${JSON.stringify(values)}${matchCase === true ? ' with letter case' : ''}`;
                  honoured = (await held(asked, filter, what)) || honoured;
                }
              }
              must(
                honoured,
                `${where}.${column.name}: the manifest offers ${operator}, and it is refused for every value of the table.`,
              );
            }
          }
        }),
    },
    {
      name: `${where}: all and any of two conditions are distinguished`,
      run: () =>
        on(async (asked) => {
          const { bench, table } = asked;
          const some = table.columns.flatMap((column) => {
            if (!operatorsOf(bench, column).allowed.has('equals')) return [];
            const [value] = samples(asked, column, 'equals');
            return value === undefined ? [] : [{ column: column.name, operator: 'equals' as const, values: [value] }];
          });
          const matches = bench.manifest.filtering?.match ?? [];
          if (some.length < 2) return absent('The table has no two columns that can be compared.');
          for (const [index, first] of some.entries()) {
            const second = some[(index + 1) % some.length] ?? first;
            for (const match of matches) {
              const filter: Filter = { match, conditions: [first, second] };
              const text = [first, second]
                .map(({ column, values }) => `${column} equals ${values.join()}`)
                .join(match === 'all' ? ' and ' : ' or ');
              await held(asked, filter, `${where}: ${text}`);
            }
          }
          return undefined;
        }),
    },
    {
      name: `${where}: a raw filter is honoured or refused, and so is a value that is none of its column's`,
      run: () =>
        on(async ({ bench, table }) => {
          const ask = (filter: Filter): Promise<unknown> => readAll(bench, table, { filter }, MAX_LIMIT);
          if (bench.manifest.filtering?.raw === undefined) {
            const filter: Filter = { match: 'all', conditions: [], raw: 'no such expression' };
            await expectedRefusal(`${where}: a raw filter, which the manifest does not offer,`, () => ask(filter), REFUSED);
            await expectedRefusal(
              `${where}: counting with a raw filter`,
              () => bench.session.countRows({ table: table.ref, filter }, bench.options),
              REFUSED,
            );
          }
          for (const column of table.columns) {
            if (column.kind !== 'integer' && column.kind !== 'decimal') continue;
            for (const operator of ['equals', 'greaterThan', 'lessThan'] as const) {
              if (!operatorsOf(bench, column).allowed.has(operator)) continue;
              const what = `${where}.${column.name} ${operator} "twelve"`;
              const got = await passing(
                bench,
                table,
                { match: 'all', conditions: [{ column: column.name, operator, values: ['twelve'] }] },
                what,
              );
              must((got ?? []).length === 0, `${what} finds ${got?.length ?? 0} rows.`);
            }
          }
        }),
    },
  ];
}
