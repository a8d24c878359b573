import type { Cell } from './cell.ts';
import type { BatchColumn } from './page.ts';
import type { TableRef } from './table.ts';

/** One statement of a console text. */
export interface Statement {
  /** The statement itself, without separators and surrounding comments. */
  readonly text: string;
  /** Where it begins and ends in the whole text, in UTF-16 code units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/**
 * The effect of running a statement: nothing, change data, or destroy what cannot be brought back. Judged by what is lost, not by the
 * statement's verb: a drop, a delete, an insert that replaces rows, and a statement whose trigger deletes are all `destructive`. So
 * are statements that hand out access or change the whole server: keys, settings, snapshots.
 */
export type StatementEffect = 'read' | 'write' | 'destructive';

/** The classification of a statement, before it runs. */
export interface StatementClassification {
  /** A `write`, with `unknown` set, where the driver does not understand the statement. */
  readonly effect: StatementEffect;
  /**
   * True where the driver does not understand the statement well enough to say what it does. The owner may run it as a `write`; the host
   * treats it as `destructive` for external clients.
   */
  readonly unknown?: boolean;
  /** The tables it names, with aliases resolved where the driver can; empty when unknown or none. */
  readonly tables: readonly TableRef[];
  /** A few words for a confirmation or a log, such as `DELETE the collection products`. Never holds a secret. */
  readonly summary: string;
  /** Whether its text may hold a secret, such as a new password: then the text is kept in no history, only the summary is. */
  readonly holdsSecret?: boolean;
  /**
   * Set for a statement that creates a secret, such as an API key. `inAnswer`: the database chooses the value and its answer holds it.
   * `inStatement`: the statement itself states the value. The host shows such an answer in the window and never to an external client;
   * it rejects `inStatement` from an external client, because that client would know the value.
   */
  readonly newSecret?: 'inAnswer' | 'inStatement';
  /**
   * The table of which the statement changes or deletes every row, because it has no condition, such as `DELETE FROM books` without a WHERE.
   * The host names it in its question, with the number of its rows.
   */
  readonly everyRowOf?: TableRef;
}

/**
 * The most that a statement may do: its effect, and whether it may be one that the driver does not understand. With `tables`, a change may be one of these and no others, and of every row only of
 * `everyRowOf`. Without, it may be one of any table.
 */
export type PermittedStatement = Pick<StatementClassification, 'effect' | 'unknown' | 'everyRowOf'> &
  Partial<Pick<StatementClassification, 'tables'>>;

/**
 * The events of a running statement, in order. Each result opens with `rowsBegin`, `text` or `done`-only; a statement may give several.
 *
 * - `rowsBegin`, then any number of `rows`, then `done`: a result set;
 * - `text`, then `done`: an answer that isn't a table, whole;
 * - `done` alone: a result without an answer, such as "3 rows changed".
 */
export type ResultEvent =
  | { readonly type: 'rowsBegin'; readonly columns: readonly BatchColumn[] }
  | { readonly type: 'rows'; readonly rows: readonly (readonly Cell[])[] }
  | { readonly type: 'text'; readonly mediaType: 'application/json' | 'text/plain'; readonly text: string }
  | {
      readonly type: 'done';
      /** Rows changed, where the database says so. */
      readonly affectedRows?: number;
      /** Whether rows were left out because of `maxRows`. */
      readonly truncated: boolean;
      /** A line for the status bar, such as `200 OK`. */
      readonly status?: string;
      /**
       * The whole answer that the rows were read from, as JSON text, every digit as the database sent it. Only where it was asked for
       * (`RunOptions.whole`). The event is at most 16 MB; an answer that is larger is left out, and `wholeLeftOut` says so.
       */
      readonly whole?: string;
      /** The whole answer is too large to be shown beside its rows. */
      readonly wholeLeftOut?: boolean;
      /** A few words by which this result differs from the others of one statement, such as the table that it was read from. At most 200 characters. */
      readonly label?: string;
      readonly milliseconds: number;
    };
