import type { SecretReference } from '../../common/connection.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import { openEnvelope } from '../credentials/secretEnvelope.ts';
import { environmentVariable } from '../program/environmentVariable.ts';

/** A secret, and what it is bound to where it is stored with that. */
export interface ReferredSecret {
  readonly value: string;
  readonly digest?: string;
}

/**
 * Reads the secret that a reference names.
 *
 * @param account - its entry in the store
 * @returns undefined where there is none, and for one that was entered for a run of the host
 * @throws HostError for a store that can't be read
 */
export async function referredSecret(
  reference: SecretReference,
  account: string,
  store: Pick<SecureStore, 'get'>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ReferredSecret | undefined> {
  if (reference.kind === 'session') return undefined;
  if (reference.kind === 'environment') {
    const value = environmentVariable(environment, reference.variable);
    return value === undefined ? undefined : { value };
  }
  const entry = await store.get(account);
  return entry === undefined ? undefined : openEnvelope(entry);
}
