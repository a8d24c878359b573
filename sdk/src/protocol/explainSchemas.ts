import { z } from 'zod';
import type { PlanNode, StatementPlan } from '../facets/explain.ts';
import { driverTextListSchema, messageSchema, nameSchema, safeCountSchema } from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';

// Values of the explain facet's calls, held to the documented types. Bounds as in schemas.ts.

/** Steps of a plan at most. */
export const MOST_PLAN_NODES = 2_000;
/** Characters of a plan as the database wrote it. */
export const MOST_PLAN_CHARACTERS = 4_000_000;

const label = deferredSchema(() => z.string().min(1).max(200));
const measure = deferredSchema(() => z.number().min(0));

/** Checks a {@link PlanNode}. */
export const planNodeSchema: z.ZodType<PlanNode> = deferredSchema(() =>
  z.object({
    depth: z.number().int().min(0).max(MOST_PLAN_NODES),
    operation: label,
    target: nameSchema.optional(),
    estimatedRows: measure.optional(),
    cost: measure.optional(),
    actualRows: measure.optional(),
    actualMilliseconds: measure.optional(),
    loops: measure.optional(),
    facts: z.array(z.object({ label, value: messageSchema })).max(60),
  }),
);

/** Checks a {@link StatementPlan}: every step has a place in the tree. */
export const statementPlanSchema: z.ZodType<StatementPlan> = deferredSchema(() =>
  z.object({
    nodes: z
      .array(planNodeSchema)
      .max(MOST_PLAN_NODES)
      .refine((nodes) => nodes.every(({ depth }, place) => depth <= (nodes[place - 1]?.depth ?? -1) + 1), {
        error: 'A step of the plan is a part of no other.',
      }),
    leftOut: safeCountSchema.optional(),
    planningMilliseconds: measure.optional(),
    executionMilliseconds: measure.optional(),
    raw: z
      .object({ mediaType: z.enum(['application/json', 'text/plain']), text: z.string().max(MOST_PLAN_CHARACTERS) })
      .optional(),
    notes: z.array(messageSchema).max(20),
    noteTexts: driverTextListSchema.optional(),
  }),
);
