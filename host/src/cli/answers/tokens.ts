import { z } from 'zod';
import { tokenScopeSchema } from '../../common/access.ts';

// What hosts answer about tokens, as this version understands it.

export const tokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string(),
  scope: tokenScopeSchema,
  /** Ids. */
  connections: z.union([z.literal('all'), z.array(z.string())]),
  createdAt: z.string(),
  lastUsedAt: z.string().optional(),
  expiresAt: z.string().optional(),
  revokedAt: z.string().optional(),
});

export const mintedTokenSchema = z.object({ token: tokenSchema, text: z.string() });
