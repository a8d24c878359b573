import {
  hitPlacementSchema,
  objectChangeSchema,
  objectDocumentSchema,
  objectKindsSchema,
  objectNextSchema,
  objectPageSchema,
  objectPlaceSchema,
  objectRefSchema,
  plannedChangeSchema,
} from '@tabularium/sdk/protocol';
import { z } from 'zod';
import { errorReportSchema } from './errorReport.ts';
import type { Shape } from './shape.ts';

// Named objects of a database beside its tables.

/** The largest file of objects, in characters. */
export const LARGEST_OBJECT_FILE = 8 * 1024 * 1024;
/** Objects of one file. */
export const MOST_FILED_OBJECTS = 20_000;

export const listObjectsSchema = z.object({
  connectionId: z.uuid(),
  place: objectPlaceSchema,
  next: objectNextSchema.optional(),
});
export type ListObjects = z.output<typeof listObjectsSchema>;

export const getObjectSchema = z.object({ connectionId: z.uuid(), object: objectRefSchema });
export type GetObject = z.output<typeof getObjectSchema>;

export const changeObjectSchema = z.object({ connectionId: z.uuid(), change: objectChangeSchema });
export type ChangeObject = z.output<typeof changeObjectSchema>;

export const placeHitSchema = z.object({ connectionId: z.uuid(), hit: hitPlacementSchema });
export type PlaceHit = z.output<typeof placeHitSchema>;

export const exportObjectsSchema = z.object({ connectionId: z.uuid(), place: objectPlaceSchema });
export type ExportObjects = z.output<typeof exportObjectsSchema>;

/** All objects of a place as a file. */
export const exportedObjectsSchema = z.object({ objects: z.number(), text: z.string() });
export type ExportedObjects = Shape<typeof exportedObjectsSchema>;

export const importObjectsSchema = exportObjectsSchema.extend({
  content: z.string().max(LARGEST_OBJECT_FILE),
  /** Looks at what would be done, and does nothing. */
  onlyPlan: z.boolean(),
});
export type ImportObjects = z.output<typeof importObjectsSchema>;

/** One object of a file. `same`: it is there as the file has it, so that nothing is sent. */
const storedOtherwiseSchema = z.object({
  /** The member of the document, with dots. */
  member: z.string(),
  sent: z.string(),
  /** Absent: it was left out. */
  stored: z.string().optional(),
});
/** A part of a saved object that the database left out, or stored as something else. */
export type StoredOtherwise = Shape<typeof storedOtherwiseSchema>;

/** A change that was made. */
export const changedObjectSchema = z.object({ otherwise: z.array(storedOtherwiseSchema) });
export type ChangedObject = Shape<typeof changedObjectSchema>;

/** The differences in one sentence, such as: The database left out stopwords “é”. Undefined where there are none. */
export function otherwiseText(otherwise: readonly StoredOtherwise[]): string | undefined {
  if (otherwise.length === 0) return undefined;
  const parts = otherwise.map(({ member, sent, stored }) =>
    stored === undefined ? `${member} “${sent}” is left out` : `${member} “${sent}” is “${stored}”`,
  );
  return `The database stored it differently: ${parts.join(', ')}.`;
}

const filedOutcomeSchema = z.object({
  name: z.string(),
  outcome: z.enum(['add', 'change', 'same', 'failed']),
  /** Why it failed. */
  message: z.string().optional(),
  report: errorReportSchema.optional(),
  /** The differences of what was stored; absent where there are none. */
  otherwise: z.array(storedOtherwiseSchema).optional(),
});
export type FiledOutcome = Shape<typeof filedOutcomeSchema>;

/** After each object, and at the end once with all outcomes, in the order of the file. */
export const importObjectsEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('progress'), done: z.number(), of: z.number() }),
  z.object({ type: z.literal('outcomes'), outcomes: z.array(filedOutcomeSchema) }),
]);
export type ImportObjectsEvent = Shape<typeof importObjectsEventSchema>;

export { objectChangeSchema, objectDocumentSchema, objectKindsSchema, objectPageSchema, plannedChangeSchema };
