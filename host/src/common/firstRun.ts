import { z } from 'zod';
import type { Shape } from './shape.ts';

/** A person started the tour of the window, saw its end, left it before, or did not want it. */
export const tourEventSchema = z.object({ event: z.enum(['started', 'finished', 'skipped', 'declined']) });
export type TourEvent = z.output<typeof tourEventSchema>['event'];

/** The state of a data directory that a person begins with. */
export const firstRunSchema = z.object({
  /** Whether the start page offers the tour of the window. */
  offersTour: z.boolean(),
  /** Ids of the saved sample connections, in the order in which they were offered. */
  samples: z.array(z.string()),
});
export type FirstRunState = Shape<typeof firstRunSchema>;
