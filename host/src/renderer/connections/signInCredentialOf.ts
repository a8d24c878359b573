import { addressesOf, isSignIn } from '@tabularium/sdk/manifest';
import type { Manifest, SignInCredential } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../common/connection.ts';
import { sourceValue, usedCredentials } from '../../common/usedCredentials.ts';

/** The credential that a person gets by signing in at a provider, where these settings choose one. */
export function signInCredentialOf(manifest: Manifest, settings: SettingsValues): SignInCredential | undefined {
  return usedCredentials(manifest, settings).find(isSignIn);
}

/** The provider that a form names, as one text. A sign-in at one provider is none at another. */
export function providerIn(manifest: Manifest, settings: SettingsValues): string {
  const credential = signInCredentialOf(manifest, settings);
  if (credential === undefined) return '';
  const { clientId, issuer, scope, audience } = credential;
  const sources = [...addressesOf(credential).map(({ source }) => source), clientId, issuer, scope, audience];
  return JSON.stringify(sources.map((source) => sourceValue(source, manifest, settings)));
}
