import { afterComments } from './afterComments.ts';

/** Words that begin, end or divide a transaction in SQL. */
const CONTROL = /^(?:BEGIN|START|COMMIT|END|ROLLBACK|ABORT|SAVEPOINT|RELEASE|SET\s+TRANSACTION|PREPARE\s+TRANSACTION)\b/i;

/**
 * Whether a statement of SQL controls the transaction that those after it run in. Where such a one fails they would run in another transaction than their
 * author meant, or in none.
 */
export function controlsTransaction(statement: string): boolean {
  return CONTROL.test(afterComments(statement));
}
