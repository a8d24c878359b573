import { z } from 'zod';
import { manifestSchema } from '@tabularium/sdk/manifest';
import { installProgressSchema } from './drivers.ts';
import type { Shape } from './shape.ts';

/** The progress of opening a connection, until it is open. */
export const openingSteps = [
  z.object({ step: z.literal('installing'), install: installProgressSchema }),
  /** With the driver's manifest: an error on the way is translated by it. */
  z.object({ step: z.literal('connecting'), manifest: manifestSchema.optional() }),
] as const;
export const openingStepSchema = z.discriminatedUnion('step', openingSteps);
export type OpeningStep = Shape<typeof openingStepSchema>;

/** The same among the events of work that opens a connection first. */
export const openingEvents = [
  z.object({ type: z.literal('install'), progress: installProgressSchema }),
  z.object({ type: z.literal('connecting') }),
] as const;
export const openingEventSchema = z.discriminatedUnion('type', openingEvents);
export type OpeningEvent = Shape<typeof openingEventSchema>;
