import { DriverError } from '@tabularium/sdk';
import { tokenAddress } from '@tabularium/sdk/manifest';
import type { SignInCredential } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../../common/connection.ts';
import { sourceValue } from '../../../../common/usedCredentials.ts';
import type { SendingDriver } from '../serverDestination.ts';
import type { SignInClient } from './signInClient.ts';

/**
 * The provider that a form names.
 *
 * @param openSecret - the value of a secret field, for exactly the place that it goes to
 * @throws DriverError `CREDENTIALS_MISSING` or `INVALID_INPUT`, each with the field
 */
export function signInClientOf(
  { manifest }: SendingDriver,
  settings: SettingsValues,
  credential: SignInCredential,
  openSecret: (field: string) => string | undefined,
): SignInClient {
  const labelOf = (field: string): string => manifest.connection.fields.find(({ id }) => id === field)?.label ?? field;
  const address = (source: SignInCredential['authorizationUrl']): URL | undefined => {
    if (source === undefined) return undefined;
    const found = tokenAddress(sourceValue(source, manifest, settings));
    if (found.problem === undefined) return found.url;
    const field = 'field' in source ? source.field : credential.field;
    throw new DriverError('INVALID_INPUT', `${labelOf(field)}: ${found.problem}`, { details: { field } });
  };
  const clientId = sourceValue(credential.clientId, manifest, settings);
  if (clientId === '') {
    const field = 'field' in credential.clientId ? credential.clientId.field : credential.field;
    throw new DriverError('CREDENTIALS_MISSING', `${labelOf(field)} is missing.`, { details: { field } });
  }
  const tokenUrl = address(credential.tokenUrl);
  if (tokenUrl === undefined) throw new DriverError('INVALID_INPUT', 'The address of the token server is missing.');
  return {
    tokenUrl,
    authorizationUrl: address(credential.authorizationUrl),
    deviceUrl: address(credential.deviceUrl),
    revocationUrl: address(credential.revocationUrl),
    issuer: sourceValue(credential.issuer, manifest, settings),
    clientId,
    clientSecret: credential.clientSecret === undefined ? undefined : openSecret(credential.clientSecret),
    clientIn: credential.clientIn,
    scope: sourceValue(credential.scope, manifest, settings),
    audience: sourceValue(credential.audience, manifest, settings),
  };
}
