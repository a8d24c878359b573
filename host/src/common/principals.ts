import {
  abilitySchema,
  driverTextsSchema,
  principalActionSchema,
  principalInputSchema,
  principalRequestSchema,
  principalStatementsSchema,
  principalsTermSchema,
  tableRefSchema,
} from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { textOriginSchema } from './hostSentences.ts';
import type { Shape } from './shape.ts';

// The principals of a database, and the operations on a table as a whole.

/** The database's name for principals, and whether one can be changed after it was made. */
export const principalsInfoSchema = z.object({
  term: principalsTermSchema,
  editable: abilitySchema,
  /** Why none is added or removed here, whatever the driver could do; absent where that is not so. */
  readOnly: textOriginSchema.pick({ sentence: true }).extend({ reason: z.string() }).optional(),
  /** Credentials that the driver computes; absent where there are none. */
  generator: z.object({ term: principalsTermSchema, help: z.string(), texts: driverTextsSchema.optional() }).optional(),
  /** Principals are added, changed and removed by statements that are shown first; absent where they aren't. */
  changes: z.object({ addable: abilitySchema }).optional(),
});
export type PrincipalsInfo = Shape<typeof principalsInfoSchema>;

export const createPrincipalSchema = z.object({ connectionId: z.uuid(), input: principalInputSchema });
export const principalDetailsSchema = z.object({ connectionId: z.uuid(), id: z.string().min(1).max(1_000) });
export const principalFormSchema = z.object({ connectionId: z.uuid(), action: principalActionSchema });
export const planPrincipalSchema = z.object({ connectionId: z.uuid(), request: principalRequestSchema });
export const runPrincipalSchema = planPrincipalSchema.extend({
  /** The statements of the plan that a person agreed to. */
  confirmed: principalStatementsSchema,
});
export const removePrincipalSchema = z.object({ connectionId: z.uuid(), id: z.string().min(1).max(1_000) });

export const tableOperationsSchema = z.object({ connectionId: z.uuid(), table: tableRefSchema });
export const planOperationSchema = tableOperationsSchema.extend({ operation: z.string().min(1).max(40) });
export const runOperationSchema = planOperationSchema.extend({
  /** The plan's target: if the name leads to another table by now, nothing is done. */
  confirmed: tableRefSchema,
  /** The text that the person typed; must be the target's name where the operation is destructive. */
  typedName: z.string().max(1_000).default(''),
});
export type RunOperation = z.output<typeof runOperationSchema>;
