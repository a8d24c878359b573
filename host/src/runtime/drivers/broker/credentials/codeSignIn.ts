import * as oauth from 'oauth4webapi';
import { DriverError } from '@tabularium/sdk';
import { abortable } from './abortable.ts';
import { loopbackRedirect } from './loopbackRedirect.ts';
import { authenticationOf, newSignInOf, requestedParameters, serverOf } from './signInClient.ts';
import type { NewSignIn, SignInClient } from './signInClient.ts';
import { tokenError, tokenRequestOptions } from './tokenServer.ts';

/** Milliseconds that a person has for signing in. */
const PATIENCE = 5 * 60_000;
const NEVER = new AbortController().signal;

/**
 * Signs a person in by authorization code with PKCE (RFC 8252, RFC 7636). One that is cancelled while the provider gives the tokens returns them all the
 * same: the caller revokes what it doesn't use.
 *
 * @param show - opens the address in the person's browser, or shows it
 * @throws DriverError `ACCESS_REFUSED`, `TIMEOUT`, `CANCELLED`, and the errors of a token server
 */
export async function codeSignIn(
  client: SignInClient & { readonly authorizationUrl: URL },
  show: (address: string) => void,
  signal: AbortSignal,
  patience = PATIENCE,
): Promise<NewSignIn> {
  const { authorizationUrl, tokenUrl, clientId } = client;
  const provider = authorizationUrl.host;
  const state = oauth.generateRandomState();
  const verifier = oauth.generateRandomCodeVerifier();
  const challenge = await oauth.calculatePKCECodeChallenge(verifier);
  const redirect = await loopbackRedirect(state);
  try {
    const address = new URL(authorizationUrl);
    const parameters = {
      ...requestedParameters(client),
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirect.uri,
      state,
      code_challenge: challenge,
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    show(address.href);
    const late = AbortSignal.timeout(patience);
    let answer: URLSearchParams;
    try {
      answer = await abortable(redirect.answer, AbortSignal.any([signal, late]));
    } catch (error) {
      if (signal.aborted || !late.aborted) throw error;
      throw new DriverError('TIMEOUT', timeoutSentence(provider, patience, redirect.ignored()), {
        details: { advice: 'Sign in again.' },
      });
    }
    requireGoodAnswer(client, answer, provider);
    const server = { ...serverOf(client), issuer: answer.get('iss') ?? serverOf(client).issuer };
    const registered: oauth.Client = { client_id: clientId };
    const accepted = oauth.validateAuthResponse(server, registered, answer, state);
    const authentication = authenticationOf(client);
    let account: string | undefined;
    try {
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        registered,
        authentication,
        accepted,
        redirect.uri,
        verifier,
        // Not cancelled: the provider may have given tokens already, which nothing could revoke then.
        tokenRequestOptions(tokenUrl, NEVER, (name) => (account = name)),
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, registered, response);
      return newSignInOf(client, tokens, account, Date.now());
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw tokenError(tokenUrl, error);
    }
  } finally {
    redirect.close();
  }
}

function timeoutSentence(provider: string, patience: number, ignored: number): string {
  const sentence = `${provider} did not answer the sign-in within ${Math.round(patience / 1_000)} s.`;
  return ignored === 0 ? sentence : `${sentence} Answers that belong to another sign-in came and were ignored (${ignored}).`;
}

/** RFC 6749, 4.1.2.1: of an error that a provider sends the code alone is said, where it is a known one. */
const ERRORS: Readonly<Record<string, string>> = {
  access_denied: 'The sign-in was denied',
  invalid_scope: 'The provider rejected the scope',
  unauthorized_client: "The provider doesn't allow this client to sign in like this",
  invalid_request: 'The provider rejected the request',
  unsupported_response_type: "The provider doesn't support this kind of sign-in",
  server_error: 'The provider failed',
  temporarily_unavailable: 'The provider is temporarily unavailable',
};

function requireGoodAnswer({ issuer, authorizationUrl }: SignInClient, answer: URLSearchParams, provider: string): void {
  // Before anything in it counts: another provider may have answered (a mix-up).
  const [iss, ...more] = answer.getAll('iss');
  const isExpected =
    iss === undefined || (issuer === '' ? URL.canParse(iss) && new URL(iss).origin === authorizationUrl?.origin : iss === issuer);
  if (more.length > 0 || !isExpected)
    throw new DriverError('ACCESS_REFUSED', `The answer to the sign-in names another issuer than ${provider}.`, {
      details: { advice: 'Check the addresses of the provider. Sign in again only if they are right.' },
    });
  const error = answer.get('error');
  if (error !== null)
    throw new DriverError(
      'ACCESS_REFUSED',
      `${Object.hasOwn(ERRORS, error) ? ERRORS[error] : 'The provider refused the sign-in'} (${provider}).`,
    );
  const codes = answer.getAll('code');
  if (codes.length !== 1 || codes[0] === '')
    throw new DriverError(
      'BAD_ANSWER',
      `The answer of ${provider} to the sign-in has ${codes.length > 1 ? 'several codes' : 'no code'}.`,
    );
}
