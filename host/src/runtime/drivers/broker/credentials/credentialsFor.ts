import { DriverError } from '@tabularium/sdk';
import { isSignIn, tokenAddress } from '@tabularium/sdk/manifest';
import type { HttpCredential, SignInCredential } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../../common/connection.ts';
import { settingOf } from '../../../../common/destinationOf.ts';
import { sourceValue, usedCredentials } from '../../../../common/usedCredentials.ts';
import type { SignedInTokens } from '../../../credentials/signedInTokens.ts';
import type { SendingDriver } from '../serverDestination.ts';
import type { RequestCredential } from './requestCredential.ts';
import { basicCredential, headerCredential, queryCredential } from './staticCredentials.ts';

/** Characters of a header value (RFC 9110), without the obsolete bytes above ASCII. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** RFC 7617 forbids them. */
const CONTROL = /\p{Cc}/u;

/** The headers that a signature sets. */
const SIGV4_HEADERS = ['authorization', 'x-amz-date', 'x-amz-security-token', 'x-amz-content-sha256'];

/** The lower-case names of the headers that credentials of a manifest write, used or not: the driver may write none of them. */
export function credentialHeadersOf(credentials: readonly HttpCredential[]): readonly string[] {
  return credentials.flatMap((credential) => {
    switch (credential.scheme) {
      case 'query':
        return [];
      case 'sigv4':
        return SIGV4_HEADERS;
      case 'basic':
      case 'bearer':
      case 'jwt':
      case 'oauth2':
        return ['authorization'];
      default:
        return credential.headers.map((name) => name.toLowerCase());
    }
  });
}

/** The names of the query parameters that credentials of a manifest write, used or not. */
export function credentialParametersOf(credentials: readonly HttpCredential[]): readonly string[] {
  return credentials.flatMap((credential) => (credential.scheme === 'query' ? [credential.parameter] : []));
}

/**
 * The credentials that a form chooses, in the manifest's order. One whose secret is not entered is left out, unless the form requires it or has
 * chosen it from several.
 *
 * @param openSecret - the value of a secret field, for exactly the place that it goes to
 * @param openTokens - the tokens of a person who has signed in, likewise
 * @param declared - those of one origin; left out: of the first
 * @throws DriverError `CREDENTIALS_MISSING` or `INVALID_INPUT`, each with the field
 */
export async function credentialsFor(
  driver: SendingDriver,
  settings: SettingsValues,
  openSecret: (field: string) => string | undefined,
  openTokens: (field: string) => SignedInTokens | undefined,
  declared?: readonly HttpCredential[],
): Promise<readonly RequestCredential[]> {
  const { manifest } = driver;
  const labelOf = (field: string): string => manifest.connection.fields.find(({ id }) => id === field)?.label ?? field;
  const missing = (field: string): DriverError =>
    new DriverError('CREDENTIALS_MISSING', `${labelOf(field)} is missing.`, { details: { field } });
  /** A part that a credential can't do without. */
  const needed = (field: string): string => {
    const value = String(settingOf(manifest, settings, field) ?? '').trim();
    if (value === '') throw missing(field);
    return value;
  };
  // The libraries of the rarer schemes are loaded with the first connection that needs them.
  const credentialOf = async (
    credential: Exclude<HttpCredential, SignInCredential>,
    secret: string,
  ): Promise<RequestCredential> => {
    const { field } = credential;
    const label = labelOf(field);
    switch (credential.scheme) {
      case 'query':
        return queryCredential(credential.parameter, secret);
      case 'basic': {
        const user = String(settingOf(manifest, settings, credential.user) ?? '');
        if (user.includes(':'))
          throw invalid(credential.user, `${labelOf(credential.user)} holds a colon, which a user name can't.`);
        if (CONTROL.test(user))
          throw invalid(credential.user, `${labelOf(credential.user)} holds a line break or another control character.`);
        if (CONTROL.test(secret)) throw invalid(field, `${label} holds a line break or another control character.`);
        return basicCredential(user, secret);
      }
      case 'jwt': {
        const { jwtCredential, privateKeyOf } = await import('./jwtCredential.ts');
        const key = privateKeyOf(secret, credential.algorithm);
        if (key === undefined) {
          const kind = credential.algorithm === 'RS256' ? 'an RSA key of at least 2048 bits' : 'a P-256 key';
          throw invalid(
            field,
            `${label} is not a private key in PEM without a passphrase, or not ${kind}, which ${credential.algorithm} needs.`,
          );
        }
        const claims = Object.entries(credential.claims).map(([claim, source]) => [
          claim,
          sourceValue(source, manifest, settings),
        ]);
        return jwtCredential(key, {
          algorithm: credential.algorithm,
          keyId: sourceValue(credential.keyId, manifest, settings),
          claims: Object.fromEntries(claims.filter(([, value]) => value !== '')) as Record<string, string>,
          lifetimeSeconds: credential.lifetimeSeconds,
        });
      }
      case 'sigv4': {
        const { sessionToken, region, service } = credential;
        const token = sessionToken === undefined ? '' : (openSecret(sessionToken) ?? '').trim();
        const { sigV4Credential } = await import('./sigV4Credential.ts');
        return sigV4Credential({
          accessKey: needed(credential.accessKey),
          secretKey: secret.trim(),
          sessionToken: token,
          region: 'field' in region ? needed(region.field) : region.value,
          service,
        });
      }
      case 'oauth2': {
        const { tokenUrl, clientId, clientIn, scope, audience } = credential;
        const address = tokenAddress(sourceValue(tokenUrl, manifest, settings));
        const fieldOfUrl = 'field' in tokenUrl ? tokenUrl.field : field;
        if (address.problem !== undefined) throw invalid(fieldOfUrl, `${labelOf(fieldOfUrl)}: ${address.problem}`);
        const { oauth2Credential } = await import('./oauth2Credential.ts');
        return oauth2Credential({
          tokenUrl: address.url,
          clientId: needed(clientId),
          clientSecret: secret,
          clientIn,
          scope: sourceValue(scope, manifest, settings),
          audience: sourceValue(audience, manifest, settings),
        });
      }
      default: {
        if (!HEADER_VALUE.test(secret)) throw unsendable(field, label);
        return credential.scheme === 'bearer'
          ? headerCredential(['authorization'], 'Bearer ', secret)
          : headerCredential(credential.headers, credential.prefix, secret);
      }
    }
  };
  const credentials: RequestCredential[] = [];
  for (const credential of usedCredentials(manifest, settings, declared)) {
    const { field } = credential;
    if (isSignIn(credential)) {
      const tokens = openTokens(field);
      const { SIGN_IN_ADVICE } = await import('./signInClient.ts');
      if (tokens === undefined)
        throw new DriverError('CREDENTIALS_MISSING', `You aren't signed in (${labelOf(field)}).`, {
          details: { field, advice: SIGN_IN_ADVICE },
        });
      const { signInClientOf } = await import('./signInClientOf.ts');
      const { signInCredential } = await import('./signInCredential.ts');
      credentials.push(signInCredential(signInClientOf(driver, settings, credential, openSecret), tokens));
      continue;
    }
    const secret = openSecret(field);
    if (secret !== undefined && secret !== '') credentials.push(await credentialOf(credential, secret));
    else {
      const isRequired = manifest.connection.fields.find(({ id }) => id === field)?.required === true;
      if (isRequired || credential.when !== undefined) throw missing(field);
    }
  }
  return credentials;
}

function unsendable(field: string, label: string): DriverError {
  return invalid(
    field,
    `${label} holds a character that cannot be sent in a header, such as a line break or a blank at its end.`,
  );
}

function invalid(field: string, message: string): DriverError {
  return new DriverError('INVALID_INPUT', message, { details: { field } });
}
