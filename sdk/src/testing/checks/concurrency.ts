import { decodeBatch } from '../../model/batch.ts';
import { NO_FILTER } from '../../model/filter.ts';
import { inTime, must, onBench } from '../bench.ts';
import { tableText } from '../cells.ts';
import type { ConformanceCheck, ConformancePlan } from '../plan.ts';

/** Rounds of the same calls, all at once: as many as a window with several tabs asks. */
const ROUNDS = 4;

/** Calls at the same time answer what each would have answered alone. */
export function concurrencyChecks(plan: ConformancePlan): ConformanceCheck[] {
  return [
    {
      name: 'calls at the same time do not disturb each other',
      run: () =>
        onBench(plan, async ({ session, options }) => {
          const calls = plan.tables.flatMap(({ ref, rows }): (readonly [string, () => Promise<string>])[] => {
            const page = async (limit: number): Promise<string> => {
              const read = await session.readPage(
                { table: ref, filter: NO_FILTER, sorts: [], position: { from: 'start' }, limit },
                options,
              );
              return JSON.stringify([read.rowCount, read.atEnd, decodeBatch(read.batch)]);
            };
            const where = tableText(ref);
            return [
              [
                `countRows of ${where}`,
                async () => JSON.stringify(await session.countRows({ table: ref, filter: NO_FILTER }, options)),
              ],
              [`describeTable of ${where}`, async () => JSON.stringify(await session.describeTable(ref, options))],
              [`readPage of ${where}`, () => page(Math.max(1, Math.min(10_000, Math.floor(rows.length / 2))))],
              [`a small page of ${where}`, () => page(2)],
            ];
          });
          // Once before, so that what a driver learns by reading is learnt.
          for (const [what, call] of calls) await inTime(what, call());
          const alone: string[] = [];
          for (const [what, call] of calls) alone.push(await inTime(what, call()));
          const together = await Promise.all(
            Array.from({ length: ROUNDS }, () =>
              Promise.all(calls.map(([what, call]) => inTime(`${what}, with others at the same time,`, call()))),
            ),
          );
          for (const answers of together) {
            for (const [index, answer] of answers.entries()) {
              must(
                answer === alone[index],
                `${calls[index]?.[0] ?? ''} gives another answer when others are asked at the same time.`,
              );
            }
          }
        }),
    },
  ];
}
