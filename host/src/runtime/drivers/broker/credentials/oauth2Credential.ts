import * as oauth from 'oauth4webapi';
import { DriverError } from '@tabularium/sdk';
import { RepeatedSecret } from '../repeatedSecret.ts';
import type { RequestCredential } from './requestCredential.ts';

/** A token server, and a client that is registered there. */
export interface OAuth2Options {
  readonly tokenUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clientIn: 'basic' | 'body';
  readonly scope: string;
  readonly audience: string;
}

/** Milliseconds until a token server must have answered. */
const TIMEOUT = 15_000;
/** A token is replaced this long before its end. Milliseconds. */
const MARGIN = 30_000;
/** Where a server doesn't say how long its token is good for. Milliseconds. */
const UNSAID_LIFETIME = 5 * 60_000;
/** Bytes of a token server's answer. */
const LARGEST_ANSWER = 64 * 1024;

interface Token {
  readonly text: string;
  readonly until: number;
  readonly sought: RepeatedSecret;
}

/** An access token by client credentials (RFC 6749, 4.4). One is asked for at a time, and serves until shortly before its end. */
export function oauth2Credential(options: OAuth2Options, now: () => number = Date.now): RequestCredential {
  const secret = new RepeatedSecret(options.clientSecret);
  const closing = new AbortController();
  let token: Token | undefined;
  let asking: Promise<Token> | undefined;
  const ask = async (): Promise<Token> => {
    const answer = await tokenFrom(options, closing.signal);
    const lifetime = answer.expires_in === undefined ? UNSAID_LIFETIME : answer.expires_in * 1_000;
    // Of a token that is good for less than the margin half is used.
    const until = now() + Math.max(lifetime - MARGIN, lifetime / 2);
    token = { text: answer.access_token, until, sought: new RepeatedSecret(answer.access_token) };
    return token;
  };
  return {
    async apply(request, signal) {
      if (token === undefined || now() >= token.until) {
        if (asking === undefined) {
          asking = ask().finally(() => {
            asking = undefined;
          });
          // Every request that waits gets the error; all of them may have been cancelled.
          asking.catch(() => undefined);
        }
        // Several requests wait for the same token; one that is cancelled stops waiting alone.
        token = await abortable(asking, signal);
      }
      request.headers.set('authorization', `Bearer ${token.text}`);
    },
    isIn: (text) => secret.isIn(text) || token?.sought.isIn(text) === true,
    renew: () => {
      const had = token !== undefined;
      token = undefined;
      return had;
    },
    close: async () => closing.abort(new DriverError('CANCELLED', 'The session was closed.')),
  };
}

async function tokenFrom(options: OAuth2Options, signal: AbortSignal): Promise<oauth.TokenEndpointResponse> {
  const { tokenUrl, clientId, clientSecret, clientIn, scope, audience } = options;
  const client: oauth.Client = { client_id: clientId };
  const server: oauth.AuthorizationServer = { issuer: tokenUrl.origin, token_endpoint: tokenUrl.href };
  const parameters = new URLSearchParams({ ...(scope === '' ? {} : { scope }), ...(audience === '' ? {} : { audience }) });
  const authentication = clientIn === 'basic' ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
  try {
    const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
      [oauth.allowInsecureRequests]: tokenUrl.protocol === 'http:',
      [oauth.customFetch]: boundedFetch,
    });
    return await oauth.processClientCredentialsResponse(server, client, response);
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw tokenError(tokenUrl, error);
  }
}

/** Follows no redirect: the secret is for the token URL alone. */
async function boundedFetch(url: string, options: oauth.CustomFetchOptions<'POST', URLSearchParams>): Promise<Response> {
  const { method, headers: sent, body, signal } = options;
  const response = await fetch(url, {
    method,
    headers: sent,
    body,
    redirect: 'manual',
    ...(signal === undefined ? {} : { signal }),
  });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += (chunk as Uint8Array).length;
    if (length > LARGEST_ANSWER) throw new TypeError('the answer is too large');
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(status === 204 || status === 304 ? null : Buffer.concat(chunks), { status, headers });
}

/** Codes of RFC 6749, 5.2, which are safe to say. The description is the server's, and could hold anything. */
const KNOWN_CODES = new Set([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
]);

function tokenError(tokenUrl: URL, error: unknown): DriverError {
  const { host } = tokenUrl;
  if (error instanceof oauth.ResponseBodyError) {
    const code = KNOWN_CODES.has(error.error) ? error.error : `status ${error.status}`;
    return new DriverError('ACCESS_REFUSED', `The token server ${host} refused the client's credentials (${code}).`, {
      details: { advice: "Check the client's id, its secret and the scope." },
    });
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return new DriverError('ACCESS_REFUSED', `The token server ${host} refused the client's credentials.`);
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new DriverError('TIMEOUT', `The token server ${host} did not answer within ${TIMEOUT / 1_000} s.`);
  if (error instanceof oauth.OperationProcessingError)
    return new DriverError('CONNECTION_REFUSED', `${host} did not answer as a token server does. Check the token URL.`);
  return new DriverError('CONNECTION_REFUSED', `The token server ${host} could not be reached.`);
}

async function abortable<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const cancelled = Promise.withResolvers<never>();
  const onAbort = (): void => cancelled.reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([promise, cancelled.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
