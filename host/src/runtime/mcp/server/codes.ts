import { ProtocolError } from '@modelcontextprotocol/server';
import { notReachable } from '../access/policy.ts';

/** JSON-RPC error codes of this server. The protocol's own keep their numbers; ours lie outside the range that it reserves. */
export const MCP_CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internal: -32_603,
  unavailable: -33_000,
  sessionNotFound: -33_001,
  failed: -33_002,
  tooLarge: -33_005,
  forbidden: -33_007,
  unauthenticated: -33_009,
  rateLimited: -33_010,
} as const;

/** The protocol versions that this server speaks, newest first. */
export const SUPPORTED_VERSIONS = ['2026-07-28', '2025-11-25', '2025-06-18'] as const;
/** Those that begin with `initialize` and continue in a session. */
export const SESSION_VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18'];
/** Published versions that are refused. An unknown version is answered with a counter-offer instead, as the protocol requires. */
export const REFUSED_VERSIONS: readonly string[] = ['2025-03-26', '2024-11-05', '2024-10-07'];

/** The answer to a client that names a connection which does not exist for it. */
export function forbidden(more = ''): ProtocolError {
  const { message, advice } = notReachable();
  return new ProtocolError(MCP_CODES.forbidden, `Forbidden: ${message.replace(/^T/, 't')} ${advice}${more}`);
}
