import * as oauth from 'oauth4webapi';
import { DriverError } from '@tabularium/sdk';

/** Milliseconds until a token server must have answered. */
const TIMEOUT = 15_000;
/** Bytes of a token server's answer. */
const LARGEST_ANSWER = 64 * 1024;
/** A token is replaced this long before its end. Milliseconds. */
const MARGIN = 30_000;
/** Where a server doesn't say how long its token is good for. Milliseconds. */
const UNSAID_LIFETIME = 5 * 60_000;

/** When a token is to be replaced. Of a token that is good for less than the margin half is used. */
export function replacedAt(expiresIn: number | undefined, now: number): number {
  const lifetime = expiresIn === undefined ? UNSAID_LIFETIME : expiresIn * 1_000;
  return now + Math.max(lifetime - MARGIN, lifetime / 2);
}

export function clientAuthentication(clientSecret: string | undefined, clientIn: 'basic' | 'body'): oauth.ClientAuth {
  if (clientSecret === undefined || clientSecret === '') return oauth.None();
  return clientIn === 'basic' ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

/**
 * The options of each request to a token server: its time and its answer are bounded, and no redirect is followed.
 *
 * @param onAccount - gets the name in the ID token of an answer, where there is one
 */
export function tokenRequestOptions(url: URL, signal: AbortSignal, onAccount?: (account: string) => void) {
  return {
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)]),
    [oauth.allowInsecureRequests]: url.protocol === 'http:',
    [oauth.customFetch]: (address: string, options: oauth.CustomFetchOptions<'POST', URLSearchParams>) =>
      boundedFetch(address, options, onAccount),
  };
}

/** No response of these may be made with a body. */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** The characters of an access token (RFC 6749, A.12): no header carries others. */
const TOKEN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** @throws DriverError `BAD_ANSWER` for a token that no request can carry */
export function assertUsable(url: URL, accessToken: string): void {
  if (!TOKEN.test(accessToken))
    throw badAnswer(url, 'answered with an access token that no request can carry: it is empty, or has characters beyond ASCII');
}

function badAnswer({ host }: URL, answered: string): DriverError {
  return new DriverError('BAD_ANSWER', `The token server ${host} ${answered}.`, {
    details: { advice: 'Check the token URL. If it is right, ask the operator of the token server.' },
  });
}

/** Follows no redirect: the secret is for the token URL alone. */
async function boundedFetch(
  url: string,
  options: oauth.CustomFetchOptions<'POST', URLSearchParams>,
  onAccount: ((account: string) => void) | undefined,
): Promise<Response> {
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
    if (length > LARGEST_ANSWER) throw badAnswer(new URL(url), `answered with more than ${LARGEST_ANSWER / 1024} kB`);
    chunks.push(chunk);
  }
  const { status, headers } = response;
  return new Response(WITHOUT_BODY.has(status) ? null : withoutIdentity(Buffer.concat(chunks), onAccount), {
    status,
    headers,
  });
}

/**
 * An ID token that came along is left out before anything could rely on it: its signature isn't checked. The name in it is for the person who signed
 * in to see, and for nothing else.
 */
function withoutIdentity(body: Buffer, onAccount: ((account: string) => void) | undefined): string {
  const text = body.toString();
  if (!text.includes('id_token')) return text;
  try {
    const answer: unknown = JSON.parse(text);
    if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return text;
    const account = accountIn(Reflect.get(answer, 'id_token'));
    if (account !== undefined) onAccount?.(account);
    return JSON.stringify(Object.fromEntries(Object.entries(answer).filter(([name]) => name !== 'id_token')));
  } catch {
    return text;
  }
}

/** The claims of OpenID Connect that a person recognises their account by, the clearest first. */
const NAMES = ['preferred_username', 'email', 'name'];
const LONGEST_ID_TOKEN = 16_000;
const LONGEST_NAME = 200;

/** The name of the account in an ID token; undefined where it has none that can be shown. */
function accountIn(idToken: unknown): string | undefined {
  if (typeof idToken !== 'string' || idToken.length > LONGEST_ID_TOKEN) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());
    if (typeof claims !== 'object' || claims === null) return undefined;
    return NAMES.map((name): unknown => Reflect.get(claims, name)).find(
      (value): value is string => typeof value === 'string' && value.trim() !== '' && value.length <= LONGEST_NAME,
    );
  } catch {
    return undefined;
  }
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

/** The error of a request to a token server, without anything that the server wrote but a known code. */
export function tokenError(url: URL, error: unknown): DriverError {
  const { host } = url;
  if (error instanceof DriverError) return error;
  if (error instanceof oauth.ResponseBodyError) {
    const code = KNOWN_CODES.has(error.error) ? error.error : `status ${error.status}`;
    return new DriverError('ACCESS_REFUSED', `The token server ${host} refused the client's credentials (${code}).`, {
      details: { advice: "Check the client's id, its secret and the scope." },
    });
  }
  if (error instanceof oauth.WWWAuthenticateChallengeError)
    return new DriverError('ACCESS_REFUSED', `The token server ${host} refused the client's credentials.`);
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return new DriverError('TIMEOUT', `The token server ${host} did not answer within ${TIMEOUT / 1_000} s.`, {
      details: { advice: 'Check your network, then try again.' },
    });
  if (error instanceof oauth.UnsupportedOperationError)
    return badAnswer(url, 'answered with a token of a type that Tabularium does not support: it takes Bearer tokens');
  if (error instanceof oauth.OperationProcessingError)
    return new DriverError('CONNECTION_REFUSED', `${host} did not answer as a token server does. Check the token URL.`);
  return new DriverError('CONNECTION_REFUSED', `The token server ${host} could not be reached.`, {
    details: { advice: 'Check your network and the address of the token server, then try again.' },
  });
}
