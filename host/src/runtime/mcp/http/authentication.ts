import type { ExternalClient } from '../access/externalClient.ts';
import type { TokenStore } from '../access/tokenStore.ts';
import { MCP_CODES } from '../server/codes.ts';
import { errorAnswer } from './answers.ts';
import type { RpcId } from './answers.ts';
import type { Lockout } from './lockout.ts';

export type Authentication =
  { readonly ok: true; readonly principal: ExternalClient } | { readonly ok: false; readonly answer: Response };

const BEARER = /^Bearer +([^\s]+) *$/i;
const REALM = 'Bearer realm="Tabularium"';

/** Proves for whom a request speaks. Asked for every request: a session or a connection proves nothing. */
export function authenticate(
  authorization: string | undefined,
  tokens: Pick<TokenStore, 'verify'>,
  lockout: Lockout,
): Authentication {
  const text = authorization === undefined ? undefined : BEARER.exec(authorization)?.[1];
  if (text === undefined) {
    return { ok: false, answer: unauthenticated('Unauthenticated: send a token as "Authorization: Bearer …".', REALM) };
  }
  const verification = tokens.verify(text);
  switch (verification.outcome) {
    case 'valid':
      return { ok: true, principal: verification.principal };
    case 'expired':
      return { ok: false, answer: invalidToken('The token has expired') };
    case 'revoked':
      return { ok: false, answer: revokedToken() };
    case 'unknown': {
      const seconds = lockout.countWrong();
      return { ok: false, answer: seconds > 0 ? lockedOut(seconds) : invalidToken('The token is unknown') };
    }
  }
}

/** The answer to a request whose token has been revoked, before it or in the midst of it. @param id - of the request, where it is known */
export function revokedToken(id?: RpcId): Response {
  return invalidToken('The token has been revoked', id);
}

function invalidToken(description: string, id?: RpcId): Response {
  return unauthenticated(
    `Unauthenticated: ${description.replace(/^T/, 't')}. Create one in the settings or with "tabularium tokens create".`,
    `${REALM}, error="invalid_token", error_description="${description}"`,
    id,
  );
}

function unauthenticated(message: string, challenge: string, id?: RpcId): Response {
  return errorAnswer(401, MCP_CODES.unauthenticated, message, { id, headers: { 'www-authenticate': challenge } });
}

function lockedOut(seconds: number): Response {
  return errorAnswer(429, MCP_CODES.rateLimited, `Rate limited: too many wrong tokens. Try again in ${seconds} seconds.`, {
    headers: { 'retry-after': String(seconds) },
    data: { retryAfterSeconds: seconds },
  });
}
