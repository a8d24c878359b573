import type { PgStep } from '../wire/batch.ts';

/**
 * A judgement, which holds as long as no transaction has come to its end that could have changed something: each change of the catalogue is made by one that has a number. Only for transactions that see the catalogue as it is
 * now.
 */
export interface JudgementMemory<T> {
  last?: {
    /** The transactions that were at their end when it was judged: the text of a snapshot. */
    readonly moment: string;
    readonly locks: readonly PgStep[];
    readonly judged: T;
    /** The transactions that have ended since and are known to have changed rows alone, by the lower 32 bits of their numbers. */
    readonly harmless?: ReadonlySet<number>;
  };
}
