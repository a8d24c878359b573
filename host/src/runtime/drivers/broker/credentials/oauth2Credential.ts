import * as oauth from 'oauth4webapi';
import { DriverError } from '@tabularium/sdk';
import { RepeatedSecret } from '../repeatedSecret.ts';
import { abortable } from './abortable.ts';
import type { RequestCredential } from './requestCredential.ts';
import { assertUsable, clientAuthentication, replacedAt, tokenError, tokenRequestOptions } from './tokenServer.ts';

/** A token server, and a client that is registered there. */
export interface OAuth2Options {
  readonly tokenUrl: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clientIn: 'basic' | 'body';
  readonly scope: string;
  readonly audience: string;
}

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
    const until = replacedAt(answer.expires_in, now());
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
    isIn: (text, as) => secret.isIn(text, as) || token?.sought.isIn(text, as) === true,
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
  const authentication = clientAuthentication(clientSecret, clientIn);
  try {
    const response = await oauth.clientCredentialsGrantRequest(server, client, authentication, parameters, {
      ...tokenRequestOptions(tokenUrl, signal),
    });
    const answer = await oauth.processClientCredentialsResponse(server, client, response);
    assertUsable(tokenUrl, answer.access_token);
    return answer;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw tokenError(tokenUrl, error);
  }
}
