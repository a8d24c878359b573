import { fail, inTime, manifestOf, must, mustBeRefusal, onBench } from '../bench.ts';
import { hiddenSpellings } from '../hiddenSpellings.ts';
import { absent, untried } from '../plan.ts';
import type { ConformanceCheck, ConformancePlan, KnownConsole } from '../plan.ts';

/** For all spellings together: a driver may ask its server about each. */
const CHECK_MILLISECONDS = 60_000;

/** A statement that destroys is not taken for less because it is spelled otherwise. */
export function hiddenSpellingChecks(plan: ConformancePlan, known: KnownConsole): ConformanceCheck[] {
  return [
    {
      name: 'console: a destructive statement in another spelling is never a read or a write',
      async run() {
        const { language = '' } = manifestOf(plan).console ?? {};
        const destructive = known.classified.filter(({ effect }) => effect === 'destructive');
        if (hiddenSpellings(language, '') === undefined) return absent('The console speaks neither http nor sql.');
        if (destructive.length === 0) return untried('The plan classifies no statement as destructive.');
        return onBench(
          plan,
          async ({ session, options }) => {
            const console = session.console ?? fail('The session has no console.');
            for (const { statement } of destructive) {
              for (const spelling of hiddenSpellings(language, statement) ?? []) {
                const text = `${JSON.stringify(spelling.statement)} (${spelling.name})`;
                const found = await inTime('classify', console.classify(spelling.statement, options)).catch((error: unknown) => {
                  mustBeRefusal(`Classifying ${text}`, error, ['INVALID_INPUT', 'UNSUPPORTED', 'NOT_FOUND', 'ACCESS_REFUSED']);
                });
                if (found === undefined) continue;
                must(
                  found.effect === 'destructive' || (found.effect === 'write' && found.unknown === true),
                  `${text} is classified as a ${found.effect}; spelled ${JSON.stringify(statement)} it is destructive.`,
                );
              }
            }
          },
          { milliseconds: CHECK_MILLISECONDS },
        );
      },
    },
  ];
}
