import type { PgAnswer, PgStep } from '../wire/batch.ts';

/**
 * The numbers of the transaction that asks, and of the parts of it that are open: it has a lock of each. A part that was released or rolled back is missing.
 */
export const OWN_TRANSACTIONS: PgStep = {
  text: `SELECT l.transactionid FROM pg_catalog.pg_locks l WHERE l.pid = pg_catalog.pg_backend_pid() AND l.locktype = 'transactionid' AND l.mode = 'ExclusiveLock' AND l.granted`,
};

/** The lower 32 bits of each number, by the answer to {@link OWN_TRANSACTIONS}. */
export function ownTransactions(answer: PgAnswer | undefined): readonly number[] {
  return (answer?.rows ?? []).map(([number]) => Number(number));
}
