import type { CredentialSource, HttpCredential, Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';
import { settingOf } from './destinationOf.ts';

/**
 * The credentials that a form chooses, in the manifest's order: all but those whose `when` has another value.
 *
 * @param declared - those of one origin; left out: of the first
 */
export function usedCredentials(
  manifest: Manifest,
  settings: SettingsValues,
  declared: readonly HttpCredential[] = manifest.permissions.http?.credentials ?? [],
): readonly HttpCredential[] {
  return declared.filter(
    ({ when }) => when === undefined || when.values.includes(String(settingOf(manifest, settings, when.field) ?? '')),
  );
}

/** A part of a credential that isn't a secret, without blanks around it; empty where the field is. */
export function sourceValue(source: CredentialSource | undefined, manifest: Manifest, settings: SettingsValues): string {
  if (source === undefined) return '';
  return 'value' in source ? source.value : String(settingOf(manifest, settings, source.field) ?? '').trim();
}

function sentByGrant(grant: string): string {
  return `authorization: Bearer (OAuth 2.0, ${grant})`;
}

/** The credentials of a sign-in at a provider, as {@link sentAsOf} describes them. */
export const SENT_BY_SIGN_IN = sentByGrant('signIn');

/** How a credential reaches a server, as a person reads it: the header with what is before the secret in it, the parameter, or what is made of it. */
export function sentAsOf(credential: HttpCredential): readonly string[] {
  switch (credential.scheme) {
    case 'query':
      return [`?${credential.parameter}=`];
    case 'basic':
      return ['authorization: Basic '];
    case 'bearer':
      return ['authorization: Bearer '];
    case 'jwt':
      return [`authorization: Bearer (JWT, ${credential.algorithm})`];
    case 'sigv4':
      return [`authorization: AWS4-HMAC-SHA256 (${credential.service})`];
    case 'oauth2':
      return [sentByGrant(credential.grant)];
    default:
      return credential.headers.map((name) => `${name.toLowerCase()}: ${credential.prefix}`);
  }
}
