import type { StatementClassification } from '@tabularium/sdk';
import { afterComments } from '../../common/afterComments.ts';

/** Statements of SQL that change rows and no tables. */
const OF_ROWS = /^(?:INSERT|UPDATE|DELETE|MERGE|REPLACE|TRUNCATE|COPY|WITH)\b/i;
/** Those that control a transaction, of which only the commit shows others a new table. */
const OF_TRANSACTION = /^(?:BEGIN|START|ROLLBACK|ABORT|SAVEPOINT|RELEASE|SET)\b/i;

interface RanStatement {
  readonly statement: string;
  readonly classification: Pick<StatementClassification, 'effect' | 'unknown'>;
}

/** Whether a statement that ran may have made, renamed or removed a table. One of another language than SQL may, unless it only reads. */
export function mayChangeTables({ statement, classification }: RanStatement, isSql: boolean): boolean {
  if (classification.effect === 'read' && classification.unknown !== true) return false;
  const text = afterComments(statement);
  return !isSql || !(OF_ROWS.test(text) || OF_TRANSACTION.test(text));
}
