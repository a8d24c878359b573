import { addressesOf, isSignIn } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../../common/connection.ts';
import { sourceValue, usedCredentials } from '../../../../common/usedCredentials.ts';
import type { SendingDriver } from '../serverDestination.ts';

/**
 * The provider and the client that a form signs in with, as one text: two sign-ins belong to the same place exactly when their texts are the same.
 * Undefined where the form doesn't sign in with this field.
 */
export function signInPlace(driver: SendingDriver, settings: SettingsValues, field: string): string | undefined {
  const { id, manifest } = driver;
  const credential = usedCredentials(manifest, settings).find((one) => isSignIn(one) && one.field === field);
  if (credential === undefined || !isSignIn(credential)) return undefined;
  const { clientId, issuer, scope, audience } = credential;
  const valueOf = (source: typeof issuer): string => sourceValue(source, manifest, settings);
  return JSON.stringify([
    id,
    ...addressesOf(credential).map(({ part, source }) => [part, valueOf(source)]),
    ...[clientId, issuer, scope, audience].map(valueOf),
  ]);
}
