import { DriverError, exceeds } from '@tabularium/sdk';
import type { PermittedStatement } from '@tabularium/sdk';
import { faultTexts } from '../fault.ts';
import type { Judged } from '../sql/judge.ts';

/**
 * @param permitted - each that there is counts
 * @throws DriverError `CONFLICT` where a statement does more now than when it was permitted: a view or a function may have been replaced since
 */
export function requirePermitted(judged: Judged, ...permitted: readonly (PermittedStatement | undefined)[]): void {
  if (!permitted.some((each) => each !== undefined && exceeds(judged, each))) return;
  const { summary } = judged;
  throw new DriverError('CONFLICT', `The statement does more now than when it was permitted: ${summary}. Nothing was run.`, {
    details: {
      advice: 'Run it again, to see what it does now.',
      texts: faultTexts('console.doesMore', { summary }, 'console.doesMore.advice'),
    },
  });
}
