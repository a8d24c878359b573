import { z } from 'zod';
import { editedTableSchema } from './editing.ts';
import { MOST_WATCHED } from './mostWatched.ts';

// Apart from the types: the worker of the windows needs those alone, and is small without a validator.

export const watchTopicSchema = z.discriminatedUnion('is', [
  z.object({ is: z.literal('approvals') }),
  z.object({ is: z.literal('newSecrets') }),
  z.object({ is: z.literal('transfers') }),
  z.object({ is: z.literal('development') }),
  editedTableSchema.extend({ is: z.literal('stage') }),
]);
export const followSchema = z.object({ topics: z.array(watchTopicSchema).min(1).max(MOST_WATCHED) });
