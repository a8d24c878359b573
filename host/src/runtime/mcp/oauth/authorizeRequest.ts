import type { AuthorizationRequest } from './consentQueue.ts';
import type { OAuthClient } from './oauthClientStore.ts';
import type { Parameters } from './parameters.ts';
import { isRegisteredRedirect } from './redirectUri.ts';

const CHALLENGE = /^[\w-]{43}$/;
const SCOPE = /^[\x21\x23-\x5B\x5D-\x7E]{1,60}$/;
const MOST_SCOPES = 10;

/** `page`: said in the browser, for nothing is known of where it would be led. `redirect`: said to the client, at its registered address. */
export type ReadAuthorization =
  | { readonly kind: 'request'; readonly request: AuthorizationRequest }
  | { readonly kind: 'page'; readonly problem: 'client' | 'redirect' }
  | {
      readonly kind: 'redirect';
      readonly redirect: string;
      readonly error: string;
      readonly description: string;
      readonly state: string | undefined;
    };

export interface AuthorizeContext {
  readonly find: (clientId: string) => OAuthClient | undefined;
  readonly issuer: string;
  /** This server, as the request reached it. */
  readonly resource: string;
}

/** Reads a request for a sign-in. Until client and redirect are known to belong together, nothing leads anywhere. */
export function readAuthorization(parameters: Parameters, { find, issuer, resource }: AuthorizeContext): ReadAuthorization {
  const client = find(parameters.get('client_id') ?? '');
  if (client === undefined) return { kind: 'page', problem: 'client' };
  const redirect = parameters.get('redirect_uri') ?? '';
  if (!isRegisteredRedirect(redirect, client.redirects)) return { kind: 'page', problem: 'redirect' };
  const state = parameters.get('state');
  const fail = (error: string, description: string): ReadAuthorization => ({
    kind: 'redirect',
    redirect,
    error,
    description,
    state,
  });
  if (parameters.get('response_type') !== 'code') return fail('unsupported_response_type', 'response_type must be code');
  const challenge = parameters.get('code_challenge') ?? '';
  if (parameters.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(challenge)) {
    return fail('invalid_request', 'PKCE is needed: a code_challenge with the method S256');
  }
  if (!isThisServer(parameters.get('resource'), resource)) {
    return fail('invalid_target', `resource must be ${resource}`);
  }
  const scopes = (parameters.get('scope') ?? '').split(' ').filter((scope) => SCOPE.test(scope));
  return {
    kind: 'request',
    request: { client, redirect, challenge, scopes: [...new Set(scopes)].slice(0, MOST_SCOPES), state, resource, issuer },
  };
}

/** Whether a token is asked for this server (RFC 8707). This server gives none for another one, so a client that names none means it. */
export function isThisServer(named: string | undefined, resource: string): boolean {
  return named === undefined || named.toLowerCase().replace(/\/$/, '') === resource;
}
