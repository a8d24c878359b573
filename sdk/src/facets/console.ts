import type { CallOptions } from '../callOptions.ts';
import type { ResultEvent, Statement, StatementClassification } from '../model/statement.ts';
import type { ConsoleSession } from './consoleSession.ts';
import type { RunOptions } from './runOptions.ts';

/** A completion for the place of the cursor. */
export interface Completion {
  /** The text in the list, which is compared with the typed text. */
  readonly label: string;
  /** A few words beside it. */
  readonly detail?: string;
  /** The replacement for the text from {@link CompletionList.from} to the cursor. */
  readonly insert: string;
  /** For an icon. A host shows a kind that it does not know as `keyword`. */
  readonly kind: 'keyword' | 'request' | 'table' | 'column' | 'parameter' | 'value';
}

/** Completions for the place of the cursor, best first. */
export interface CompletionList {
  /** Where the text begins that a choice replaces, in UTF-16 code units; at most the cursor's offset. */
  readonly from: number;
  /** At most 1,000. */
  readonly items: readonly Completion[];
}

/** The one HTTP request that a statement stands for. */
export interface DescribedRequest {
  /** In capital letters, such as `POST`. */
  readonly method: string;
  /** Path and query, encoded as they are sent to the connection's origin. */
  readonly path: string;
  /** Those that the statement needs; credentials, which the host adds, are not among them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** To the letter; absent when there is none. */
  readonly body?: string;
}

/** Where a text is that is completed. */
export interface CompleteOptions extends CallOptions {
  /** The namespace of the console session that the text is for; absent where there is none. */
  readonly namespace?: readonly string[];
}

/** A place that statements can run in, such as one of several databases. */
export interface ConsolePlace {
  /** The namespace of a session there is this one, or begins with it. */
  readonly namespace: readonly string[];
  /** The statement that moves a console session there. It only reads. */
  readonly statement: string;
}

/** The facet of a session that takes statements in the database's own language. */
export interface ConsoleFacet {
  /**
   * Splits a text into its statements, in order. Text that isn't valid counts as a statement too: `run` rejects it with a
   * message that helps.
   */
  split(text: string): readonly Statement[] | Promise<readonly Statement[]>;

  /**
   * Says what a statement would do, without running it and without asking the server more than it must (an alias may be looked up).
   * Decided by parsing, never by searching in the text, and by what is lost; what the driver does not understand is a `write` with
   * `unknown` set.
   *
   * @throws DriverError `INVALID_INPUT` where `run` is certain to refuse the text without sending anything; else `run` refuses it
   */
  classify(statement: string, options: { readonly signal: AbortSignal }): Promise<StatementClassification>;

  /**
   * Runs one statement.
   *
   * @returns the events of {@link ResultEvent}, in order, as they arrive; ending the iteration early stops the statement
   * @throws DriverError `INVALID_INPUT` for text that isn't a statement (nothing is sent), `CONFLICT` where it would do more than
   *   {@link RunOptions.permitted} (nothing is run), and errors of the server
   */
  run(statement: string, options: RunOptions): AsyncIterable<ResultEvent>;

  /**
   * Completions at an offset of a text, from the language and from the existing tables and columns. Absent where the driver
   * has nothing to offer. When the server doesn't answer, or rejects the request, the list is shorter; that isn't an error.
   */
  complete?(text: string, offset: number, options: CompleteOptions): Promise<CompletionList>;

  /**
   * Statements to begin with, for an empty console: at most 5, best first, each one a read that works as it is. They are made from the tables
   * that are there. A host puts one into the editor when a person asks for it, and never runs it unasked. Absent where the driver has none.
   *
   * @throws DriverError as `listTables` does
   */
  examples?(options: { readonly signal: AbortSignal }): Promise<readonly string[]>;

  /**
   * Says which HTTP request a statement stands for, so that the host can write it as a command of another tool. Nothing is sent. Absent
   * where a statement isn't a single HTTP request.
   *
   * @throws DriverError `INVALID_INPUT` for text that isn't a statement
   */
  describeRequest?(statement: string): DescribedRequest | Promise<DescribedRequest>;

  /**
   * Opens a session in which statements see what the ones before have set and begun: transactions, settings, temporary tables. Absent where the
   * database has nothing of the kind. It has a connection to the database of its own; the host opens at most 8 for each connection, for a
   * person in the window only, and closes them before it closes the connection.
   *
   * @throws DriverError as connecting does
   */
  openSession?(options: CallOptions): Promise<ConsoleSession>;

  /**
   * The places that a console session can move to, in the order to show them, at most 1,000; a session that is opened is in the first one. A host offers
   * them for choice, and runs the statement in the session. Absent where a session stays where it is.
   *
   * @throws DriverError as `listTables` does
   */
  places?(options: CallOptions): Promise<readonly ConsolePlace[]>;
}
