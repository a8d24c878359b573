import type { ExplainFacet, StatementPlan } from '../../facets/explain.ts';
import { NO_FILTER } from '../../model/filter.ts';
import type { Bench } from '../bench.ts';
import { cancelled, expectedRefusal, fail, inTime, must, mustBeRefusal, onBench } from '../bench.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';
import { untried } from '../plan.ts';

function explainOf({ session }: Bench): ExplainFacet {
  return session.explain ?? fail('The session explains nothing.');
}

/** The rows of each table, by which a plan that was carried out is noticed. */
async function rowsOf(plan: ConformancePlan, { session, options }: Bench): Promise<string> {
  const counts: number[] = [];
  for (const { ref } of plan.tables)
    counts.push((await inTime('countRows', session.countRows({ table: ref, filter: NO_FILTER }, options))).rows);
  return counts.join();
}

function mustBePlan(statement: string, { nodes, raw, notes }: StatementPlan, isMeasured: boolean): void {
  must(nodes.length > 0, `The plan of ${statement} has no step.`);
  must(raw?.text !== '', `The plan of ${statement} is an empty text.`);
  must(
    notes.every((note) => note.trim() !== ''),
    `A note on the plan of ${statement} is empty.`,
  );
  for (const [place, { depth, operation, facts, ...numbers }] of nodes.entries()) {
    must(depth <= (nodes[place - 1]?.depth ?? -1) + 1, `The step ${operation} of ${statement} is a part of no other.`);
    must(operation.trim() !== '', `A step of ${statement} has no name.`);
    must(
      facts.every(({ label, value }) => label.trim() !== '' && value !== ''),
      `A fact of ${operation} is empty.`,
    );
    for (const value of [numbers.estimatedRows, numbers.cost, numbers.actualRows, numbers.actualMilliseconds, numbers.loops])
      must(value === undefined || (Number.isFinite(value) && value >= 0), `A number of ${operation} is ${value ?? ''}.`);
    must(
      isMeasured || (numbers.actualRows === undefined && numbers.loops === undefined),
      `The step ${operation} of ${statement} was measured, and nothing was to run.`,
    );
  }
  must(!isMeasured || nodes[0]?.actualRows !== undefined, `${statement} was run, and its first step has no measure.`);
}

/** Plans are trees, explaining carries nothing out, and only what reads is measured. */
export function explainChecks(plan: ConformancePlan): ConformanceCheck[] {
  const known = plan.console;
  const needed = untried('The session explains statements, and the plan names none.');
  return [
    {
      name: 'explain: a statement that reads has a plan, and with analyze what it measured',
      run: () =>
        onBench(plan, async (bench) => {
          if (known === undefined) return needed;
          const facet = explainOf(bench);
          let planned = 0;
          for (const { statement } of known.reads) {
            for (const analyze of [false, true]) {
              const options = { ...bench.options, analyze };
              try {
                const { effect } = await inTime('explain.classify', facet.classify(statement, options));
                must(effect === 'read', `Explaining ${statement}, which only reads, is classified as ${effect}.`);
                mustBePlan(statement, await inTime('explain.explain', facet.explain(statement, options)), analyze);
                planned += 1;
              } catch (error) {
                mustBeRefusal(`Explaining ${statement}`, error, ['UNSUPPORTED']);
              }
            }
            await cancelled('explain.explain with an aborted signal', () =>
              facet.explain(statement, { analyze: true, signal: AbortSignal.abort() }),
            );
          }
          must(planned > 0, 'No statement of the plan that reads has a plan.');
        }),
    },
    {
      name: 'explain: nothing is carried out, and no change is measured',
      run: () =>
        onBench(plan, async (bench) => {
          if (known === undefined) return needed;
          const facet = explainOf(bench);
          const before = await rowsOf(plan, bench);
          for (const { statement, effect } of known.classified) {
            if (effect === 'read') continue;
            await expectedRefusal(
              `Measuring ${statement}, which is classified as ${effect},`,
              () => facet.explain(statement, { ...bench.options, analyze: true }),
              ['PERMISSION_DENIED', 'UNSUPPORTED', 'INVALID_INPUT'],
            );
            const found = await facet
              .explain(statement, { ...bench.options, analyze: false })
              .catch(
                (error: unknown) =>
                  void mustBeRefusal(`Explaining ${statement}`, error, [
                    'UNSUPPORTED',
                    'INVALID_INPUT',
                    'NOT_FOUND',
                    'STRUCTURE_CHANGED',
                    'ACCESS_REFUSED',
                  ]),
              );
            if (found !== undefined) mustBePlan(statement, found, false);
            must((await rowsOf(plan, bench)) === before, `Explaining ${statement} changed rows.`);
          }
          const { text, statements } = known.script;
          for (const refused of [...known.refused, ...(statements > 1 ? [text] : [])])
            for (const analyze of [false, true])
              await expectedRefusal(
                `Explaining ${JSON.stringify(refused)}`,
                () => facet.explain(refused, { ...bench.options, analyze }),
                ['INVALID_INPUT', 'UNSUPPORTED'],
              );
        }),
    },
  ];
}
