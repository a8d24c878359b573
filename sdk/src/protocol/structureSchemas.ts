import { z } from 'zod';
import type { ColumnGeneration } from '../model/column.ts';
import type { IndexColumn, TableIndex, TableTrigger } from '../model/structure.ts';
import { driverTextsSchema, messageSchema as message, nameSchema as name } from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';

// Parts of a description, with the bounds that the model documents.

/** An expression in a database's own language. */
export const expressionSchema = deferredSchema(() => z.string().min(1).max(4_000));
/** The comment of a table or column. */
export const commentSchema = deferredSchema(() => z.string().min(1).max(10_000));

/** Checks a {@link ColumnGeneration}. */
export const columnGenerationSchema: z.ZodType<ColumnGeneration> = deferredSchema(() =>
  z.object({
    kind: z.enum(['identityAlways', 'identityByDefault', 'stored', 'virtual']),
    expression: expressionSchema.optional(),
  }),
);

const indexColumnSchema: z.ZodType<IndexColumn> = deferredSchema(() => {
  const order = {
    descending: z.boolean().optional(),
    nulls: z.enum(['first', 'last']).optional(),
    detail: z.string().min(1).max(300).optional(),
  };
  return z.union([z.object({ name, ...order }), z.object({ expression: expressionSchema, ...order })]);
});

/** Checks a {@link TableIndex}. */
export const tableIndexSchema: z.ZodType<TableIndex> = deferredSchema(() =>
  z.object({
    name: name.min(1),
    columns: z.array(indexColumnSchema).min(1).max(64),
    unique: z.boolean(),
    primary: z.boolean().optional(),
    includes: z.array(name).max(64).optional(),
    method: z.string().min(1).max(100).optional(),
    where: expressionSchema.optional(),
    note: message.optional(),
    texts: driverTextsSchema.optional(),
  }),
);

/** Checks a {@link TableTrigger}. */
export const tableTriggerSchema: z.ZodType<TableTrigger> = deferredSchema(() =>
  z.object({
    name: name.min(1),
    timing: z.enum(['before', 'after', 'insteadOf']),
    events: z
      .array(z.enum(['insert', 'update', 'delete', 'truncate']))
      .min(1)
      .max(4),
    columns: z.array(name).min(1).max(64).optional(),
    level: z.enum(['row', 'statement']).optional(),
    enabled: z.boolean().optional(),
    when: expressionSchema.optional(),
    calls: expressionSchema.optional(),
    note: message.optional(),
    texts: driverTextsSchema.optional(),
  }),
);
