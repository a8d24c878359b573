import { z } from 'zod';
import type {
  AffectedTable,
  Operation,
  OperationCall,
  OperationEvent,
  OperationForm,
  OperationPlace,
  OperationPlan,
  OperationStep,
  OperationUndo,
} from '../facets/operations.ts';
import { driverTextsSchema, messageSchema, nameSchema, safeCountSchema } from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';
import { objectFieldSchema } from './objectSchemas.ts';
import { abilitySchema, rowCountSchema, tableRefSchema } from './schemas.ts';

// Values of the operations facet's calls, held to the documented types. Bounds as in schemas.ts.

/** Operations of one place at most. */
export const MOST_OPERATIONS = 100;
/** Characters of an operation's input at most. */
export const MOST_INPUT_CHARACTERS = 1_000_000;
/** Characters of a checkpoint at most. */
export const MOST_CHECKPOINT_CHARACTERS = 16_384;

const idSchema = deferredSchema(() => z.string().regex(/^[\w-]{1,40}$/));
const label = deferredSchema(() => z.string().min(1).max(200));
const inputSchema = deferredSchema(() => z.string().max(MOST_INPUT_CHARACTERS));
const effectSchema = deferredSchema(() => z.enum(['read', 'write', 'destructive']));

/** Checks an id of an {@link Operation}. */
export const operationIdSchema: z.ZodType<string> = idSchema;

/** Checks a basis of an {@link OperationPlan}. */
export const operationBasisSchema: z.ZodType<string> = deferredSchema(() => z.string().max(4_000));

/** Checks a checkpoint. */
export const operationCheckpointSchema: z.ZodType<string> = deferredSchema(() => z.string().max(MOST_CHECKPOINT_CHARACTERS));

/** Checks an {@link OperationPlace}. */
export const operationPlaceSchema: z.ZodType<OperationPlace> = deferredSchema(() =>
  z.discriminatedUnion('on', [
    z.object({ on: z.literal('server') }),
    z.object({ on: z.literal('namespace'), namespace: z.array(nameSchema).min(1).max(8) }),
    z.object({ on: z.literal('table'), table: tableRefSchema }),
  ]),
);

/** Checks an {@link Operation}. */
export const operationSchema: z.ZodType<Operation> = deferredSchema(() =>
  z.object({
    id: idSchema,
    label: z.string().min(1).max(80),
    help: messageSchema,
    effect: effectSchema,
    ability: abilitySchema,
    resumable: z.boolean(),
    makes: z.literal('table').optional(),
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks an {@link OperationForm}. */
export const operationFormSchema: z.ZodType<OperationForm> = deferredSchema(() =>
  z.object({
    document: inputSchema,
    fields: z.array(objectFieldSchema).max(40),
    presets: z.array(z.object({ id: idSchema, label, document: inputSchema, texts: driverTextsSchema.optional() })).max(20),
  }),
);

/** Checks an {@link OperationCall}. */
export const operationCallSchema: z.ZodType<OperationCall> = deferredSchema(() =>
  z.object({ place: operationPlaceSchema, operation: idSchema, input: inputSchema }),
);

/** Checks an {@link OperationStep}. */
export const operationStepSchema: z.ZodType<OperationStep> = deferredSchema(() =>
  z.object({
    title: label,
    texts: driverTextsSchema.optional(),
    statements: z.array(z.string().min(1).max(MOST_INPUT_CHARACTERS)).min(1).max(50),
  }),
);

const affectedTableSchema: z.ZodType<AffectedTable> = deferredSchema(() =>
  z.object({ table: tableRefSchema, becomes: z.enum(['new', 'changed', 'emptied', 'gone']) }),
);

/** Checks an {@link OperationPlan}. */
export const operationPlanSchema: z.ZodType<OperationPlan> = deferredSchema(() =>
  z.object({
    effect: effectSchema,
    consequence: messageSchema,
    texts: driverTextsSchema.optional(),
    steps: z.array(operationStepSchema).min(1).max(20),
    confirm: nameSchema.min(1).optional(),
    count: rowCountSchema.optional(),
    affected: z.array(affectedTableSchema).max(20),
    basis: operationBasisSchema,
  }),
);

/** Checks an {@link OperationUndo}. */
export const operationUndoSchema: z.ZodType<OperationUndo> = deferredSchema(() =>
  z.object({ label, texts: driverTextsSchema.optional(), call: operationCallSchema }),
);

/** Checks an {@link OperationEvent}. */
export const operationEventSchema: z.ZodType<OperationEvent> = deferredSchema(() =>
  z.discriminatedUnion('type', [
    z.object({
      type: z.literal('progress'),
      step: z.number().int().min(0).max(19),
      done: safeCountSchema.optional(),
      of: safeCountSchema.optional(),
      unit: z.string().min(1).max(80).optional(),
      texts: driverTextsSchema.optional(),
    }),
    z.object({ type: z.literal('checkpoint'), checkpoint: operationCheckpointSchema }),
    z.object({ type: z.literal('rejected'), row: nameSchema, message: messageSchema }),
    z.object({
      type: z.literal('result'),
      message: messageSchema,
      texts: driverTextsSchema.optional(),
      affectedRows: safeCountSchema.optional(),
      undo: operationUndoSchema.optional(),
    }),
  ]),
);
