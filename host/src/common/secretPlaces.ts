import { z } from 'zod';
import type { Shape } from './shape.ts';

/** Where secrets can be. */
export const SECRET_PLACES = ['keyring', 'file', 'environment'] as const;
export type SecretPlaceName = (typeof SECRET_PLACES)[number];

/** How a change of place ended. */
export const movedSecretsSchema = z.object({
  place: z.enum(SECRET_PLACES),
  /** The encrypted file; absolute. */
  file: z.string().nullable(),
  /** How many were taken along. */
  moved: z.number().int(),
  /** How many were not there, or stay in the place before. */
  left: z.number().int(),
  /** The variables that the host reads from now on for what was stored before. */
  variables: z.array(z.string()),
  /** How many are in an encrypted file that no choice named and that is used again. */
  takenUp: z.number().int(),
});
export type MovedSecrets = Shape<typeof movedSecretsSchema>;
