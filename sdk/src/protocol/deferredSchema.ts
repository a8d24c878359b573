import { z } from 'zod';

/**
 * A schema that is made at its first use. Every start of a driver's process would pay for all schemas of the wire, and the first calls of a
 * session need few of them.
 */
export function deferredSchema<Schema extends z.ZodType>(make: () => Schema): z.ZodLazy<Schema> {
  let made: Schema | undefined;
  // Always the same one: what bounds a schema (boundedSchema.ts) changes its parts.
  return z.lazy(() => (made ??= make()));
}
