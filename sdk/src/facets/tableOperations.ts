import type { CallOptions } from '../callOptions.ts';
import type { StatementEffect } from '../model/statement.ts';
import type { Ability } from '../model/column.ts';
import type { DriverTexts } from '../model/driverText.ts';
import type { RowCount, TableRef } from '../model/table.ts';

/** Something that can be done to a table as a whole, such as emptying it. */
export interface TableOperation {
  /** Unique among the table's; letters, digits, `_` and `-`, at most 40. */
  readonly id: string;
  /** A verb for a menu, such as `Empty`. */
  readonly label: string;
  /** Its effect on data, as of a statement: the host asks for confirmation by it. */
  readonly effect: StatementEffect;
  /** Whether it can be done to this table with these credentials, as far as is known, and why not. */
  readonly ability: Ability;
  /** The label in other languages. */
  readonly texts?: DriverTexts;
}

/** An operation, ready to be confirmed. */
export interface PlannedOperation {
  /** One or two sentences: what is lost and what stays, and which way it will be done. */
  readonly consequence: string;
  /** The table that is really affected: the one behind an alias. A person types its name to confirm a destructive operation. */
  readonly target: TableRef;
  /** How many rows are affected, where that is known. */
  readonly count?: RowCount;
  /** The exact request or statement. */
  readonly text: string;
  /** The consequence in other languages. */
  readonly texts?: DriverTexts;
}

/** The result of an operation. */
export interface OperationResult {
  /** One sentence, such as `Emptied products: 200000 documents deleted.` */
  readonly message: string;
  /** Where the database reports it; a whole number. */
  readonly affectedRows?: number;
  /** The message in other languages. */
  readonly texts?: DriverTexts;
}

/** The facet of a session that works on tables as a whole. */
export interface TableOperationsFacet {
  /** The operations on this table, in the order of a menu. Asks the server for as little as it can. */
  list(table: TableRef, options: CallOptions): Promise<readonly TableOperation[]>;

  /** Looks at what an operation would do now, without doing it. @throws DriverError `NOT_FOUND`, `UNSUPPORTED` */
  plan(table: TableRef, operation: string, options: CallOptions): Promise<PlannedOperation>;

  /**
   * Does it, to the target that was confirmed: if the name leads to another table by now, nothing is done.
   *
   * @throws DriverError `CONFLICT` in that case, `NOT_FOUND`, `UNSUPPORTED`, `ACCESS_REFUSED`
   */
  run(table: TableRef, operation: string, confirmed: TableRef, options: CallOptions): Promise<OperationResult>;
}
