import { z } from 'zod';
import type { Shape } from './shape.ts';

/** How a person signs in: in a browser of this computer, or with a code on any device. */
export const signInWaySchema = z.enum(['browser', 'device']);
export type SignInWay = z.output<typeof signInWaySchema>;

export const signInSchema = z.object({
  connectionId: z.uuid(),
  /** Left out: in a browser where the driver has that, else with a code. */
  way: signInWaySchema.optional(),
});

/** A step of signing in. None holds a token. */
export const signInStepSchema = z.discriminatedUnion('step', [
  /** The person opens the address in a browser of this computer. */
  z.object({ step: z.literal('browser'), address: z.string() }),
  /** The person opens the address on any device and enters the code. */
  z.object({
    step: z.literal('device'),
    address: z.string(),
    code: z.string(),
    completeAddress: z.string().optional(),
    /** Milliseconds since 1970. */
    expiresAt: z.number(),
  }),
  /** The refresh token is stored there. */
  z.object({ step: z.literal('signedIn'), storedIn: z.enum(['store', 'session']) }),
]);
export type SignInStep = Shape<typeof signInStepSchema>;

/** Whether a refresh token was there, and whether the provider confirmed that it revoked it. */
export const signedOutSchema = z.object({ wasSignedIn: z.boolean(), revoked: z.boolean() });
export type SignedOut = Shape<typeof signedOutSchema>;
