import { z } from 'zod';
import { connectionInputSchema } from './connection.ts';
import type { Shape } from './shape.ts';

/** How a person signs in: in a browser of this computer, or with a code on any device. */
export const signInWaySchema = z.enum(['browser', 'device']);
export type SignInWay = z.output<typeof signInWaySchema>;

export const signInSchema = z.object({
  connectionId: z.uuid(),
  /** Left out: in a browser where the driver has that, else with a code. */
  way: signInWaySchema.optional(),
});

/** For a form that is not saved, or not saved as it is now. */
export const signInFormSchema = z.object({
  input: connectionInputSchema,
  /** The saved connection whose stored client secret replaces one that the form leaves out. */
  connectionId: z.uuid().optional(),
  way: signInWaySchema.optional(),
});
export type SignInForm = z.output<typeof signInFormSchema>;

/** A sign-in that the host holds for a form. */
export const signInTicketSchema = z.object({ ticket: z.uuid() });

/** Facts that the provider gives of a sign-in. */
const facts = {
  /** The name of the account. Text of the provider: it is shown, and decides nothing. */
  account: z.string().optional(),
  /** When the sign-in ends unless it is used. Milliseconds since 1970. */
  until: z.number().optional(),
};

/** Instructions to the person. None holds a token. */
const instructions = [
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
] as const;

/** A step of signing in to a saved connection. */
export const signInStepSchema = z.discriminatedUnion('step', [
  ...instructions,
  /** The refresh token is stored there. */
  z.object({ step: z.literal('signedIn'), storedIn: z.enum(['store', 'session']), ...facts }),
]);
export type SignInStep = Shape<typeof signInStepSchema>;

/** A step of signing in for a form. */
export const formSignInStepSchema = z.discriminatedUnion('step', [
  ...instructions,
  /** The host holds the sign-in until the form is saved with its ticket, or drops it. */
  z.object({ step: z.literal('held'), ticket: z.uuid(), ...facts }),
]);
export type FormSignInStep = Shape<typeof formSignInStepSchema>;

/** The sign-in of a saved connection, as far as the host can say without asking the provider. */
export const signInStateSchema = z.object({
  /** `out`: never signed in, or signed out, or signed in only until Tabularium stopped. `ended`: the provider takes the sign-in no more. */
  is: z.enum(['out', 'in', 'ended']),
  storedIn: z.enum(['store', 'session']).optional(),
  ...facts,
});
export type SignInState = Shape<typeof signInStateSchema>;

/** Whether a refresh token was there, and whether the provider confirmed that it revoked it. */
export const signedOutSchema = z.object({ wasSignedIn: z.boolean(), revoked: z.boolean() });
export type SignedOut = Shape<typeof signedOutSchema>;
