import { z } from 'zod';
import { storedInputSchema } from './connection.ts';
import { importQuerySetSchema } from './relevance.ts';
import { sampleGuideSchema } from './sampleGuide.ts';

/** A connection that a start of the application brings along, the judged queries of its tables, and what the window says of it. */
export const sampleConnectionSchema = storedInputSchema.extend({
  querySets: z
    .array(importQuerySetSchema.omit({ connectionId: true }))
    .max(10)
    .default([]),
  guide: sampleGuideSchema.optional(),
});
export type SampleConnection = z.output<typeof sampleConnectionSchema>;
