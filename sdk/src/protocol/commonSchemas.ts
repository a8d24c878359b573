import { z } from 'zod';
import { DRIVER_TEXT_ID } from '../model/driverText.ts';
import type { DriverText, DriverTextList, DriverTexts } from '../model/driverText.ts';
import type { DroppedSort } from '../model/sort.ts';
import { deferredSchema } from './deferredSchema.ts';

// Parts of many schemas of the wire.

/** A name of a table, a column and so on. */
export const nameSchema = z.string().max(1_000);
/** A sentence for a person. */
export const messageSchema = deferredSchema(() => z.string().max(4_000));
/** A count that a number holds exactly. */
export const safeCountSchema = deferredSchema(() => z.number().int().min(0).max(Number.MAX_SAFE_INTEGER));
/** Nodes of one connection. */
export const MOST_NODES = 16;
/** Host and port of a node. */
export const nodeNameSchema = deferredSchema(() => z.string().min(1).max(300));
/** Further origins of one connection. */
export const MOST_ORIGINS = 3;
/** The id of a further origin, declared or not. */
export const originIdSchema = deferredSchema(() => z.string().min(1).max(40));

const MOST_TEXT_VALUES = 20;

/** Checks a {@link DriverText}. */
export const driverTextSchema: z.ZodType<DriverText> = deferredSchema(() =>
  z.object({
    id: z.string().regex(DRIVER_TEXT_ID),
    values: z
      .record(z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/), z.union([z.string().max(400), z.number()]))
      .refine((values) => Object.keys(values).length <= MOST_TEXT_VALUES)
      .optional(),
  }),
);

const MOST_MEMBERS = 10;

/** Checks a {@link DriverTextList}. A wrong one is dropped, as by {@link driverTextsSchema}. */
export const driverTextListSchema: z.ZodType<DriverTextList | undefined> = deferredSchema(() =>
  z.array(driverTextSchema.nullable()).max(100).optional().catch(undefined),
);

/** Checks a {@link DriverTexts}. Wrong ones are dropped: the English texts beside them are what counts. */
export const driverTextsSchema: z.ZodType<DriverTexts | undefined> = deferredSchema(() =>
  z
    .record(z.string().max(40), driverTextSchema)
    .refine((texts) => Object.keys(texts).length <= MOST_MEMBERS)
    .optional()
    .catch(undefined),
);

/** Checks a {@link DroppedSort}. */
export const droppedSortSchema: z.ZodType<DroppedSort> = deferredSchema(() =>
  z.object({ column: nameSchema, reason: messageSchema, texts: driverTextsSchema.optional() }),
);
