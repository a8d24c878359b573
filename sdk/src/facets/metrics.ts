import type { CallOptions } from '../callOptions.ts';

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
}

/** One reading. A metric that the server doesn't report is left out. */
export interface MetricsReading {
  /** In the order to show them. */
  readonly metrics: readonly Metric[];
  /** Sources that could not be read; the metrics of the others are valid. */
  readonly problems: readonly { readonly source: string; readonly message: string }[];
}

/** The facet of a session that reads a server's metrics. */
export interface MetricsFacet {
  /** Panels that other databases have and this one has not, each with the reason. */
  readonly missingPanels: readonly { readonly id: 'sessions' | 'slowQueries'; readonly label: string; readonly reason: string }[];

  /** Reads all metrics once. A source that fails is listed in `problems`. @throws DriverError only when no source can be read */
  read(options: CallOptions): Promise<MetricsReading>;
}
