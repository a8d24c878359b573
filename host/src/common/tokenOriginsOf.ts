import { addressesOf } from '@tabularium/sdk/manifest';
import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from './connection.ts';
import { furtherDestinationsOf } from './furtherDestinations.ts';
import { sourceValue, usedCredentials } from './usedCredentials.ts';

/** The origins that the credentials of a form get their tokens from, and that a person signs in at. An address that isn't one yet is left out. */
export function tokenOriginsOf(manifest: Manifest, settings: SettingsValues): readonly string[] {
  const further = furtherDestinationsOf(manifest, settings).flatMap(({ credentials, destination }) =>
    destination === undefined ? [] : usedCredentials(manifest, settings, credentials),
  );
  const addresses = [...usedCredentials(manifest, settings), ...further]
    .flatMap((credential) => addressesOf(credential))
    .map(({ source }) => sourceValue(source, manifest, settings));
  return [...new Set(addresses.filter((address) => URL.canParse(address)).map((address) => new URL(address).origin))];
}
