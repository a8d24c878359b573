import {
  driverTextsSchema,
  operationBasisSchema,
  operationCallSchema,
  operationFormSchema,
  operationIdSchema,
  operationPlaceSchema,
  operationPlanSchema,
  operationSchema,
  tableRefSchema,
} from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { errorReportSchema } from './errorReport.ts';
import type { Shape } from './shape.ts';

// Operations on servers, namespaces and tables as a whole. A run belongs to the host, not to a window: it continues when a tab or a window closes.

/** Rejected rows that a run names. The others are counted. */
export const MOST_REJECTIONS = 50;

export const listOperationsSchema = z.object({ connectionId: z.uuid(), place: operationPlaceSchema });
export type ListOperations = z.output<typeof listOperationsSchema>;

export const operationFormOfSchema = listOperationsSchema.extend({ operation: operationIdSchema });
export type OperationFormOf = z.output<typeof operationFormOfSchema>;

export const planOperationCallSchema = z.object({ connectionId: z.uuid(), call: operationCallSchema });
export type PlanOperationCall = z.output<typeof planOperationCallSchema>;

export const startOperationSchema = planOperationCallSchema.extend({
  /** Of the plan that was shown. */
  basis: operationBasisSchema,
  /** Typed by a person; must be the plan's name where the plan asks for one. */
  typedName: z.string().max(1_000).default(''),
});
export type StartOperation = z.output<typeof startOperationSchema>;

export const operationRunIdSchema = z.object({ id: z.uuid() });

const stepTitleSchema = z.object({ title: z.string(), texts: driverTextsSchema });

/** How far a run is. */
const operationProgressSchema = z.object({
  /** The index of a step. */
  step: z.number().int(),
  done: z.number().optional(),
  of: z.number().optional(),
  unit: z.string().optional(),
  texts: driverTextsSchema.optional(),
});

/** A run that was started and not yet cleared from the list. */
export const operationRunSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  /** A hash of where the connection led when it began: it isn't resumed on another server. Absent: by an older host. */
  target: z.string().optional(),
  place: operationPlaceSchema,
  operation: z.string(),
  label: z.string(),
  /** Translations of `label`. */
  texts: driverTextsSchema.optional(),
  steps: z.array(stepTitleSchema.partial({ texts: true })),
  /** Tables that it makes, changes, empties or removes. */
  affected: z.array(z.object({ table: tableRefSchema, becomes: z.enum(['new', 'changed', 'emptied', 'gone']) })),
  /** `interrupted`: the host ended while it ran. */
  state: z.enum(['running', 'done', 'failed', 'cancelled', 'interrupted']),
  startedAt: z.string(),
  progress: operationProgressSchema,
  rejected: z.number(),
  /** Some of the rejected rows. */
  rejections: z.array(z.object({ row: z.string(), message: z.string() })),
  /** Whether it can be continued where it was. */
  canResume: z.boolean(),
  error: errorReportSchema.optional(),
  result: z
    .object({
      message: z.string(),
      texts: driverTextsSchema.optional(),
      affectedRows: z.number().optional(),
      /** The label of the operation that takes it back; absent where nothing does. */
      undo: z.object({ label: z.string(), texts: driverTextsSchema.optional() }).optional(),
    })
    .optional(),
});
export type OperationRun = Shape<typeof operationRunSchema>;

export { operationCallSchema, operationFormSchema, operationPlanSchema, operationSchema };
