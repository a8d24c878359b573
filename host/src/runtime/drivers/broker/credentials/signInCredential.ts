import { RepeatedSecret } from '../repeatedSecret.ts';
import type { SignedInTokens } from '../../../credentials/signedInTokens.ts';
import { abortable } from './abortable.ts';
import type { RequestCredential } from './requestCredential.ts';
import { isSignInEnded, refreshTokens } from './signInClient.ts';
import type { SignInClient } from './signInClient.ts';
import { assertUsable } from './tokenServer.ts';

/** The access token of a person who has signed in. It is refreshed before its end, and after the server has refused it. */
export function signInCredential(client: SignInClient, tokens: SignedInTokens, now: () => number = Date.now): RequestCredential {
  const sought = new Map<string, RepeatedSecret>();
  const constant = client.clientSecret === undefined || client.clientSecret === '' ? [] : [client.clientSecret];
  let last: string | undefined;
  return {
    async apply(request, signal) {
      const asked = tokens.access((refreshToken) => refreshTokens(client, refreshToken, now()), isSignInEnded);
      last = await abortable(asked, signal);
      // Only here: the answer may have had the next refresh token, which must be stored.
      assertUsable(client.tokenUrl, last);
      request.headers.set('authorization', `Bearer ${last}`);
    },
    isIn: (text, as) => {
      const values = [...constant, ...tokens.values, ...(last === undefined ? [] : [last])];
      for (const value of sought.keys()) if (!values.includes(value)) sought.delete(value);
      return values.some((value) => {
        const secret = sought.get(value) ?? new RepeatedSecret(value);
        sought.set(value, secret);
        return secret.isIn(text, as);
      });
    },
    renew: () => last !== undefined && tokens.refuse(last),
  };
}
