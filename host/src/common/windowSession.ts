import { z } from 'zod';

// How a window of a browser finds back to its host after the host was restarted. The host keeps the public key of each window; the window keeps
// the private one, which never leaves the browser, and signs what the new host asks. Neither sends a secret.

/** Below the window's own path: which run of the host answers. */
export const SESSION_PATH = 'session';
/** Below the window's own path: takes the window's public key. */
export const SESSION_KEY_PATH = 'session/key';
/** Below the window's own path: ends the session, and forgets its key. */
export const SESSION_END_PATH = 'session/end';
/** Below the root of the origin, where a browser sends no cookie. */
export const CHALLENGE_PATH = '/resume/challenge';
export const RESUME_PATH = '/resume';

const coordinate = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const random = z.string().regex(/^[A-Za-z0-9_-]{43}$/);

/** A public key of ECDSA on P-256, as a JSON Web Key has it. */
export const publicKeySchema = z.object({ x: coordinate, y: coordinate });
export type PublicKey = z.infer<typeof publicKeySchema>;

/** Which run of the host answers. Each run has its own random value. */
export const sessionRunSchema = z.object({ run: random });

/** The answer to a new key: `recognition` is the SHA-256 of the value that the host shows after a restart, as its proof. */
export const savedSessionSchema = sessionRunSchema.extend({ recognition: random });

export const resumeChallengeSchema = z.object({ nonce: z.string().max(200) });

/** `session` is the SHA-256 of the window's path. The signature is of {@link resumeStatement}. */
export const resumeRequestSchema = z.object({
  session: random,
  nonce: z.string().max(200),
  signature: z.string().regex(/^[A-Za-z0-9_-]{86}$/),
});

/** The window's new path, the value that proves the host, and what the host will prove itself with the next time. */
export const resumedSchema = savedSessionSchema.extend({
  path: z.string().regex(/^\/w\/[A-Za-z0-9_-]{43}\/$/),
  proof: random,
});
export type Resumed = z.infer<typeof resumedSchema>;

/** The text that a window signs. It names the origin, so that a program at another port can't pass the signature on. */
export function resumeStatement(origin: string, nonce: string): string {
  return `tabularium window session\n${origin}\n${nonce}`;
}
