import type { Column } from '../../model/column.ts';
import type { TableDescription } from '../../model/table.ts';
import type { Bench } from '../bench.ts';
import { inTime, must, onBench } from '../bench.ts';
import { shownCell, tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';
import { readOnce } from '../reading.ts';

// As the contract says.
const MOST = 1_000;
const MOST_COLUMNS = 64;
const LONGEST_EXPRESSION = 4_000;
const LONGEST_COMMENT = 10_000;
/** Rows in which an order shows. */
const COMPARED_ROWS = 200;

/** A description's indexes, triggers, orders and generated columns agree with its columns. */
export function structureChecks(plan: ConformancePlan): ConformanceCheck[] {
  const ofEach = (check: (table: TableDescription, bench: Bench) => Promise<void> | void) => () =>
    onBench(plan, async (bench) => {
      const { session, options } = bench;
      for (const { ref } of await inTime('listTables', session.listTables(options)))
        await check(await inTime('describeTable', session.describeTable(ref, options)), bench);
    });
  return [
    {
      name: 'indexes and triggers have names of their own, and indexes are on columns of their table',
      run: ofEach((table) => {
        mustIndex(table);
        mustTrigger(table);
      }),
    },
    {
      name: 'a column that the database writes itself takes no value, and defaults and comments keep to their lengths',
      run: ofEach((table) => {
        const where = tableText(table.ref);
        mustBeText(`The comment of ${where}`, table.comment, LONGEST_COMMENT);
        for (const column of table.columns) mustBeWritten(`${where}.${column.name}`, column);
      }),
    },
    { name: 'rows come in the default sort where no other is asked for', run: ofEach(mustBeInDefaultOrder) },
  ];
}

function mustBeText(what: string, text: string | undefined, most: number): void {
  if (text === undefined) return;
  must(text !== '', `${what} is empty. Leave it out where there is none.`);
  must(text.length <= most, `${what} has ${text.length} characters, and ${most} at most.`);
}

function mustBeOnce(what: string, names: readonly string[]): void {
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  must(twice === undefined, `${what} "${twice ?? ''}" twice.`);
}

function mustIndex({ ref, columns, indexes = [] }: TableDescription): void {
  const where = tableText(ref);
  must(indexes.length <= MOST, `${where} has ${indexes.length} indexes, and ${MOST} at most.`);
  mustBeOnce(
    `${where} has the index`,
    indexes.map(({ name }) => name),
  );
  must(indexes.filter(({ primary }) => primary).length <= 1, `${where} has two indexes of a primary key.`);
  const names = new Set(columns.map(({ name }) => name));
  for (const index of indexes) {
    const what = `The index "${index.name}" of ${where}`;
    must(index.name !== '', `An index of ${where} has no name.`);
    const { length } = index.columns;
    must(length > 0 && length <= MOST_COLUMNS, `${what} has ${length} columns, and 1 to ${MOST_COLUMNS} are allowed.`);
    must(index.unique || index.primary !== true, `${what} is of the primary key and isn't unique.`);
    mustBeText(`The condition of the index "${index.name}" of ${where}`, index.where, LONGEST_EXPRESSION);
    for (const part of index.columns)
      if ('name' in part) must(names.has(part.name), `${what} is on "${part.name}", which isn't a column of the table.`);
      else mustBeText(`An expression of the index "${index.name}" of ${where}`, part.expression, LONGEST_EXPRESSION);
    for (const name of index.includes ?? [])
      must(names.has(name), `${what} includes "${name}", which isn't a column of the table.`);
  }
}

function mustTrigger({ ref, triggers = [] }: TableDescription): void {
  const where = tableText(ref);
  must(triggers.length <= MOST, `${where} has ${triggers.length} triggers, and ${MOST} at most.`);
  mustBeOnce(
    `${where} has the trigger`,
    triggers.map(({ name }) => name),
  );
  for (const { name, events, columns = [], when, calls } of triggers) {
    const what = `The trigger "${name}" of ${where}`;
    must(name !== '', `A trigger of ${where} has no name.`);
    must(events.length > 0, `${what} fires on no event.`);
    mustBeOnce(`${what} fires on`, events);
    must(
      columns.length === 0 || events.includes('update'),
      `${what} names columns whose update fires it, and doesn't fire on an update.`,
    );
    mustBeText(`The condition of the trigger "${name}" of ${where}`, when, LONGEST_EXPRESSION);
    mustBeText(`The call of the trigger "${name}" of ${where}`, calls, LONGEST_EXPRESSION);
  }
}

function mustBeWritten(where: string, column: Column): void {
  const { generated, editable, required } = column;
  mustBeText(`The default of ${where}`, column.default, LONGEST_EXPRESSION);
  mustBeText(`The comment of ${where}`, column.comment, LONGEST_COMMENT);
  if (generated === undefined) return;
  mustBeText(`The expression of ${where}`, generated.expression, LONGEST_EXPRESSION);
  must(column.default === undefined, `${where} is generated and has a default.`);
  must(required !== true, `${where} is generated, and a new row is said to need a value.`);
  must(
    generated.kind === 'identityByDefault' || !editable.allowed,
    `${where} is generated (${generated.kind}) and is said to be editable.`,
  );
}

async function mustBeInDefaultOrder(table: TableDescription, bench: Bench): Promise<void> {
  const { ref, columns, defaultSort } = table;
  if (defaultSort === undefined) return;
  const where = `The default sort of ${tableText(ref)}`;
  must(defaultSort.length > 0, `${where} has no column. Leave it out where there is none.`);
  mustBeOnce(
    `${where} has`,
    defaultSort.map(({ column }) => column),
  );
  const sorted = defaultSort.map(({ column }) => {
    const found = columns.find(({ name }) => name === column);
    must(found !== undefined, `${where} is by "${column}", which isn't a column of the table.`);
    return found;
  });
  const { maxSorts } = bench.manifest.reading;
  if (sorted.some(({ sortable }) => !sortable.allowed) || sorted.length > maxSorts) return;
  const read = async (sorts: typeof defaultSort): Promise<string[]> => {
    const { rows } = await readOnce(bench, table, { sorts }, { from: 'start' }, COMPARED_ROWS);
    return rows.map(({ cells, kinds }) =>
      sorted.map(({ name }) => shownCell(cells.get(name) ?? null, kinds.get(name) ?? 'text')).join(' | '),
    );
  };
  const unsorted = await read([]);
  const asked = await read(defaultSort);
  const place = unsorted.findIndex((text, row) => text !== asked[row]);
  must(
    place === -1,
    () => `${where} has (${asked[place] ?? ''}) as row ${place + 1}, and without a sort it is (${unsorted[place] ?? ''}).`,
  );
}
