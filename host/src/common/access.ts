import { z } from 'zod';

/** Permissions of external clients for a connection. */
export const externalClientsSchema = z.enum(['blocked', 'readOnly', 'readWrite']);
export type ExternalClients = z.output<typeof externalClientsSchema>;

/** Whether an AI client may act on a connection: never, after a person agreed, or always. */
export const aiPolicySchema = z.enum(['never', 'askEachTime', 'alwaysAllow']);
export type AiPolicy = z.output<typeof aiPolicySchema>;

/** Permissions of a token, on top of each connection's own settings. */
export const tokenScopeSchema = z.enum(['readOnly', 'readWrite', 'fullAccess']);
export type TokenScope = z.output<typeof tokenScopeSchema>;

/** A connection's access settings. A new connection has the defaults. */
export const connectionAccessSchema = z.object({
  externalClients: externalClientsSchema.default('readOnly'),
  aiPolicy: aiPolicySchema.default('askEachTime'),
  /** Read-only mode: neither a person nor an external client changes data through the connection. Absent: off. */
  readOnly: z.boolean().optional(),
});
export type ConnectionAccess = z.output<typeof connectionAccessSchema>;

/**
 * The permissions that external clients really have for a connection: an AI policy of Never blocks them, and read-only mode leaves them reading. A test holds
 * it to the policy, which decides.
 */
export function effectiveExternalClients({ externalClients, aiPolicy, readOnly }: ConnectionAccess): ExternalClients {
  if (aiPolicy === 'never') return 'blocked';
  return readOnly === true && externalClients === 'readWrite' ? 'readOnly' : externalClients;
}
