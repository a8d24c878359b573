import type { CallOptions } from '../callOptions.ts';
import type { DriverText, DriverTextList, DriverTexts } from '../model/driverText.ts';

/** A way to end an entry: `cancel` ends its statement and leaves the session, `terminate` ends the session with all that it holds. */
export type EndWay = 'cancel' | 'terminate';

/**
 * The state of an entry: `running`; `waiting` for a lock that another one holds; `idle`; `inTransaction` and `failedTransaction`, idle with an open
 * transaction; `hidden` where the credentials may not see it.
 */
export type RunningState = 'running' | 'waiting' | 'idle' | 'inTransaction' | 'failedTransaction' | 'hidden';

/** A session or a statement at the server. A member that the server doesn't report, or that the credentials may not see, is absent. */
export interface RunningEntry {
  /**
   * Names this entry and never another one: where the server uses its numbers again, the id also has the time at which the entry began. The same in
   * every list while the entry is there; 1 to 200 characters.
   */
  readonly id: string;
  /** The number by which the server's own tools name it, such as a process id; at most 40 characters. */
  readonly number?: string;
  /** `background` is work of the server itself. */
  readonly kind: 'session' | 'statement' | 'background';
  readonly state: RunningState;
  /** The database's own words for what it does or waits for, such as `Client: ClientRead`; at most 200 characters. */
  readonly activity?: string;
  readonly user?: string;
  /** The name that the client's program gives itself. */
  readonly application?: string;
  /** The address that it comes from. */
  readonly client?: string;
  /** The database or keyspace that it uses. */
  readonly namespace?: string;
  /** The statement that runs, or the last one where none does. */
  readonly statement?: {
    /** As the id of an entry: another one for the next statement, also where its text is the same. */
    readonly id: string;
    /** At most 8,000 characters. */
    readonly text: string;
    /** Whether the text is only the beginning. */
    readonly isCut: boolean;
  };
  /** How long the statement runs; of one that runs none, how long it is in its state. By the server's clock. */
  readonly milliseconds?: number;
  /** How long its transaction is open. */
  readonly transactionMilliseconds?: number;
  /** How long the session is open. */
  readonly sessionMilliseconds?: number;
  /** Only of a `waiting` entry. */
  readonly lockWait?: {
    /** The kind of lock and the object, in the database's own words; at most 1,000 characters. */
    readonly lock: string;
    /** The ids of the entries that it waits for, each in the same list; at most 100. */
    readonly blockedBy: readonly string[];
    /** Others that it waits for and that the list doesn't have, such as a prepared transaction; in a few words each, at most 20. */
    readonly others: readonly string[];
  };
  /** Whether it belongs to this connection. The session that reads the list may be left out. */
  readonly own: boolean;
  /** The ways to end it. None of them is offered otherwise. */
  readonly ways: readonly EndWay[];
  /** Why a way is missing, in a sentence; always where there is none. */
  readonly reason?: string;
  /** Translations of `reason`. */
  readonly texts?: DriverTexts;
}

/** The sessions or statements at the server, as they are at one moment. */
export interface RunningEntries {
  /** Those that run longest first, idle ones last. At most 2,000; `leftOut` says how many more there are. */
  readonly entries: readonly RunningEntry[];
  readonly leftOut?: number;
  /** Sentences about the list as a whole, such as what the credentials may not see; at most 20. */
  readonly notes: readonly string[];
  /** Translations of the notes. */
  readonly noteTexts?: DriverTextList;
}

/** The entry to end, exactly as a list had it. */
export interface EndRequest {
  /** The entry's id. */
  readonly id: string;
  readonly way: EndWay;
  /** The id of its statement, for `cancel`: only that statement is ended, and not the next one of the session. Absent: whatever it runs. */
  readonly statement?: string;
}

/**
 * The result of ending: `ended`; `gone` where the entry, or the statement of the request, was no longer there, and nothing was ended; `asked` where
 * the server was asked to and the entry was still there a moment later.
 */
export interface EndOutcome {
  readonly outcome: 'ended' | 'gone' | 'asked';
}

/** The server's record of a statement, all of its runs together. */
export interface SlowStatement {
  /** As the server records it, mostly without its values; at most 8,000 characters. */
  readonly text: string;
  readonly isCut: boolean;
  readonly user?: string;
  readonly namespace?: string;
  /** How often it ran. */
  readonly calls: number;
  /** Finite and not below zero, as are all numbers here. */
  readonly totalMilliseconds: number;
  readonly meanMilliseconds: number;
  readonly maxMilliseconds?: number;
  /** Rows that all its runs gave or changed. */
  readonly rows?: number;
}

/** Statements that took the server most time, or why it can't say. */
export type SlowStatements =
  | {
      readonly available: true;
      /** Those with the most time in all first; at most 100. */
      readonly statements: readonly SlowStatement[];
      readonly notes: readonly string[];
      readonly noteTexts?: DriverTextList;
    }
  | {
      readonly available: false;
      /** A sentence that says what is missing, and what to do where something can be done. */
      readonly reason: string;
      readonly text?: DriverText;
    };

/** The facet of a session that shows what runs at the server, and ends it. */
export interface ActivityFacet {
  /** Reads what runs now. It waits for no lock. */
  list(options: CallOptions): Promise<RunningEntries>;

  /**
   * Ends one entry: exactly the one that the id names, and with `statement` only while it runs that one. The identity is compared at the moment of
   * ending, so that a later session or statement with the same number is not hit.
   *
   * @throws DriverError `ACCESS_REFUSED` where the credentials may not, `INVALID_INPUT` for a text that is the id of no entry, `UNSUPPORTED` for a way
   *   that the entry doesn't have, and errors of the server; nothing was ended then
   */
  end(request: EndRequest, options: CallOptions): Promise<EndOutcome>;

  /** Reads the server's statistics of statements. Absent where the database has none. */
  slow?(options: CallOptions): Promise<SlowStatements>;
}
