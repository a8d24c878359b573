import type { TableOperationsFacet } from '../../facets/tableOperations.ts';
import { NO_FILTER } from '../../model/filter.ts';
import { inTime, must, onBench, refusal } from '../bench.ts';
import type { Bench } from '../bench.ts';
import { tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan, KnownTable } from '../plan.ts';

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

/** Operations say what they would do, and do nothing that was not confirmed. None of them is carried out here. */
export function tableOperationChecks(plan: ConformancePlan): ConformanceCheck[] {
  return plan.tables.map((known) => ({
    name: `tableOperations: ${tableText(known.ref)}: each says what it would do, and does nothing unless that was confirmed`,
    run: () => withOperations(plan, (bench, facet) => planned(bench, facet, known)),
  }));
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
    must(/[.!?]$/.test(consequence.trim()), `${where}: the consequence of "${id}" is no sentence: ${consequence}`);
    must(text.trim() !== '', `${where}: "${id}" does not show what it would send.`);
    must(
      count === undefined || !count.exact || count.rows === rows.length,
      `${where}: "${id}" counts ${count?.rows ?? 0} rows; there are ${rows.length}.`,
    );
    await inTime('describeTable of the target', session.describeTable(target, options));
    const other = { ...target, name: `${target.name}_other` };
    await refusal(`${where}: "${id}" of what was not confirmed`, () => facet.run(ref, id, other, options), ['CONFLICT']);
  }
  await refusal(`${where}: an unknown operation`, () => facet.plan(ref, 'no-such-operation', options), ['UNSUPPORTED']);
  const nowhere = { ...ref, name: 'no_such_table' };
  for (const { id, ability } of operations) {
    if (ability.allowed) await refusal('A plan for an unknown table', () => facet.plan(nowhere, id, options), ['NOT_FOUND']);
  }
  const left = await inTime('countRows', session.countRows({ table: ref, filter: NO_FILTER }, options));
  must(
    !left.exact || left.rows === rows.length,
    `${where} had ${rows.length} rows before its operations were planned, and has ${left.rows}.`,
  );
}
