import { DriverError } from '@tabularium/sdk';
import type { ConsentGrant } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../common/connection.ts';
import { serverPermissionOf } from '../../../common/serverPermission.ts';
import type { SealedSecrets } from '../../credentials/sealedSecrets.ts';
import type { SendingDriver } from './serverDestination.ts';
import { reachOf, serverDestination } from './serverDestination.ts';

/**
 * The credentials that a driver itself gets, by field: those that its manifest names, for exactly the server that they were entered for, and
 * only where a person has allowed it.
 *
 * @throws DriverError `INVALID_INPUT`, `CREDENTIALS_MISSING` with the field, `PERMISSION_DENIED` without a person's consent
 * @throws HostError `SECRET_NOT_CONFIRMED`
 */
export function driverSecretsFor(
  driver: SendingDriver & { readonly allowedGrants?: readonly ConsentGrant[] },
  settings: SettingsValues,
  secrets: SealedSecrets,
): ReadonlyMap<string, string> {
  const { manifest } = driver;
  const asked = manifest.permissions.secrets;
  const given = new Map<string, string>();
  if (asked === undefined) return given;
  if (driver.allowedGrants?.includes('secrets') !== true) {
    throw new DriverError(
      'PERMISSION_DENIED',
      `The driver "${driver.id}" needs a permission that you haven't granted (secrets).`,
    );
  }
  const server = serverPermissionOf(manifest);
  // Without a server there is nothing that a secret could be bound to.
  if (server === undefined)
    throw new DriverError('UNSUPPORTED', `${manifest.title} reaches no server, so it gets no credentials.`);
  const destination = serverDestination(server, manifest, settings);
  for (const field of asked.fields) {
    const value = secrets.open(field, reachOf(driver, settings, destination, field));
    if (value !== undefined && value !== '') given.set(field, value);
    else {
      const { label, required } = manifest.connection.fields.find(({ id }) => id === field) ?? { label: field, required: false };
      if (required) throw new DriverError('CREDENTIALS_MISSING', `${label} is missing.`, { details: { field } });
    }
  }
  return given;
}
