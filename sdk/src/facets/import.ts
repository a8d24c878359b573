import type { HttpRequest } from '../capabilities/http.ts';
import type { CallOptions } from '../callOptions.ts';
import type { DriverTexts } from '../model/driverText.ts';
import type { StatementEffect } from '../model/statement.ts';
import type { TableRef } from '../model/table.ts';
import type { PlannedChange } from './objects.ts';

/** A way of writing the rows of an import, such as only new ones, or in place of those that are there. */
export interface ImportMode {
  /** Lower-case letters, digits and `-`, at most 40; each once. People type it on the command line. */
  readonly id: string;
  /** One to three words. */
  readonly label: string;
  /** One or two sentences: what happens to a row that is there already, and what is lost by that. */
  readonly help: string;
  /** `destructive` where a row that is there can lose values that the imported row doesn't name. */
  readonly effect: Exclude<StatementEffect, 'read'>;
  /**
   * Writing a row with a key twice: the second time changes nothing (`same`), or is rejected as {@link RowOutcome} `present` (`reported`), so that an
   * import that was interrupted can be resumed.
   */
  readonly repeated: 'same' | 'reported';
  /** The exact request or statement, without credentials and rows, for the review. */
  readonly text: string;
  /** Its texts in other languages: `label`, `help`. */
  readonly texts?: DriverTexts;
}

/** Facts about importing into one table. */
export interface ImportForm {
  /** In the order to show them; the first is the default. 1 to 10. */
  readonly modes: readonly ImportMode[];
  /** The language of the modes' `text`, for highlighting. */
  readonly language: string;
  /** The members of a row that identify it. Empty where nothing does: then an import that was interrupted can't be resumed without doubles. */
  readonly key: readonly string[];
}

/** Where rows go, and how. */
export interface ImportTarget {
  readonly table: TableRef;
  /** The id of an {@link ImportMode}. */
  readonly mode: string;
}

/** The outcome of one row. */
export type RowOutcome =
  | { readonly outcome: 'written' }
  | {
      readonly outcome: 'rejected';
      /** The reason, for the person, with the server's own words. */
      readonly message: string;
      /** The message in other languages. */
      readonly texts?: DriverTexts;
      /** The member at fault. */
      readonly column?: string;
      /** A row with this key is there already, and this mode doesn't change it. */
      readonly present?: true;
    };

/** Rows one after the other that were all written. */
export interface WrittenRows {
  readonly outcome: 'written';
  /** How many: 1 or more. */
  readonly rows: number;
}

/** The outcome of a row, or of many written rows at once: one for each of a million is time and memory. */
export type WriteOutcome = RowOutcome | WrittenRows;

/** A row that would be rejected. */
export interface ImportProblem {
  /** Of the row among those that were asked about. */
  readonly index: number;
  readonly message: string;
  /** The message in other languages. */
  readonly texts?: DriverTexts;
  /** The member at fault. */
  readonly column?: string;
}

/** A request whose body is rows, one JSON object a line, and whose answer has one line for each of them, in their order. */
export interface ImportSplice {
  /** Sent with the rows as its body; the host adds the credentials. */
  readonly request: Pick<HttpRequest, 'path' | 'headers'> & { readonly method: 'POST' | 'PUT' };
  /** The line that says that a row was written, to the letter: the host asks about every other one. */
  readonly written: string;
}

/** A part of the answer to a spliced import. */
export interface ImportAnswer {
  /** The HTTP status, 100 to 599. */
  readonly status: number;
  /** Lines that say something else than that a row was written; 64 KiB of the body where the status is not of success. */
  readonly lines: readonly string[];
}

/** Which namespaces are asked for. */
export interface NewTableNamespaceOptions extends CallOptions {
  /** Only those in this namespace, itself among them. Given only where the session has {@link Session.namespaces}. */
  readonly within?: TableRef['namespace'];
}

/** Makes tables for an import. */
export interface ImportedTables {
  /**
   * The namespaces in which the credentials may make a table, the default one first; at most 10,000. Absent: a new table is in no namespace. A session with
   * {@link Session.namespaces} gives those where a person begins, and others only when they are asked for.
   *
   * @throws DriverError `ACCESS_REFUSED` where there are none, with the reason; `NOT_FOUND` where `within` isn't there
   */
  namespaces?(options: NewTableNamespaceOptions): Promise<readonly TableRef['namespace'][]>;

  /**
   * The definition of a table that would take rows like these. Asking changes nothing.
   *
   * @param rows - each the text of a JSON object; 1 to 10,000
   * @returns a text in the database's own form that a person may edit: a JSON document or a statement
   * @throws DriverError `INVALID_INPUT` for a name or rows that no table can have, with the reason
   */
  propose(table: TableRef, rows: readonly string[], options: CallOptions): Promise<string>;

  /**
   * The definition of a table like another one of this driver, for a copy of its rows. Asking changes nothing. Absent: definitions are proposed.
   *
   * @param table - the one to be created
   * @param definition - the other one's, as `describeTable` has it; of this connection or of another, whose version may differ
   * @returns as {@link ImportedTables.propose}, without what this database can't have
   * @throws DriverError `INVALID_INPUT` for a definition that makes no table
   */
  like?(table: TableRef, definition: string, options: CallOptions): Promise<string>;

  /**
   * Looks at what creating a table would do now, without doing it.
   *
   * @throws DriverError `INVALID_INPUT` for a definition that the database would refuse, as far as is known, or that makes another table; `CONFLICT` when
   *   the table is there; `ACCESS_REFUSED`
   */
  plan(table: TableRef, definition: string, options: CallOptions): Promise<PlannedChange>;

  /** Creates it. @throws DriverError as {@link ImportedTables.plan} */
  create(table: TableRef, definition: string, options: CallOptions): Promise<void>;

  /**
   * Removes a table without rows: one that {@link ImportedTables.create} made and that no row came into. The driver counts right before, in the same
   * transaction where its database has some. Absent: such a table stays, and the host says so.
   *
   * @throws DriverError `CONFLICT` for a table with rows, or a name that leads to another table, and nothing changed; `NOT_FOUND`, `ACCESS_REFUSED`
   */
  discard?(table: TableRef, options: CallOptions): Promise<void>;
}

/**
 * The facet of a session that writes many rows. A row is the text of a JSON object without line breaks, and the driver keeps its numbers digit for digit.
 */
export interface ImportFacet {
  /** @throws DriverError `NOT_FOUND`, `ACCESS_REFUSED`, `UNSUPPORTED` for a table that takes no rows */
  form(table: TableRef, options: CallOptions): Promise<ImportForm>;

  /**
   * The rows that would be rejected, as far as that can be seen without writing: by the table's structure, not by its rows. A row that it doesn't name may
   * still be rejected.
   *
   * @param rows - at most 10,000
   */
  check(target: ImportTarget, rows: readonly string[], options: CallOptions): Promise<readonly ImportProblem[]>;

  /**
   * The fast way, where the database takes JSON lines as they are; undefined where it doesn't. The host sends requests of some megabytes, one after the
   * other.
   *
   * @throws DriverError as {@link ImportFacet.write} does before the first row
   */
  splice(target: ImportTarget, options: CallOptions): Promise<ImportSplice | undefined>;

  /**
   * Reads a part of the answer to a spliced import.
   *
   * @returns the outcomes of its lines, one for each
   * @throws DriverError where the status or a line says that the request failed as a whole; `CONNECTION_LOST`, `SERVER_ERROR` for a line that isn't an outcome
   */
  judge(splice: ImportSplice, answer: ImportAnswer): readonly RowOutcome[] | Promise<readonly RowOutcome[]>;

  /**
   * Writes rows.
   *
   * @param rows - at most 10,000
   * @returns one outcome for each row, in their order; written ones may come together. Ending the iteration early stops after rows in progress.
   * @throws DriverError where the rest can't be written: of rows without an outcome nothing is known. `INVALID_INPUT` for an unknown mode, `NOT_FOUND`,
   *   `ACCESS_REFUSED`, `CONNECTION_LOST`
   */
  write(target: ImportTarget, rows: readonly string[], options: CallOptions): AsyncIterable<WriteOutcome>;

  /** Absent where the driver creates no tables. */
  readonly tables?: ImportedTables;
}
