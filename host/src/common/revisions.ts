import { z } from 'zod';
import type { Shape } from './shape.ts';

const revision = z.int().nonnegative();

/** How often each kind of saved thing has changed since the host started. */
export const revisionsSchema = z.object({
  /** The answer to the offer of the tour. */
  application: revision,
  connections: revision,
  /** Installed drivers, publishers, and the permissions that persons have given. */
  drivers: revision,
});
export type Revisions = Shape<typeof revisionsSchema>;
