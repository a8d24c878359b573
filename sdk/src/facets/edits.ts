import type { CallOptions } from '../callOptions.ts';
import type { DriverErrorCode, DriverErrorDetails } from '../errors.ts';
import type { Cell } from '../model/cell.ts';
import type { DriverTexts } from '../model/driverText.ts';
import type { RowKey } from '../model/rowKey.ts';
import type { TableRef } from '../model/table.ts';

/**
 * A new value for one column. Plain cells are read by the column's kind, as everywhere: a string in an `integer` column is a numeral, in
 * a `json` column a JSON text. `null` writes the database's null; the absent cell leaves the field out (insert) or removes it (update).
 */
export interface Assignment {
  /** The name of a column of the table's description. */
  readonly column: string;
  /** A cell, read by the column's kind. */
  readonly value: Cell;
}

/** One staged change of one row. */
export type RowChange =
  | { readonly kind: 'insert'; readonly values: readonly Assignment[] }
  | {
      readonly kind: 'update';
      readonly key: RowKey;
      readonly assignments: readonly Assignment[];
      /**
       * Values of the changed columns when the person read the row, as far as they are known. A driver that can compare and write in one step
       * answers `CONFLICT` when the row holds something else by now; others may ignore it.
       */
      readonly expected?: readonly Assignment[];
    }
  | {
      readonly kind: 'delete';
      readonly key: RowKey;
      /** Values of the row when the person read it, as far as they are known; used as in an update. */
      readonly expected?: readonly Assignment[];
    };

/** The request of one change, for the review before it is sent; or why it cannot be sent. */
export type PreparedChange =
  | {
      readonly ready: true;
      /** The exact request or statement, without credentials, such as a request line and its body. */
      readonly text: string;
      /** The language of `text`, for highlighting. */
      readonly language: string;
      /** Set where the change loses other rows or values than those it names, such as through a trigger that deletes. */
      readonly effect?: 'destructive';
    }
  | {
      readonly ready: false;
      readonly message: string;
      /** The message in other languages. */
      readonly texts?: DriverTexts;
      /** The column at fault, so that its cell can be marked. */
      readonly column?: string;
    };

/** The outcome of one change. */
export type ChangeOutcome =
  | {
      readonly index: number;
      readonly outcome: 'saved';
      /** The row's key now: of an inserted row, as the server chose it. Absent for a deleted row. */
      readonly key?: RowKey;
    }
  | {
      readonly index: number;
      readonly outcome: 'failed';
      readonly code: DriverErrorCode;
      /** The reason, for the person, with the server's own words. */
      readonly message: string;
      readonly details: DriverErrorDetails;
      readonly column?: string;
    }
  | {
      readonly index: number;
      /** Sent, but the answer was lost: it may or may not have been made. */
      readonly outcome: 'unknown';
      readonly message: string;
      /** The message in other languages. */
      readonly texts?: DriverTexts;
    };

/** The facet of a session that changes rows of tables. */
export interface EditsFacet {
  /** Whether all changes of one call are made or none (`all`), or each stands for itself (`each`). */
  readonly atomicity: 'all' | 'each';

  /**
   * Checks changes and says what each will send, without sending any of it. As many answers as changes, in their order.
   *
   * @throws DriverError `NOT_FOUND` for the table
   */
  prepare(table: TableRef, changes: readonly RowChange[], options: CallOptions): Promise<readonly PreparedChange[]>;

  /**
   * Makes changes, in order, and reports the outcome of each. A change that fails does not keep later ones from being tried, unless
   * `atomicity` is `all` or the connection is lost. Changes without an outcome when the iteration ends were not tried. No change is ever
   * sent twice. When cancelled, the running change is reported with its outcome, or as `unknown`, and the rest is not tried.
   */
  apply(table: TableRef, changes: readonly RowChange[], options: CallOptions): AsyncIterable<ChangeOutcome>;
}
