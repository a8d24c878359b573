import { isSignIn } from '@tabularium/sdk/manifest';
import type { SignInCredential } from '@tabularium/sdk/manifest';
import type { SavedConnection, SettingsValues } from '../../common/connection.ts';
import type { SealedSecrets } from '../credentials/sealedSecrets.ts';
import type { SignedInTokens } from '../credentials/signedInTokens.ts';
import type { SignInClient } from '../drivers/broker/credentials/signInClient.ts';
import { secretReach } from '../drivers/broker/serverDestination.ts';
import type { SendingDriver } from '../drivers/broker/serverDestination.ts';
import type { ConnectionSecrets } from './connectionSecrets.ts';
import type { Revoke } from './tokenRevocations.ts';

type Secrets = Pick<ConnectionSecrets, 'resolve'>;

/** A sign-in that is stored, as far as it can be used now. */
export interface SavedSignIn {
  readonly tokens?: SignedInTokens;
  readonly revoke?: Revoke;
}

/** The sign-ins that a form can have, whichever way it has chosen. */
export function signInsOf({ manifest }: Pick<SendingDriver, 'manifest'>): readonly SignInCredential[] {
  return (manifest.permissions.http?.credentials ?? []).filter(isSignIn);
}

/** The client of a sign-in. @param sealed - with the client's secret, where there is one */
export async function signInClient(
  driver: SendingDriver,
  settings: SettingsValues,
  credential: SignInCredential,
  sealed: SealedSecrets | undefined,
): Promise<SignInClient> {
  const { signInClientOf } = await import('../drivers/broker/credentials/signInClientOf.ts');
  return signInClientOf(driver, settings, credential, (field) => {
    const reach = sealed === undefined ? undefined : secretReach(driver, settings, field);
    return reach === undefined ? undefined : sealed?.open(field, reach);
  });
}

/** Signing in needs the client secret alone: the password of a tunnel may be missing, and an old refresh token isn't needed to get a new one. */
export async function savedClient(
  secrets: Secrets,
  connection: SavedConnection,
  driver: SendingDriver,
  credential: SignInCredential,
): Promise<SignInClient> {
  const { clientSecret } = credential;
  const only = clientSecret === undefined ? [] : [clientSecret];
  return signInClient(driver, connection.settings, credential, await secrets.resolve(connection, driver, only));
}

/** Ends a sign-in at its provider, where the driver names an address for that. */
export function revocationOf(client: SignInClient, tokens: SignedInTokens): Revoke {
  return async (signal) => {
    const { revokeToken } = await import('../drivers/broker/credentials/signInClient.ts');
    return revokeToken(client, await tokens.settled(), signal);
  };
}

/**
 * The sign-in of a connection before it is forgotten. It is forgotten whether it can be revoked or not: without tokens where their destination has changed or
 * their store is locked, and without a revocation where the client's secret is missing.
 */
export async function savedSignIn(
  secrets: Secrets,
  connection: SavedConnection,
  driver: SendingDriver,
  credential: SignInCredential,
): Promise<SavedSignIn> {
  const { field } = credential;
  let tokens: SignedInTokens | undefined;
  try {
    const reach = secretReach(driver, connection.settings, field);
    tokens = reach === undefined ? undefined : (await secrets.resolve(connection, driver, [field])).openTokens(field, reach);
    if (tokens === undefined) return {};
    return { tokens, revoke: revocationOf(await savedClient(secrets, connection, driver, credential), tokens) };
  } catch {
    return tokens === undefined ? {} : { tokens };
  }
}
