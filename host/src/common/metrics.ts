import { metricsReadingSchema, missingPanelsSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import type { Shape } from './shape.ts';

// A server's metrics.

/** Panels that other databases have and this one has not, each with the reason. */
export const metricsInfoSchema = z.object({
  missingPanels: missingPanelsSchema,
});
export type MetricsInfo = Shape<typeof metricsInfoSchema>;

/**
 * One reading, and when it was taken. `since` is ISO 8601, when the node was first seen so; `orEarlier`: it wasn't looked at shortly before.
 * Of the kept readings only the last has nodes.
 */
export const timedReadingSchema = z.intersection(
  metricsReadingSchema,
  z.object({
    /** ISO 8601. */
    at: z.string(),
    /** The nodes that aren't ready, and since when. */
    notReady: z.array(z.object({ node: z.string(), since: z.string(), orEarlier: z.boolean() })).optional(),
  }),
);
export type TimedReading = Shape<typeof timedReadingSchema>;

/** A reading without what only the newest one has: lines are drawn from the rest. */
export function withoutNodes(reading: TimedReading): TimedReading {
  const { nodes: _nodes, notReady: _notReady, notes: _notes, ...rest } = reading;
  return rest;
}

/** Readings kept for each connection while it is saved, oldest first: an hour at one every five seconds. */
export const MOST_READINGS = 720;
