import type { PermittedStatement } from '../model/statement.ts';

/** How much a statement may answer, and when to stop. */
export interface RunOptions {
  /** Rows per result set; what is beyond is left out and `truncated` says so. 1 to 500,000. */
  readonly maxRows: number;
  /**
   * Whether the caller shows the whole answer beside its rows. Then `done` of a result set has `whole`, where there is more in the answer than
   * its rows; and an answer of several results that is shown as text may be followed by the result sets in it, each with a `label`. Absent or
   * false: neither.
   */
  readonly whole?: boolean;
  /**
   * The most that the statement may do, as it was classified when it was permitted. A driver whose `classify` asks the database looks again, and throws `CONFLICT`
   * without running anything where {@link exceeds} says that the statement does more now: what a name stands for may have changed meanwhile. Absent: it runs whatever it does.
   */
  readonly permitted?: PermittedStatement;
  /**
   * The milliseconds that the caller waits for all of it. A driver may end the statement shortly before, where it can say what the statement waits for, such as the lock of another session: of what it throws after that, the caller hears nothing. Absent:
   * the caller waits until it aborts.
   */
  readonly timeLimit?: number;
  /** Aborted when the caller needs no more: the stream rejects, at most two events later. What was written stays written. */
  readonly signal: AbortSignal;
}
