import { z } from 'zod';
import { importFieldSchema } from '../../common/imports.ts';
import type { Shape } from '../../common/shape.ts';

/** A field of a mapping, with what the column that it goes to stores besides numbers. */
export const resolvedFieldSchema = importFieldSchema.extend({ specialValues: z.array(z.string()).optional() });
export type ResolvedField = Shape<typeof resolvedFieldSchema>;
