import { z } from 'zod';
import { importFieldSchema } from '../../common/imports.ts';
import type { Shape } from '../../common/shape.ts';

/** A field of a mapping, with what the column that it goes to stores besides numbers. */
export const resolvedFieldSchema = importFieldSchema.extend({
  specialValues: z.array(z.string()).optional(),
  /** The first rows alone say that it has numbers: a text that only looks like one, such as 007, isn't made one. */
  isGuessed: z.literal(true).optional(),
});
export type ResolvedField = Shape<typeof resolvedFieldSchema>;
