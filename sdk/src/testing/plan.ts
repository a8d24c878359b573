import type { Driver, DriverContext, Settings } from '../driver.ts';
import type { PrincipalInput } from '../facets/principals.ts';
import type { Cell } from '../model/cell.ts';
import type { Filter } from '../model/filter.ts';
import type { StatementEffect } from '../model/statement.ts';
import type { TableRef } from '../model/table.ts';

/** One row as it must be read: a cell for each of the columns that the table is described with. */
export type KnownRow = Readonly<Record<string, Cell>>;

/** A table of the test database, all of it. */
export interface KnownTable {
  readonly ref: TableRef;
  /**
   * Every row, in any order. At least three, with values that differ and are in no order, else a sort or filter that is ignored is not
   * noticed. Worth having: a null, a missing field, an integer beyond 2^53, text with quotes of all kinds.
   */
  readonly rows: readonly KnownRow[];
  /** Filters whose result is known, beyond those that the kit makes up itself. */
  readonly filters?: readonly KnownFilter[];
}

/** A filter, and which of the known rows it lets pass. */
export interface KnownFilter {
  readonly name: string;
  readonly filter: Filter;
  /** Whether the row passes. */
  readonly passes: (row: KnownRow) => boolean;
}

/** What is known of the console's language. */
export interface KnownConsole {
  /** A text of several statements, and how many. */
  readonly script: { readonly text: string; readonly statements: number };
  readonly classified: readonly { readonly statement: string; readonly effect: StatementEffect }[];
  /** Statements that only read, with the number of rows of each result set. At least one has three rows or more. */
  readonly reads: readonly { readonly statement: string; readonly rows: readonly number[] }[];
  /** Texts that are no statement of this language. */
  readonly refused: readonly string[];
}

/** A row that the kit may add, change and remove again. */
export interface KnownEdit {
  readonly table: TableRef;
  /** A whole row that is not there, its key included. */
  readonly row: KnownRow;
  /** New values for some of its columns, none of them in the key. */
  readonly changed: KnownRow;
  /** Values that cannot be written, each for a column that can. */
  readonly refused: readonly { readonly column: string; readonly value: Cell }[];
}

/** What is known of those who may use the database. */
export interface KnownPrincipals {
  /** Makes one that is not there; the kit removes it again. */
  readonly input: PrincipalInput;
}

/** A database that is ready to be connected to. */
export interface OpenedTarget {
  readonly settings: Settings;
  /** What the host would grant; `log` is watched by the kit. */
  readonly context: Omit<DriverContext, 'log'>;
}

/** All that the kit needs to know. The database is only read, but for what `edits` and `principals` name. */
export interface ConformancePlan {
  readonly driver: Driver;
  /** The `tabularium` field of the package.json, parsed. */
  readonly manifest: unknown;
  readonly tables: readonly KnownTable[];
  readonly console?: KnownConsole;
  /** Wanted where the session has the facet. */
  readonly edits?: readonly KnownEdit[];
  /** Lets the kit add and remove one, where the session has the facet. */
  readonly principals?: KnownPrincipals;
  /** Called once for each check. */
  readonly open: () => OpenedTarget | Promise<OpenedTarget>;
  /** Credentials of the test database; none of them may show up in an error, a finding or a log line. */
  readonly secrets?: readonly string[];
}

/** One thing that is checked. */
export interface ConformanceCheck {
  readonly name: string;
  /** @throws ConformanceError with a sentence that says what was expected and what came */
  run(): Promise<void>;
}

/** A driver does not keep its contract. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}
