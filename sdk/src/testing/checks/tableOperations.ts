import type { TableOperationsFacet } from '../../facets/tableOperations.ts';
import { NO_FILTER } from '../../model/filter.ts';
import { inTime, must, onBench, expectedRefusal } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { tableText } from '../cells.ts';
import { untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownOperation, KnownTable } from '../plan.ts';

const ID = /^[\w-]{1,40}$/;

async function withOperations(
  plan: ConformancePlan,
  use: (bench: Bench, facet: TableOperationsFacet) => Promise<void>,
): Promise<void> {
  await onBench(plan, async (bench) => {
    const facet = bench.session.tableOperations;
    if (facet !== undefined) await use(bench, facet);
  });
}

/** Operations say what they would do, do nothing that was not confirmed, and do what they said. */
export function tableOperationChecks(plan: ConformancePlan): ConformanceCheck[] {
  const operations = plan.operations ?? [];
  return [
    ...plan.tables.map((known) => ({
      name: `tableOperations: ${tableText(known.ref)}: each says what it would do, and does nothing unless that was confirmed`,
      run: () => withOperations(plan, (bench, facet) => planned(bench, facet, known)),
    })),
    ...(operations.length === 0
      ? [{ name: `tableOperations: ${DONE}`, run: async () => untried('The plan names no operation that may be carried out.') }]
      : operations.map((known) => ({
          name: `tableOperations: ${tableText(known.table)}: ${DONE} (${known.operation})`,
          run: () => withOperations(plan, (bench, facet) => carriedOut(bench, facet, known)),
        }))),
  ];
}

const DONE = 'one is carried out, and does what it said and nothing else';

/** Carries an operation out, and looks at the table and at the others. */
async function carriedOut(
  bench: Bench,
  facet: TableOperationsFacet,
  { table, operation, after, prepare }: KnownOperation,
): Promise<void> {
  const { session, options } = bench;
  const where = tableText(table);
  await prepare?.();
  const counts = async (): Promise<string> => {
    const listed = await inTime('listTables', session.listTables(options));
    const others = listed.filter(({ ref }) => tableText(ref) !== where);
    return JSON.stringify(others.map(({ ref, count }) => [tableText(ref), count]));
  };
  const before = await counts();
  const { target, count } = await inTime('plan', facet.plan(table, operation, options));
  const had = await inTime('countRows', session.countRows({ table: target, filter: NO_FILTER }, options));
  must(
    count === undefined || !count.exact || !had.exact || count.rows === had.rows,
    `${where}: "${operation}" plans for ${count?.rows ?? 0} rows; there are ${had.rows}.`,
  );
  const { message, affectedRows } = await inTime('run', facet.run(table, operation, target, options));
  must(/[.!?]$/.test(message.trim()), `${where}: the result of "${operation}" isn't a sentence: ${message}`);
  must(
    affectedRows === undefined || (Number.isSafeInteger(affectedRows) && affectedRows >= 0),
    `${where}: "${operation}" affected ${affectedRows ?? 0} rows.`,
  );
  if (after === 'gone') {
    await expectedRefusal(`${where} after "${operation}"`, () => session.describeTable(table, options), ['NOT_FOUND']);
  } else {
    const left = await inTime('countRows', session.countRows({ table, filter: NO_FILTER }, options));
    must(!left.exact || left.rows === after, `${where} has ${left.rows} rows after "${operation}"; it should have ${after}.`);
  }
  must((await counts()) === before, `"${operation}" of ${where} changed other tables.`);
}

async function planned(bench: Bench, facet: TableOperationsFacet, { ref, rows }: KnownTable): Promise<void> {
  const { session, options } = bench;
  const where = tableText(ref);
  const operations = await inTime('tableOperations.list', facet.list(ref, options));
  must(new Set(operations.map(({ id }) => id)).size === operations.length, `${where} has two operations of one id.`);
  for (const { id, label, ability } of operations) {
    must(ID.test(id) && label.trim() !== '', `${where}: the operation "${id}" has no proper id, or no label.`);
    if (!ability.allowed) {
      must(ability.reason.trim() !== '', `${where}: "${id}" cannot be done, and nothing says why.`);
      continue;
    }
    const { consequence, target, count, text } = await inTime('tableOperations.plan', facet.plan(ref, id, options));
    must(/[.!?]$/.test(consequence.trim()), `${where}: the consequence of "${id}" isn't a sentence: ${consequence}`);
    must(text.trim() !== '', `${where}: "${id}" does not show what it would send.`);
    must(
      count === undefined || !count.exact || count.rows === rows.length,
      `${where}: "${id}" counts ${count?.rows ?? 0} rows; there are ${rows.length}.`,
    );
    await inTime('describeTable of the target', session.describeTable(target, options));
    const other = { ...target, name: `${target.name}_other` };
    await expectedRefusal(`${where}: "${id}" of what was not confirmed`, () => facet.run(ref, id, other, options), ['CONFLICT']);
  }
  await expectedRefusal(`${where}: an unknown operation`, () => facet.plan(ref, 'no-such-operation', options), ['UNSUPPORTED']);
  const nowhere = { ...ref, name: 'no_such_table' };
  for (const { id, ability } of operations) {
    if (ability.allowed)
      await expectedRefusal('A plan for an unknown table', () => facet.plan(nowhere, id, options), ['NOT_FOUND']);
  }
  const left = await inTime('countRows', session.countRows({ table: ref, filter: NO_FILTER }, options));
  must(
    !left.exact || left.rows === rows.length,
    `${where} had ${rows.length} rows before its operations were planned, and has ${left.rows}.`,
  );
}
