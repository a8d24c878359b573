import * as oauth from 'oauth4webapi';
import { DriverError } from '@tabularium/sdk';
import type { RefreshedTokens, SignInFacts } from '../../../credentials/signedInTokens.ts';
import { clientAuthentication, replacedAt, tokenError, tokenRequestOptions } from './tokenServer.ts';

/** A provider that a person signs in at, and the client that the host is there. */
export interface SignInClient {
  readonly tokenUrl: URL;
  readonly authorizationUrl: URL | undefined;
  readonly deviceUrl: URL | undefined;
  readonly revocationUrl: URL | undefined;
  /** Empty where the manifest declares none. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly clientIn: 'basic' | 'body';
  readonly scope: string;
  readonly audience: string;
}

/** The advice of every error that only a person at this computer can resolve. External clients read it, too, so it names no address of the provider. */
export const SIGN_IN_ADVICE =
  'The person at this computer has to sign in: in the window of Tabularium, which asks for it, or with "tabularium connections sign-in NAME".';

/** The provider as the library describes one. */
export function serverOf(client: SignInClient): oauth.AuthorizationServer {
  const { tokenUrl, deviceUrl, revocationUrl, issuer } = client;
  return {
    issuer: issuer === '' ? tokenUrl.origin : issuer,
    token_endpoint: tokenUrl.href,
    ...(deviceUrl === undefined ? {} : { device_authorization_endpoint: deviceUrl.href }),
    ...(revocationUrl === undefined ? {} : { revocation_endpoint: revocationUrl.href }),
  };
}

export function authenticationOf({ clientSecret, clientIn }: SignInClient): oauth.ClientAuth {
  return clientAuthentication(clientSecret, clientIn);
}

/** The scope and audience of a request, where there are any. */
export function requestedParameters({ scope, audience }: SignInClient): Record<string, string> {
  return { ...(scope === '' ? {} : { scope }), ...(audience === '' ? {} : { audience }) };
}

/** The tokens and facts that a person has after signing in. */
export interface NewSignIn {
  readonly refreshToken: string;
  readonly facts: SignInFacts;
}

/** @throws DriverError `ACCESS_REFUSED` where the server gave no refresh token */
export function newSignInOf(
  { tokenUrl }: SignInClient,
  answer: oauth.TokenEndpointResponse,
  account: string | undefined,
  now: number,
): NewSignIn {
  const { refresh_token: token } = answer;
  if (token !== undefined && token !== '') return { refreshToken: token, facts: factsOf(answer, account, now) };
  throw new DriverError('ACCESS_REFUSED', `${tokenUrl.host} gave no refresh token, so the sign-in would last for minutes.`, {
    details: { advice: 'Ask for a scope that allows it, often "offline_access", and sign in again.' },
  });
}

/** How providers say when a refresh token ends; there is no standard for it. Seconds. */
const REFRESH_TOKEN_LIFETIMES = ['refresh_token_expires_in', 'refresh_expires_in'];

function factsOf(answer: oauth.TokenEndpointResponse, account: string | undefined, now: number): SignInFacts {
  const lifetime = REFRESH_TOKEN_LIFETIMES.map((name): unknown => answer[name]).find(
    (value): value is number => typeof value === 'number' && value > 0 && value < 100 * 366 * 24 * 3_600,
  );
  return {
    ...(account === undefined ? {} : { account }),
    ...(lifetime === undefined ? {} : { until: now + lifetime * 1_000 }),
  };
}

const ENDED = Symbol('ended');

/** Whether an error of {@link refreshTokens} says that the person has to sign in again. */
export function isSignInEnded(error: unknown): boolean {
  return error instanceof DriverError && error.cause === ENDED;
}

/** An access token for a refresh token (RFC 6749, 6). */
export async function refreshTokens(client: SignInClient, refreshToken: string, now: number): Promise<RefreshedTokens> {
  const { tokenUrl } = client;
  const server = serverOf(client);
  const registered: oauth.Client = { client_id: client.clientId };
  let account: string | undefined;
  try {
    const response = await oauth.refreshTokenGrantRequest(server, registered, authenticationOf(client), refreshToken, {
      // Not cancelled with a session: an answer that nothing takes could be the only one with the next refresh token.
      ...tokenRequestOptions(tokenUrl, new AbortController().signal, (name) => (account = name)),
    });
    const answer = await oauth.processRefreshTokenResponse(server, registered, response);
    const next = answer.refresh_token;
    return {
      accessToken: answer.access_token,
      until: replacedAt(answer.expires_in, now),
      facts: factsOf(answer, account, now),
      ...(next === undefined || next === '' ? {} : { refreshToken: next }),
    };
  } catch (error) {
    if (error instanceof oauth.ResponseBodyError && error.error === 'invalid_grant')
      // Not ACCESS_REFUSED: drivers take that for a permission that an account lacks, and answer with less than there is.
      throw new DriverError('CREDENTIALS_MISSING', 'The sign-in of this connection has expired or was revoked.', {
        details: { advice: SIGN_IN_ADVICE },
        cause: ENDED,
      });
    throw tokenError(tokenUrl, error);
  }
}

/**
 * Ends a refresh token at the provider (RFC 7009).
 *
 * @returns whether the provider confirmed it; false where the driver names no address for that
 * @throws DriverError of the provider, the signal's reason
 */
export async function revokeToken(client: SignInClient, refreshToken: string, signal: AbortSignal): Promise<boolean> {
  const { revocationUrl } = client;
  if (revocationUrl === undefined) return false;
  try {
    const response = await oauth.revocationRequest(
      serverOf(client),
      { client_id: client.clientId },
      authenticationOf(client),
      refreshToken,
      {
        ...tokenRequestOptions(revocationUrl, signal),
        additionalParameters: { token_type_hint: 'refresh_token' },
      },
    );
    await oauth.processRevocationResponse(response);
    return true;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw tokenError(revocationUrl, error);
  }
}
