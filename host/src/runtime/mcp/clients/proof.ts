import { createHmac } from 'node:crypto';
import { z } from 'zod';

/** Answered before authentication, and by nothing but a keyed hash. */
export const PROOF_PATH = '/proof';
/** A challenge has 150 bytes. */
export const LARGEST_CHALLENGE_BYTES = 1_024;

export const challengeSchema = z.strictObject({
  version: z.literal(1),
  instanceId: z.string(),
  /** 32 random bytes, chosen by the bridge for this connection. */
  nonce: z.string().regex(/^[\w-]{43}$/),
});
export type Challenge = z.output<typeof challengeSchema>;

/**
 * Proves knowledge of a handshake's secret. Bound to the port at which the challenge came in (so that a program at another port can't have
 * us sign for it), to the instance, and to the direction.
 */
export function handshakeProof(secret: string, port: number, { instanceId, nonce }: Challenge): string {
  return createHmac('sha256', Buffer.from(secret, 'hex'))
    .update(`tabularium mcp proof 1\nhost to bridge\n${port}\n${instanceId}\n${nonce}`)
    .digest('hex');
}
