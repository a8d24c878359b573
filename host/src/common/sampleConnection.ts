import { z } from 'zod';
import { storedInputSchema } from './connection.ts';
import { importQuerySetSchema } from './relevance.ts';

/** A connection that a start of the application brings along, and the judged queries of its tables. */
export const sampleConnectionSchema = storedInputSchema.extend({
  querySets: z
    .array(importQuerySetSchema.omit({ connectionId: true }))
    .max(10)
    .default([]),
});
export type SampleConnection = z.output<typeof sampleConnectionSchema>;
