import type { CallOptions } from '../callOptions.ts';
import type { ColumnKind } from '../model/column.ts';
import type { ResultEvent, StatementClassification } from '../model/statement.ts';
import type { ExplainFacet } from './explain.ts';
import type { RunOptions } from './runOptions.ts';

/** The facts about a console session that its next statement depends on. */
export interface ConsoleContext {
  /** The namespace in which a name without one is looked up first, such as the schema; absent where there is none. */
  readonly namespace?: readonly string[];
  /** The principal whose permissions count now; absent where the database has none. */
  readonly role?: string;
  /** `failed`: a statement of the transaction failed, and the database runs nothing more in it until it is rolled back. */
  readonly transaction: 'none' | 'open' | 'failed';
}

/** A message of the database beside the results of a statement. */
export interface ConsoleNotice {
  readonly severity: 'debug' | 'info' | 'notice' | 'warning';
  /** At most 10,000 characters, as are the others. */
  readonly message: string;
  readonly detail?: string;
  readonly hint?: string;
  /** The database's own code, such as an SQLSTATE. At most 40 characters. */
  readonly code?: string;
}

/**
 * The events of a statement in a console session: those of a {@link ResultEvent}, with others between them at any place.
 *
 * - `notice`: as the database sent it, at most 10,000 of a statement;
 * - `progress`: how far a long statement is, at most 10,000 of a statement;
 * - `context`: the context has changed, or one transaction followed another. The last one holds when the statement has ended, also when it failed.
 */
export type SessionEvent =
  | ResultEvent
  | ({ readonly type: 'notice' } & ConsoleNotice)
  | {
      readonly type: 'progress';
      /** A few words, such as `building index`. At most 200 characters. */
      readonly message: string;
      /** Between 0 and 1, where the database says it. */
      readonly share?: number;
    }
  | {
      readonly type: 'context';
      readonly context: ConsoleContext;
      /** The statement has ended one transaction and begun the next, of which the context looks the same. */
      readonly beginsNext?: true;
    };

/** A parameter of a statement, whose value is sent beside the text. */
export interface StatementParameter {
  /** As the statement names it, such as `$1`. At most 100 characters. */
  readonly name: string;
  /** The database's name of its type. */
  readonly type: string;
  readonly kind: ColumnKind;
}

/** How much a statement of a session may answer, and its values. */
export interface SessionRunOptions extends RunOptions {
  /** The values of its parameters in their order: each in the text form of its type, or null. Absent: it has none. */
  readonly parameters?: readonly (string | null)[];
}

/**
 * One conversation with the database: what a statement sets, creates for the session or begins is there for the next one. It does one thing at
 * a time. Nothing of it is seen in other sessions before it is committed.
 */
export interface ConsoleSession {
  /**
   * As it is now, between statements. It changes with them, so it is a getter in most drivers.
   *
   * @throws DriverError `CONNECTION_LOST` when the session is gone: it is asked for from time to time, so that a person hears of that
   */
  readonly context: ConsoleContext;

  /**
   * As `ConsoleFacet.classify`, for a statement of this session: its transaction and temporary tables count. It changes nothing of the session, also
   * where it fails. Ending a transaction so that its changes stay is a `write`.
   *
   * @throws DriverError `INVALID_INPUT`, `UNSUPPORTED` for a statement that no session runs, `CONNECTION_LOST`
   */
  classify(statement: string, options: CallOptions): Promise<StatementClassification>;

  /**
   * Runs one statement. A statement that only reads changes nothing of the database. One that is stopped is ended at the database before its
   * iteration ends, which throws `CANCELLED` then; {@link ConsoleSession.context} says how the session was left. Nothing else is asked of the session meanwhile.
   * `maxRows` bounds the rows that are shown, never how far a statement runs that does more than read.
   *
   * @throws DriverError as `ConsoleFacet.run` does; `CONNECTION_LOST` when the session is gone, and with it what was not committed
   */
  run(statement: string, options: SessionRunOptions): AsyncIterable<SessionEvent>;

  /**
   * The parameters of a statement; empty where it has none. It changes nothing. Absent where the database has no parameters. At most 1,000.
   *
   * @throws DriverError `INVALID_INPUT` and what the database says of a statement that it can't parse
   */
  parameters?(statement: string, options: CallOptions): Promise<readonly StatementParameter[]>;

  /**
   * Plans of statements as this session would run them: its role, its namespace, its transaction and temporary tables count. It changes nothing of
   * the session. Absent: the plans are those of the session's `explain` facet, if it has one.
   */
  readonly explain?: ExplainFacet;

  /**
   * Ends the transaction that is open or failed. Without one it does nothing. A commit may take its time: it ends when a person stops it.
   *
   * @returns the context then
   * @throws DriverError `CONFLICT` when a commit ended in a rollback, and what the database says of a commit that it refused.
   *   {@link ConsoleSession.context} says what is left of the transaction
   */
  endTransaction(way: 'commit' | 'rollBack', options: CallOptions): Promise<ConsoleContext>;

  /** Rolls back what isn't committed and frees what the session holds. Called once, also while a statement runs; must not throw. */
  close(): Promise<void>;
}
