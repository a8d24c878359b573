import type { StatementClassification } from '@tabularium/sdk';
import type { AccessAction } from './policy.ts';

/** The action of running a statement for an external client: what its driver does not understand, or what creates a secret, is destructive. */
export function runAction({
  effect,
  unknown,
  newSecret,
  summary,
}: Pick<StatementClassification, 'effect' | 'unknown' | 'newSecret' | 'summary'>): Extract<AccessAction, { kind: 'run' }> {
  return {
    kind: 'run',
    effect: unknown === true || newSecret !== undefined ? 'destructive' : effect,
    // Else a client would not learn why what looks like reading counts as more.
    ...(unknown === true ? { uncertain: summary } : {}),
  };
}
