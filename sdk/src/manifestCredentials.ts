import { z } from 'zod';
import { identifier } from './manifestIdentifier.ts';

const headerName = z.string().regex(/^[A-Za-z0-9-]{1,60}$/, 'Use letters, digits and hyphens.');

/** A value of the form's field, or always the same one. */
const sourceSchema = z.union([z.strictObject({ field: identifier }), z.strictObject({ value: z.string().min(1).max(400) })]);
/** Where a part of a credential that isn't a secret comes from: a field of the form, or the manifest itself. */
export type CredentialSource = z.output<typeof sourceSchema>;

/**
 * Uses the credential only while a `select` or `toggle` field has one of these values (a toggle's are `"true"` and `"false"`), for a form that
 * offers more than one way to sign in.
 */
const whenSchema = z.strictObject({ field: identifier, values: z.array(z.string().min(1)).min(1).max(20) });

const base = { field: identifier, when: whenSchema.optional() };

/** `field` is the `secret` field of each. */
export const credentialSchema = z.discriminatedUnion('scheme', [
  /** The secret in headers, as it is. */
  z.strictObject({
    ...base,
    scheme: z.literal('header').optional(),
    headers: z.array(headerName).min(1).max(4),
    /** The text before the secret in the header, such as `Token `. */
    prefix: z.string().max(20).default(''),
  }),
  /** The secret as a parameter of the query. Requests of the driver must not have this parameter. */
  z.strictObject({
    ...base,
    scheme: z.literal('query'),
    parameter: z.string().regex(/^[A-Za-z0-9_.~-]{1,60}$/, 'Use letters, digits, ".", "_", "~" and "-".'),
  }),
  /** User name and password (RFC 7617) in UTF-8. `user` is a `text` field; the password is the secret. */
  z.strictObject({ ...base, scheme: z.literal('basic'), user: identifier }),
  /** `Authorization: Bearer` with the secret (RFC 6750). */
  z.strictObject({ ...base, scheme: z.literal('bearer') }),
  /**
   * `Authorization: Bearer` with a JSON Web Token (RFC 7519) that the host signs. The secret is a private key in PEM, RSA for RS256 and P-256 for
   * ES256. `iat` and `exp` are the host's.
   */
  z.strictObject({
    ...base,
    scheme: z.literal('jwt'),
    algorithm: z.enum(['RS256', 'ES256']),
    keyId: sourceSchema.optional(),
    claims: z.record(z.string().regex(/^(?!(?:iat|exp|nbf)$)[A-Za-z][A-Za-z0-9_]{0,39}$/), sourceSchema),
    lifetimeSeconds: z.number().int().min(60).max(3_600).default(600),
  }),
  /**
   * Signature Version 4 of Amazon Web Services. The secret is the secret access key. A body that is streamed can't be signed, except for the
   * service `s3`, which takes it unsigned.
   */
  z.strictObject({
    ...base,
    scheme: z.literal('sigv4'),
    accessKey: identifier,
    /** A further `secret` field, for temporary credentials. */
    sessionToken: identifier.optional(),
    region: sourceSchema,
    service: z.string().regex(/^[a-z0-9-]{1,40}$/),
  }),
  z.discriminatedUnion('grant', [
    /**
     * OAuth 2.0 client credentials (RFC 6749, 4.4): the host gets an access token from `tokenUrl`, renews it, and sends it as a bearer token. The
     * secret is the client secret; it goes to the token URL alone, which is `https`, or `http` on this computer.
     */
    z.strictObject({
      ...base,
      scheme: z.literal('oauth2'),
      grant: z.literal('clientCredentials'),
      tokenUrl: sourceSchema,
      clientId: identifier,
      scope: sourceSchema.optional(),
      audience: sourceSchema.optional(),
      /** Where the client's id and secret go in the request for a token. */
      clientIn: z.enum(['basic', 'body']).default('basic'),
    }),
    /**
     * OAuth 2.0 with a person who signs in at their provider: by authorization code with PKCE (RFC 7636) where `authorizationUrl` is there, by device
     * code (RFC 8628) where `deviceUrl` is. The field is for the refresh token, which the host gets: a person types nothing there. Every URL is
     * `https`, or `http` on this computer.
     */
    z.strictObject({
      ...base,
      scheme: z.literal('oauth2'),
      grant: z.literal('signIn'),
      tokenUrl: sourceSchema,
      authorizationUrl: sourceSchema.optional(),
      deviceUrl: sourceSchema.optional(),
      /** Signing out revokes the refresh token there (RFC 7009). */
      revocationUrl: sourceSchema.optional(),
      /** The `iss` that answers to a redirect must have (RFC 9207). Without it, one that is there must have the origin of `authorizationUrl`. */
      issuer: sourceSchema.optional(),
      clientId: sourceSchema,
      /** A further `secret` field, for a provider that gives programs a client secret. */
      clientSecret: identifier.optional(),
      scope: sourceSchema.optional(),
      audience: sourceSchema.optional(),
      /** Where the client secret goes, if there is one. */
      clientIn: z.enum(['basic', 'body']).default('basic'),
    }),
  ]),
]);

/** A credential that the host adds to each request; without a `scheme`, in headers. */
export type HttpCredential = z.output<typeof credentialSchema>;

/** The `secret` fields of a credential, {@link HttpCredential.field} first. */
export function secretFieldsOf(credential: HttpCredential): readonly string[] {
  const { sessionToken, clientSecret } = { sessionToken: undefined, clientSecret: undefined, ...credential };
  return [credential.field, sessionToken, clientSecret].filter((field) => field !== undefined);
}

/** A credential that a person gets by signing in at their provider. */
export type SignInCredential = Extract<HttpCredential, { readonly grant: 'signIn' }>;

/** Whether a person gets the credential by signing in at their provider. */
export function isSignIn(credential: HttpCredential): credential is SignInCredential {
  return credential.scheme === 'oauth2' && credential.grant === 'signIn';
}

/** The parts of a credential that are addresses which a secret, a code or a person goes to. */
const ADDRESS_PARTS = ['tokenUrl', 'authorizationUrl', 'deviceUrl', 'revocationUrl'] as const;

/** The addresses of a credential beside the server's own, by the part that names each. */
export function addressesOf(credential: HttpCredential): readonly { readonly part: string; readonly source: CredentialSource }[] {
  if (credential.scheme !== 'oauth2') return [];
  const parts: Partial<Record<(typeof ADDRESS_PARTS)[number], CredentialSource>> = credential;
  return ADDRESS_PARTS.flatMap((part) => {
    const source = parts[part];
    return source === undefined ? [] : [{ part, source }];
  });
}

/** The `text` fields that a credential has parts in, each with the path of what names it. */
export function textFieldsOf(credential: HttpCredential): readonly { readonly path: string; readonly field: string }[] {
  const named = (path: string, source: CredentialSource | undefined) =>
    source !== undefined && 'field' in source ? [{ path, field: source.field }] : [];
  switch (credential.scheme) {
    case 'basic':
      return [{ path: 'user', field: credential.user }];
    case 'jwt':
      return [
        ...named('keyId', credential.keyId),
        ...Object.entries(credential.claims).flatMap(([claim, source]) => named(`claims.${claim}`, source)),
      ];
    case 'sigv4':
      return [{ path: 'accessKey', field: credential.accessKey }, ...named('region', credential.region)];
    case 'oauth2':
      return [
        ...(credential.grant === 'signIn'
          ? [...named('clientId', credential.clientId), ...named('issuer', credential.issuer)]
          : [{ path: 'clientId', field: credential.clientId }]),
        ...addressesOf(credential).flatMap(({ part, source }) => named(part, source)),
        ...named('scope', credential.scope),
        ...named('audience', credential.audience),
      ];
    default:
      return [];
  }
}
