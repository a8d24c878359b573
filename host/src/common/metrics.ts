import type { MetricsFacet, MetricsReading } from '@tabularium/sdk';

// A server's figures.

/** Panels that other databases have and this one has not, each with the reason. */
export interface MetricsInfo {
  readonly missingPanels: MetricsFacet['missingPanels'];
}

/** One reading, and when it was taken. */
export interface TimedReading extends MetricsReading {
  /** ISO 8601. */
  readonly at: string;
}

/** Readings kept for each connection while it is saved, oldest first: an hour at one every five seconds. */
export const MOST_READINGS = 720;
