import type { CallOptions } from '../callOptions.ts';
import type { DriverTextList } from '../model/driverText.ts';
import type { StatementClassification } from '../model/statement.ts';

/** How a statement is explained, and when to stop. */
export interface ExplainOptions extends CallOptions {
  /** Whether the statement is run, so that the plan has what really happened beside the estimates. */
  readonly analyze: boolean;
}

/** One step of a plan. Numbers are those of one loop, where the step runs several times. */
export interface PlanNode {
  /** 0 for a plan's first step; otherwise at most one more than the node before it, whose part it is then. */
  readonly depth: number;
  /** The database's own name for what it does, such as `Seq Scan`; at most 200 characters. */
  readonly operation: string;
  /** The table, index or function that it is about; at most 1,000 characters. */
  readonly target?: string;
  /** Rows that the database expects of it. Finite and not below zero, as are all numbers here. */
  readonly estimatedRows?: number;
  /** The estimated cost up to its end, its parts included, in the database's own unit. */
  readonly cost?: number;
  /** Rows that it gave. This and the two below only with `analyze`, and not of a step that never ran. */
  readonly actualRows?: number;
  /** Milliseconds up to its end, its parts included. */
  readonly actualMilliseconds?: number;
  /** How often it ran; 0 for never. */
  readonly loops?: number;
  /** Conditions, keys and counts, in the order to show them; at most 60. Labels as the database has them. */
  readonly facts: readonly { readonly label: string; readonly value: string }[];
}

/** How the database would carry a statement out, or with `analyze` has done. */
export interface StatementPlan {
  /** Each step before its parts. At most 2,000; `leftOut` says how many more there are. */
  readonly nodes: readonly PlanNode[];
  readonly leftOut?: number;
  readonly planningMilliseconds?: number;
  /** Only with `analyze`. */
  readonly executionMilliseconds?: number;
  /** The plan as the database wrote it, at most 4,000,000 characters. Absent where it is longer. */
  readonly raw?: { readonly mediaType: 'application/json' | 'text/plain'; readonly text: string };
  /** Sentences about the plan as a whole; at most 20. */
  readonly notes: readonly string[];
  /** Translations of the notes. */
  readonly noteTexts?: DriverTextList;
}

/** The facet of a session that shows how a statement would be carried out. A session that has it has a console. */
export interface ExplainFacet {
  /**
   * Says what explaining the statement would do. Without `analyze` the statement isn't run, whatever it is, but a database that plans may compute
   * parts of it: a `read` only where that is certain to change nothing. With `analyze` it is what `console.classify` says of the statement.
   *
   * @throws DriverError `INVALID_INPUT` for text that isn't a single statement, `UNSUPPORTED` for one that has no plan
   */
  classify(statement: string, options: ExplainOptions): Promise<StatementClassification>;

  /**
   * Explains one statement. Without `analyze` nothing of it is carried out. With it the statement runs as a `read`, so that the server lets it change
   * nothing, and its rows are thrown away.
   *
   * @throws DriverError as `classify` does, `PERMISSION_DENIED` with `analyze` for a statement that isn't certain to be a `read`, and errors of the server
   */
  explain(statement: string, options: ExplainOptions): Promise<StatementPlan>;
}
