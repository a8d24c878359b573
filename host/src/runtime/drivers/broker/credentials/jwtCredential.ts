import { createPrivateKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { RepeatedSecret } from '../repeatedSecret.ts';
import type { RequestCredential } from './requestCredential.ts';

/** The claims that a token has beside `iat` and `exp`, and how it is signed. */
export interface JwtOptions {
  readonly algorithm: 'RS256' | 'ES256';
  readonly keyId: string;
  readonly claims: Readonly<Record<string, string>>;
  readonly lifetimeSeconds: number;
}

/** Before its end a token is replaced: what is left must be enough for a request, and for a clock that is slow. Seconds. */
const MARGIN = 30;

/** A JSON Web Token (RFC 7519) as a bearer token. One serves until shortly before its end. */
export function jwtCredential(key: KeyObject, options: JwtOptions, now: () => number = Date.now): RequestCredential {
  const { algorithm, keyId, claims, lifetimeSeconds } = options;
  let token: { readonly text: Promise<string>; readonly until: number; sought?: RepeatedSecret } | undefined;
  const sign = async (issuedAt: number): Promise<string> =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...(keyId === '' ? {} : { kid: keyId }) })
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(key);
  return {
    async apply(request) {
      const seconds = Math.floor(now() / 1_000);
      if (token === undefined || seconds >= token.until)
        token = { text: sign(seconds), until: seconds + lifetimeSeconds - MARGIN };
      const used = token;
      const text = await used.text;
      used.sought ??= new RepeatedSecret(text);
      request.headers.set('authorization', `Bearer ${text}`);
    },
    isIn: (text, as) => token?.sought?.isIn(text, as) === true,
    renew: () => {
      const had = token !== undefined;
      token = undefined;
      return had;
    },
  };
}

/**
 * A private key in PEM. A field of one line loses its line breaks, so they are not needed.
 *
 * @returns undefined for a text that isn't a private key, for one that is encrypted, or is of another kind than the algorithm needs
 */
export function privateKeyOf(pem: string, algorithm: JwtOptions['algorithm']): KeyObject | undefined {
  const [, label = '', body = ''] = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----([\sA-Za-z0-9+/=\\]*?)-----END \1-----/.exec(pem) ?? [];
  // Keys out of JSON have their line breaks as two characters.
  const bare = body.replaceAll(String.raw`\n`, '').replaceAll(/\s/g, '');
  const lines = bare.match(/.{1,64}/g) ?? [];
  try {
    const key = createPrivateKey([`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n'));
    const fits =
      algorithm === 'RS256'
        ? key.asymmetricKeyType === 'rsa' && (key.asymmetricKeyDetails?.modulusLength ?? 0) >= 2_048
        : key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return fits ? key : undefined;
  } catch {
    return undefined;
  }
}
