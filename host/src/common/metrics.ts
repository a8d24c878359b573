import { metricsReadingSchema, missingPanelsSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import type { Shape } from './shape.ts';

// A server's metrics.

/** Panels that other databases have and this one has not, each with the reason. */
export const metricsInfoSchema = z.object({
  missingPanels: missingPanelsSchema,
});
export type MetricsInfo = Shape<typeof metricsInfoSchema>;

/** One reading, and when it was taken. */
export const timedReadingSchema = z.intersection(
  metricsReadingSchema,
  z.object({
    /** ISO 8601. */
    at: z.string(),
  }),
);
export type TimedReading = Shape<typeof timedReadingSchema>;

/** Readings kept for each connection while it is saved, oldest first: an hour at one every five seconds. */
export const MOST_READINGS = 720;
