import { z } from 'zod';
import type {
  HitPlacement,
  ObjectChange,
  ObjectDocument,
  ObjectField,
  ObjectKind,
  ObjectPage,
  ObjectPlace,
  ObjectRef,
  ObjectValueField,
  PlannedChange,
} from '../facets/objects.ts';
import { driverTextsSchema, messageSchema, nameSchema } from './commonSchemas.ts';
import { deferredSchema } from './deferredSchema.ts';
import { describedRequestSchema, rowKeySchema } from './facetSchemas.ts';
import { abilitySchema, tableRefSchema } from './schemas.ts';

// Values of the objects facet's calls, held to the documented types. Bounds as in schemas.ts.

/** Objects of one part of a list at most. */
export const MOST_OBJECTS = 1_000;
/** Characters of an object's document at most. */
export const MOST_OBJECT_CHARACTERS = 4_000_000;

const label = deferredSchema(() => z.string().min(1).max(200));
const idSchema = deferredSchema(() => z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,39}$/));
const objectNameSchema = deferredSchema(() => z.string().min(1).max(1_000));
const documentSchema = deferredSchema(() => z.string().max(MOST_OBJECT_CHARACTERS));
const whole = () => z.number().int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);

const fieldFacts = () => ({
  path: z.array(nameSchema).min(1).max(8),
  label,
  help: messageSchema.optional(),
  required: z.boolean(),
  texts: driverTextsSchema.optional(),
});

const valueFields = () =>
  [
    z.object({ ...fieldFacts(), type: z.literal('text') }),
    z.object({ ...fieldFacts(), type: z.literal('texts') }),
    z.object({ ...fieldFacts(), type: z.literal('table') }),
    z.object({ ...fieldFacts(), type: z.literal('number'), minimum: whole(), maximum: whole() }),
    z.object({ ...fieldFacts(), type: z.literal('switch'), default: z.boolean() }),
    z.object({
      ...fieldFacts(),
      type: z.literal('choice'),
      choices: z
        .array(z.object({ value: nameSchema, label, texts: driverTextsSchema.optional() }))
        .min(1)
        .max(1_000),
    }),
    z.object({ ...fieldFacts(), type: z.literal('json') }),
  ] as const;

const objectValueFieldSchema: z.ZodType<ObjectValueField> = deferredSchema(() => z.discriminatedUnion('type', valueFields()));

/** Checks an {@link ObjectField}. */
export const objectFieldSchema: z.ZodType<ObjectField> = deferredSchema(() =>
  z.discriminatedUnion('type', [
    ...valueFields(),
    z.object({ ...fieldFacts(), type: z.literal('list'), fields: z.array(objectValueFieldSchema).min(1).max(10) }),
  ]),
);

/** Checks an {@link ObjectKind}. */
export const objectKindSchema: z.ZodType<ObjectKind> = deferredSchema(() =>
  z.object({
    id: idSchema,
    term: z.object({ one: label, other: label }),
    help: messageSchema,
    texts: driverTextsSchema.optional(),
    scope: z.enum(['server', 'table']),
    within: idSchema.optional(),
    names: idSchema.optional(),
    columns: z.array(z.object({ id: idSchema, label, texts: driverTextsSchema.optional() })).max(10),
    form: z.array(objectFieldSchema).max(40),
    save: abilitySchema,
    remove: abilitySchema,
  }),
);

/** Checks the kinds of a session. */
export const objectKindsSchema: z.ZodType<readonly ObjectKind[]> = deferredSchema(() => z.array(objectKindSchema).max(50));

const place = () => ({ kind: idSchema, table: tableRefSchema.optional(), within: objectNameSchema.optional() });

/** Checks an {@link ObjectPlace}. */
export const objectPlaceSchema: z.ZodType<ObjectPlace> = deferredSchema(() => z.object(place()));

/** Checks an {@link ObjectRef}. */
export const objectRefSchema: z.ZodType<ObjectRef> = deferredSchema(() => z.object({ ...place(), name: objectNameSchema }));

/** Checks the mark of the next part of a list. */
export const objectNextSchema: z.ZodType<string> = deferredSchema(() => z.string().min(1).max(1_000));

/** Checks an {@link ObjectPage}. */
export const objectPageSchema: z.ZodType<ObjectPage> = deferredSchema(() =>
  z.object({
    objects: z
      .array(
        z.object({
          name: objectNameSchema,
          facts: z
            .record(idSchema, z.string().max(1_000))
            .refine((facts) => Object.keys(facts).length <= 10, { error: 'There are too many facts.' }),
        }),
      )
      .max(MOST_OBJECTS),
    next: objectNextSchema.optional(),
  }),
);

/** Checks an {@link ObjectDocument}. */
export const objectDocumentSchema: z.ZodType<ObjectDocument> = deferredSchema(() =>
  z.object({ name: objectNameSchema, document: documentSchema }),
);

/** Checks an {@link ObjectChange}. */
export const objectChangeSchema: z.ZodType<ObjectChange> = deferredSchema(() =>
  z.discriminatedUnion('action', [
    z.object({
      action: z.literal('save'),
      object: objectRefSchema,
      document: documentSchema,
      was: documentSchema.nullable(),
    }),
    z.object({ action: z.literal('remove'), object: objectRefSchema, was: documentSchema.optional() }),
  ]),
);

const hit = () => ({ table: tableRefSchema, text: z.string().max(4_000), key: rowKeySchema });

/** Checks a {@link HitPlacement}. */
export const hitPlacementSchema: z.ZodType<HitPlacement> = deferredSchema(() =>
  z.discriminatedUnion('action', [
    z.object({ ...hit(), action: z.literal('pin'), rank: z.number().int().min(1).max(10_000) }),
    z.object({ ...hit(), action: z.literal('hide') }),
    z.object({ ...hit(), action: z.literal('release') }),
  ]),
);

/** Checks a {@link PlannedChange}. */
export const plannedChangeSchema: z.ZodType<PlannedChange> = deferredSchema(() =>
  z.object({
    effect: z.enum(['write', 'destructive']),
    consequence: messageSchema,
    texts: driverTextsSchema.optional(),
    requests: z.array(describedRequestSchema).min(1).max(10),
  }),
);
