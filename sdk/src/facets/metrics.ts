import type { CallOptions } from '../callOptions.ts';
import type { DriverTextList, DriverTexts } from '../model/driverText.ts';

/** How a figure is to be shown. `bytes` are single bytes, `ratio` is 0 to 1, `percent` 0 to 100 or to `total`, `perSecond` a count in a second. */
export type MetricUnit = 'bytes' | 'count' | 'perSecond' | 'milliseconds' | 'ratio' | 'percent';

/** One figure of a server, as it is now. */
export interface Metric {
  /** The same in every reading, so that readings can be joined to a line. */
  readonly id: string;
  /** A few words, such as `Memory in use`. */
  readonly label: string;
  /** The unit of `value` and `total`. */
  readonly unit: MetricUnit;
  /** Finite and not below zero. */
  readonly value: number;
  /** The whole of which `value` is a part, in the same unit. */
  readonly total?: number;
  /** Its meaning, in one sentence. */
  readonly help?: string;
  /** Its texts in other languages. */
  readonly texts?: DriverTexts;
}

/**
 * How a node is: `ready` answers and is in order; `limited` answers, and its message says what is wrong; `unreachable` doesn't answer, or isn't
 * this kind of server.
 */
export type NodeState = 'ready' | 'limited' | 'unreachable';

/** One node of a connection that names several. */
export interface NodeReading {
  /** As in `context.http.nodes`, the same in every reading. */
  readonly name: string;
  /** Whether it can be used. */
  readonly state: NodeState;
  /** Why it isn't `ready`. Of an `unreachable` node there is always one. */
  readonly message?: string;
  /** Facts that aren't numbers, such as the role of the node in its cluster, in the order to show them. An `id` means the same in every node. */
  readonly facts: readonly {
    readonly id: string;
    readonly label: string;
    readonly value: string;
    readonly texts?: DriverTexts;
  }[];
  /** The message in other languages. */
  readonly texts?: DriverTexts;
  /** Metrics of this node, in the order to show them. An `id` means the same in every node. */
  readonly metrics: readonly Metric[];
}

/** One reading. A metric that the server doesn't report is left out. */
export interface MetricsReading {
  /** In the order to show them. */
  readonly metrics: readonly Metric[];
  /** Sources that could not be read; the metrics of the others are valid. */
  readonly problems: readonly { readonly source: string; readonly message: string; readonly texts?: DriverTexts }[];
  /**
   * Each node of the connection, in the order of its form, for a connection that names several; an unreachable one is listed too. A node that
   * doesn't answer must not hold the reading up for long: read all at once, and give each a few seconds.
   */
  readonly nodes?: readonly NodeReading[];
  /** The node that `metrics` are of, by its name. Missing where there are no `nodes`, and where none of them gave any. */
  readonly node?: string;
  /** Sentences about the nodes as a whole, such as that none of them leads. */
  readonly notes?: readonly string[];
  /** Translations of the notes. */
  readonly noteTexts?: DriverTextList;
}

/** The facet of a session that reads a server's metrics. */
export interface MetricsFacet {
  /** Panels that other databases have and this one has not, each with the reason. */
  readonly missingPanels: readonly {
    readonly id: 'sessions' | 'slowQueries';
    readonly label: string;
    readonly reason: string;
    readonly texts?: DriverTexts;
  }[];

  /** Reads all metrics once. A source that fails is listed in `problems`. @throws DriverError only when no source can be read */
  read(options: CallOptions): Promise<MetricsReading>;
}
