import { cancelled, expectedRefusal, inTime, must, onBench } from '../bench.ts';
import { tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

const ABSENT = 'no such table 8f31';

/** Tables that can be read and not listed are found by their names, and nothing else is. */
export function namedTableChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'namedTables: a table is found by its name, and a name that is not there is refused with it',
      run: () =>
        onBench(plan, async ({ session, options }) => {
          const { namedTables } = session;
          if (namedTables === undefined) return;
          must(namedTables.reason.trim() !== '', 'Nothing says why the list lacks tables.');
          for (const { ref } of plan.tables) {
            const found = await inTime('namedTables.find', namedTables.find(tableText(ref), options));
            must(
              tableText(found.ref) === tableText(ref),
              `“${tableText(ref)}” was asked for, and “${tableText(found.ref)}” was found.`,
            );
          }
          const error = await expectedRefusal(
            `Finding “${ABSENT}”, which is not there,`,
            () => namedTables.find(ABSENT, options),
            ['NOT_FOUND', 'ACCESS_REFUSED'],
          );
          must(error.message.includes(ABSENT), 'The refusal of a name that is not there does not hold the name.');
          await cancelled('namedTables.find with an aborted signal', () =>
            namedTables.find(ABSENT, { signal: AbortSignal.abort() }),
          );
        }),
    },
  ];
}
