import type { PgStep } from '../wire/batch.ts';

/**
 * A judgement, which holds as long as no transaction has come to its end that could have changed something: each change of the catalogue is made by one that has a number. Only for transactions that see the catalogue as it is
 * now.
 */
export interface JudgementMemory<T> {
  last?: { readonly moment: string; readonly locks: readonly PgStep[]; readonly judged: T };
}
