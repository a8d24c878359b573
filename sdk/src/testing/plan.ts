import type { Driver, DriverContext, Session, Settings } from '../driver.ts';
import type { ObjectRef } from '../facets/objects.ts';
import type { OperationCall } from '../facets/operations.ts';
import type { PrincipalInput } from '../facets/principals.ts';
import type { RecordedQueriesRequest, RecordedQuery } from '../facets/search.ts';
import type { Cell } from '../model/cell.ts';
import type { RowKey } from '../model/rowKey.ts';
import type { Filter } from '../model/filter.ts';
import type { StatementEffect } from '../model/statement.ts';
import type { TableRef } from '../model/table.ts';

/** One row as it must be read: a cell for each of the columns that the table is described with. */
export type KnownRow = Readonly<Record<string, Cell>>;

/** A table of the test database, all of it. */
export interface KnownTable {
  /** As it is listed. */
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
  /** The name of its check. */
  readonly name: string;
  /** One that the driver honours: a refusal is a fault here. */
  readonly filter: Filter;
  /** Whether the row passes. */
  readonly passes: (row: KnownRow) => boolean;
}

/** The facts about the console's language. */
export interface KnownConsole {
  /** A text of several statements, and how many. */
  readonly script: { readonly text: string; readonly statements: number };
  /**
   * Statements and what they do, as the contract means it: to destroy is what cannot be brought back. The kit tries other spellings of the
   * destructive ones where the manifest's language is `http` or `sql`.
   */
  readonly classified: readonly { readonly statement: string; readonly effect: StatementEffect }[];
  /** Statements that only read, with the number of rows of each result set. At least one has three rows or more. */
  readonly reads: readonly { readonly statement: string; readonly rows: readonly number[] }[];
  /** Texts that aren't a statement of this language. */
  readonly refused: readonly string[];
  /** Statements whose text holds a secret, such as a new password, and that secret; absent where the language has none. */
  readonly secrets?: readonly { readonly statement: string; readonly secret: string }[];
  /** Statements for sessions; wanted where the console has them. */
  readonly sessions?: KnownConsoleSession;
}

/** Statements that the kit may run in sessions of the console. */
export interface KnownConsoleSession {
  /** Begins a transaction. */
  readonly begin: string;
  /** Reads some rows, which no other client changes. */
  readonly counted: string;
  /** Adds one to them. */
  readonly change: string;
  /** Takes that row away again, outside of a transaction. */
  readonly undo: string;
  /** A statement that the database begins and that fails. */
  readonly fails: string;
  /** A statement with parameters, and the one row that it gives for these values; absent where the database has no parameters. */
  readonly parameters?: {
    readonly statement: string;
    readonly values: readonly (string | null)[];
    readonly row: readonly Cell[];
  };
  /** A statement that only reads, and the messages that the database sends beside its answer; absent where it sends none. */
  readonly notice?: { readonly statement: string; readonly messages: readonly string[] };
  /** A statement that only reads, and takes a minute at least where nothing stops it; absent where the database has none. */
  readonly slow?: string;
  /** Adds some rows to those of `counted`, two at least, and gives them; absent where a change gives no rows. */
  readonly changeMany?: { readonly statement: string; readonly rows: number };
}

/** A table that is too large to be held in memory on its way, such as 10,000 rows of 1 kB. Its rows need not be known. */
export interface KnownLarge {
  /** One that can be exported. */
  readonly table: TableRef;
  /** How many rows it has: at least so many that their values are 8 MiB of JSON. */
  readonly rows: number;
  /** A statement that reads all of it; wanted where the session has a console. */
  readonly statement?: string;
  /** Where it is, if not in every database that the plan opens. */
  readonly open?: ConformancePlan['open'];
}

/** An operation on a whole table that the kit may carry out, in a database that has no other user any more. */
export interface KnownOperation {
  /** The table that it is done to. */
  readonly table: TableRef;
  /** The operation's id. */
  readonly operation: string;
  /** How many rows the table has afterwards, or that it is gone. */
  readonly after: number | 'gone';
  /** Makes the table, where `open` doesn't create everything again. Called before the operation is carried out. */
  readonly prepare?: () => Promise<void>;
}

/** An operation that the kit may run, in a database that is opened for it alone. */
export interface KnownOperationRun {
  readonly call: OperationCall;
  /** Inputs that are refused with `INVALID_INPUT`, beside those that aren't JSON objects. */
  readonly refused?: readonly string[];
  /** Every table that it makes, changes or removes, and how many rows each has afterwards. */
  readonly after: readonly { readonly table: TableRef; readonly rows: number | 'gone' }[];
  /** A database for this run alone, where `open` of the plan doesn't make everything again. Called once for each check. */
  readonly open?: () => OpenedTarget | Promise<OpenedTarget>;
}

/** A row that the kit may add, change and remove again. */
export interface KnownEdit {
  /** A table with a key. */
  readonly table: TableRef;
  /** A whole row that is not there, its key included. */
  readonly row: KnownRow;
  /** New values for some of its columns, none of them in the key. */
  readonly changed: KnownRow;
  /** Values that cannot be written, each for a column that can. */
  readonly refused: readonly { readonly column: string; readonly value: Cell }[];
}

/** The facts about those who may use the database. */
export interface KnownPrincipals {
  /** Makes one that is not there; the kit removes it again. */
  readonly input: PrincipalInput;
}

/** A named object that the kit may add, change and remove again. */
export interface KnownObject {
  /** One that is not there. */
  readonly object: ObjectRef;
  readonly document: string;
  /** Another document that it is changed into. */
  readonly changed: string;
  /** Documents that are refused with `INVALID_INPUT`, beside those that aren't JSON objects. */
  readonly refused?: readonly string[];
}

/** Words of a search whose hits the kit may pin and hide. */
export interface KnownPlacedHits {
  readonly table: TableRef;
  /** They find at least three rows, and no object places one of them. */
  readonly text: string;
}

/** Rows that the kit may import and remove again. */
export interface KnownImport {
  readonly table: TableRef;
  /** The text of a JSON object: a row that is not there, with its key. */
  readonly row: string;
  /** A row with the same key and other values. */
  readonly changed: string;
  /** Rows that the database rejects. */
  readonly rejected: readonly string[];
  /** The key of the row. */
  readonly key: RowKey;
}

/** A table that the kit may create by an import. */
export interface KnownNewTable {
  /** One that is not there. */
  readonly table: TableRef;
  /** Texts of JSON objects, of different shapes. */
  readonly rows: readonly string[];
  /** Removes it, where `open` doesn't create everything again. */
  readonly remove?: () => Promise<void>;
}

/** A statement that runs until it is ended. */
export interface BegunStatement {
  /** A part of its text, by which its entry is found among all that run. */
  readonly text: string;
  /** Lets go of what it was made with, whether it still runs or not. */
  readonly close: () => void | Promise<void>;
}

/** How the kit makes the database busy. */
export interface KnownActivity {
  /** Begins a statement that runs until it is ended: in a session of its own, or in the one that is tested. */
  readonly begin: (session: Session) => Promise<BegunStatement>;
}

/** Queries that the database has recorded for a table. */
export interface KnownRecordedQueries extends Pick<RecordedQueriesRequest, 'table' | 'kind'> {
  /** All of the first recording: two or more, the most frequent first, each with another count. */
  readonly queries: readonly RecordedQuery[];
}

/** A database that is ready to be connected to. */
export interface OpenedTarget {
  /** As the connection's form would give them; no secrets. */
  readonly settings: Settings;
  /** The capabilities that the host would grant; `log` is watched by the kit. */
  readonly context: Omit<DriverContext, 'log'>;
  /** Removes what was opened, after the session was closed. */
  readonly close?: () => void | Promise<void>;
}

/**
 * How equality and the other comparisons of text work in this database: character by character, without regard to letter case, or in some way of
 * its own (by words, by a collation), so that only what differs in letters and digits is certain to differ.
 */
export type TextComparison = 'exact' | 'ignoresCase' | 'loose';

/**
 * All that the kit needs to know. The database is only read, but for what `edits`, `imports`, `newTable`, `principals`, `objects`, `operations`,
 * `operationRuns` and `activity` name.
 */
export interface ConformancePlan {
  /** The package's export named `driver`. */
  readonly driver: Driver;
  /** The `tabularium` field of the package.json, parsed. */
  readonly manifest: unknown;
  /** At least one; two or more, of different shapes, find more. */
  readonly tables: readonly KnownTable[];
  /** Wanted where the session has the facet. */
  readonly console?: KnownConsole;
  /** Wanted where the session has the facet. */
  readonly edits?: readonly KnownEdit[];
  /** Wanted where the session has the facet. */
  readonly imports?: readonly KnownImport[];
  /** Wanted where the session creates tables for an import. */
  readonly newTable?: KnownNewTable;
  /** Lets the kit add and remove one, where the session has the facet. */
  readonly principals?: KnownPrincipals;
  /** Wanted where the session has the facet. */
  readonly objects?: readonly KnownObject[];
  /** Wanted where the session has objects that place hits. */
  readonly placedHits?: KnownPlacedHits;
  /** Wanted where the session reads recorded queries. */
  readonly recordedQueries?: KnownRecordedQueries;
  /** Begun and ended by the kit; wanted where the session has the facet. */
  readonly activity?: KnownActivity;
  /** Carried out by the kit; wanted where the session has table operations. */
  readonly operations?: readonly KnownOperation[];
  /** Run by the kit; wanted where the session has operations. */
  readonly operationRuns?: readonly KnownOperationRun[];
  /** For streams: their memory, and how soon they end. Wanted where the session has an export. */
  readonly large?: KnownLarge;
  /** `loose` unless it is said, and then fewer faults of filters are found. */
  readonly textComparison?: TextComparison;
  /** Called once for each check: a database with exactly the known rows. */
  readonly open: () => OpenedTarget | Promise<OpenedTarget>;
  /** The same with credentials that the database refuses; absent where it has none. */
  readonly wrongCredentials?: () => OpenedTarget | Promise<OpenedTarget>;
  /** Credentials of the test database; none of them may show up in an error, a finding or a log line. */
  readonly secrets?: readonly string[];
}

/** Why a check has looked at nothing. */
export interface NotChecked {
  /** `absent`: the session has no such facet, and need not. `untried`: the plan does not say what the check needs. */
  readonly notChecked: 'absent' | 'untried';
  /** One sentence. */
  readonly reason: string;
}

/** One thing that is checked. */
export interface ConformanceCheck {
  /** Unique in its plan. */
  readonly name: string;
  /**
   * @returns nothing when the driver keeps what is checked, or why it was not looked at
   * @throws ConformanceError with a sentence that says what was expected and what came
   */
  run(): Promise<void | NotChecked>;
}

/** A driver does not keep its contract. */
export class ConformanceError extends Error {
  override readonly name = 'ConformanceError';
}

/** The check needs something that the plan doesn't have. */
export function untried(reason: string): NotChecked {
  return { notChecked: 'untried', reason };
}

/** The check is about something that this driver does not have, and need not. */
export function absent(reason: string): NotChecked {
  return { notChecked: 'absent', reason };
}
