import { z } from 'zod';
import { connectionIdSchema } from '../../common/api.ts';
import {
  changeObjectSchema,
  exportObjectsSchema,
  exportedObjectsSchema,
  getObjectSchema,
  importObjectsEventSchema,
  importObjectsSchema,
  listObjectsSchema,
  objectChangeSchema,
  objectDocumentSchema,
  objectKindsSchema,
  objectPageSchema,
  changedObjectSchema,
  placeHitSchema,
  plannedChangeSchema,
} from '../../common/objects.ts';
import { answersWith, passesOn, streams } from './procedureAnswer.ts';
import { NEVER, procedure, router } from './trpc.ts';

/** Named objects of a database. A document is sent as a body: it can be longer than an address. */
export const objectsRouter = router({
  kinds: procedure
    .input(connectionIdSchema)
    .output(passesOn(objectKindsSchema))
    .query(({ ctx, input, signal }) => ctx.namedObjects.kinds(input.connectionId, signal ?? NEVER)),
  list: procedure
    .input(listObjectsSchema)
    .output(passesOn(objectPageSchema))
    .query(({ ctx, input, signal }) => ctx.namedObjects.list(input, signal ?? NEVER)),
  get: procedure
    .input(getObjectSchema)
    .output(passesOn(objectDocumentSchema))
    .query(({ ctx, input, signal }) => ctx.namedObjects.get(input, signal ?? NEVER)),
  plan: procedure
    .input(changeObjectSchema)
    .output(passesOn(plannedChangeSchema))
    .mutation(({ ctx, input, signal }) => ctx.namedObjects.plan(input, signal ?? NEVER)),
  placesHits: procedure
    .input(connectionIdSchema)
    .output(answersWith(z.boolean()))
    .query(({ ctx, input, signal }) => ctx.namedObjects.placesHits(input.connectionId, signal ?? NEVER)),
  placeHit: procedure
    .input(placeHitSchema)
    .output(passesOn(objectChangeSchema))
    .mutation(({ ctx, input, signal }) => ctx.namedObjects.placeHit(input, signal ?? NEVER)),
  change: procedure
    .input(changeObjectSchema)
    .output(answersWith(changedObjectSchema))
    .mutation(({ ctx, input, signal }) => ctx.namedObjects.apply(input, signal ?? NEVER)),
  export: procedure
    .input(exportObjectsSchema)
    .output(answersWith(exportedObjectsSchema))
    .query(({ ctx, input, signal }) => ctx.namedObjects.export(input, signal ?? NEVER)),
  import: procedure
    .input(importObjectsSchema)
    .output(streams(importObjectsEventSchema))
    .mutation(({ ctx, input, signal }) => ctx.namedObjects.import(input, signal ?? NEVER)),
});
