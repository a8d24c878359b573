import type { ConsoleContext, StatementClassification } from '@tabularium/sdk';
import { controlsTransaction } from './controlsTransaction.ts';

/** The certain and the uncertain about a request that a person stopped: its answer never came. */
export type StopOutcome = 'notSent' | 'read' | 'inTransaction' | 'transactionControl' | 'uncertain';

interface StoppedRequest {
  readonly statement: string;
  readonly classification: Pick<StatementClassification, 'effect' | 'unknown'>;
  readonly isSent: boolean;
  readonly isSql: boolean;
  /** Of its session, before it ran; undefined without one. */
  readonly transaction: ConsoleContext['transaction'] | undefined;
}

/** A stopped COMMIT may have been carried out, and so may a change outside of a transaction; one inside is taken back with its transaction. */
export function stopOutcome({ statement, classification, isSent, isSql, transaction }: StoppedRequest): StopOutcome {
  if (!isSent) return 'notSent';
  if (isSql && controlsTransaction(statement)) return 'transactionControl';
  if (classification.effect === 'read' && classification.unknown !== true) return 'read';
  return transaction === 'open' ? 'inTransaction' : 'uncertain';
}
