import { statementPlanSchema } from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { classifyStatementSchema, statementEffectSchema } from './console.ts';
import type { Shape } from './shape.ts';

// Plans of statements for the window.

export const classifyPlanSchema = classifyStatementSchema.extend({
  /** Whether the statement is run for its plan. */
  analyze: z.boolean().default(false),
});
export type ClassifyPlan = z.output<typeof classifyPlanSchema>;

export const explainStatementSchema = classifyPlanSchema.extend({
  /** The most that the person has agreed to: what `explain.classify` said, once it was confirmed. */
  agreedTo: statementEffectSchema.default('read'),
});
export type ExplainStatement = z.output<typeof explainStatementSchema>;

/** A plan, and whether the statement may be run to measure it. */
export const explanationSchema = z.object({
  plan: statementPlanSchema,
  measurable: z.discriminatedUnion('allowed', [
    z.object({ allowed: z.literal(true) }),
    /** The effect of the statement, in the driver's words. */
    z.object({ allowed: z.literal(false), does: z.string() }),
  ]),
});
export type Explanation = Shape<typeof explanationSchema>;
