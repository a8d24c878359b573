import type { ExternalClient } from '../access/externalClient.ts';
import type { TokenStore } from '../access/tokenStore.ts';
import { MCP_CODES } from '../server/codes.ts';
import { errorAnswer } from './answers.ts';
import type { RpcId } from './answers.ts';
import type { Lockout } from './lockout.ts';

export type Authentication =
  { readonly ok: true; readonly principal: ExternalClient } | { readonly ok: false; readonly answer: Response };

const BEARER = /^Bearer +([^\s]+) *$/i;
/** A loopback address of the server's own making, so it needs no quoting. */
const challenge = (metadataUrl: string): string => `Bearer realm="Tabularium", resource_metadata="${metadataUrl}"`;

/**
 * Proves for whom a request speaks. Asked for every request: a session or a connection proves nothing.
 *
 * @param metadataUrl - where a client without a good token reads how to get one
 */
const SWITCHED_OFF =
  'Unauthenticated: sign-in with OAuth is switched off. Switch it on under Authentication in the settings of Tabularium, or create a token there.';

export function authenticate(
  authorization: string | undefined,
  tokens: Pick<TokenStore, 'verify'>,
  lockout: Lockout,
  metadataUrl: string,
): Authentication {
  const text = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (text === undefined) {
    const message = 'Unauthenticated: send a token as "Authorization: Bearer …". Create one in the settings of Tabularium.';
    return { ok: false, answer: unauthenticated(message, challenge(metadataUrl)) };
  }
  const verification = tokens.verify(text);
  switch (verification.outcome) {
    case 'valid':
      return { ok: true, principal: verification.principal };
    case 'expired':
      return { ok: false, answer: invalidToken('The token has expired', metadataUrl) };
    case 'switchedOff':
      return { ok: false, answer: unauthenticated(SWITCHED_OFF, challenge(metadataUrl)) };
    case 'revoked':
      return { ok: false, answer: revokedToken(metadataUrl) };
    case 'unknown': {
      const seconds = lockout.countWrong();
      return { ok: false, answer: seconds > 0 ? lockedOut(seconds) : invalidToken('The token is unknown', metadataUrl) };
    }
  }
}

/** The answer to a request whose token has been revoked, before it or in the midst of it. @param id - of the request, where it is known */
export function revokedToken(metadataUrl: string, id?: RpcId): Response {
  return invalidToken('The token has been revoked', metadataUrl, id);
}

function invalidToken(description: string, metadataUrl: string, id?: RpcId): Response {
  return unauthenticated(
    `Unauthenticated: ${description.replace(/^T/, 't')}. Create one in the settings or with "tabularium tokens create".`,
    `${challenge(metadataUrl)}, error="invalid_token", error_description="${description}"`,
    id,
  );
}

function unauthenticated(message: string, authenticate: string, id?: RpcId): Response {
  return errorAnswer(401, MCP_CODES.unauthenticated, message, { id, headers: { 'www-authenticate': authenticate } });
}

function lockedOut(seconds: number): Response {
  return errorAnswer(429, MCP_CODES.rateLimited, `Rate limited: too many wrong tokens. Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
    data: { retryAfterSeconds: seconds },
  });
}
