import type { Manifest } from '@tabularium/sdk/manifest';
import type { SettingsValues } from '../../../common/connection.ts';
import { SealedSecrets } from '../../credentials/sealedSecrets.ts';
import { reachedOrigins } from '../../connections/reachedOrigins.ts';
import type { SendingDriver } from './serverDestination.ts';
import { secretReach } from './serverDestination.ts';
import type { HttpGrant } from './httpGrant.ts';
import type { ReadTextFile } from './tlsPolicy.ts';
import { httpGrantFor } from './httpGrant.ts';

/** A driver as far as it decides where secrets go, installed from a publisher of tests. */
export function testSender(manifest: Manifest): SendingDriver {
  return {
    id: manifest.id,
    manifest,
    version: '1.0.0',
    publisher: { id: 'p', name: 'P', fingerprint: 'aaaa bbbb', origin: 'firstParty' },
  };
}

/** Secrets that a person has approved for where this form sends them. */
export function sealedFor(
  driver: SendingDriver,
  settings: SettingsValues,
  values: Readonly<Record<string, string>>,
): SealedSecrets {
  return new SealedSecrets(
    new Map(Object.entries(values).map(([field, value]) => [field, { value, approved: secretReach(driver, settings, field) }])),
    reachedOrigins(driver, settings),
  );
}

/** The grant of a form whose secrets a person has approved. */
export async function approvedGrant(
  manifest: Manifest,
  settings: SettingsValues,
  values: Readonly<Record<string, string>>,
  readFile: ReadTextFile,
): Promise<HttpGrant> {
  const driver = testSender(manifest);
  return httpGrantFor(driver, settings, sealedFor(driver, settings, values), readFile);
}
