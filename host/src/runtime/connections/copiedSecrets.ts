import type { SecretInput, SecretReference } from '../../common/connection.ts';
import { openEnvelope } from '../credentials/secretEnvelope.ts';
import type { SecureStore } from '../credentials/secureStore.ts';
import { accountOf } from './enteredSecrets.ts';
import type { EnteredSecrets } from './enteredSecrets.ts';
import { isSameReference, isSealedFor } from './heldSecret.ts';
import type { SecretBinding, SecretBindings } from './secretBindings.ts';

/** The secrets of a connection as they are stored for another one. */
export interface CopiedSecrets {
  readonly inputs: Record<string, SecretInput>;
  /** By field; one that was approved for nothing is missing. */
  readonly bindings: ReadonlyMap<string, SecretBinding>;
}

/** Where secrets and their approvals are. */
export interface CopySources {
  readonly store: SecureStore;
  readonly entered: EnteredSecrets;
  readonly bindings: SecretBindings;
}

/**
 * Reads the values of a connection for a copy of it, each for the same kind of place. A value that is missing is left out.
 *
 * @throws HostError `SECURE_STORE_UNAVAILABLE`
 */
export async function copiedSecrets(
  from: string,
  references: Readonly<Record<string, SecretReference>>,
  { store, entered, bindings }: CopySources,
): Promise<CopiedSecrets> {
  const inputs: Record<string, SecretInput> = {};
  const copied = new Map<string, SecretBinding>();
  for (const [field, reference] of Object.entries(references)) {
    const entry = reference.kind === 'store' ? await store.get(accountOf(from, field)) : undefined;
    const found = entry === undefined ? undefined : openEnvelope(entry);
    const inMemory = entered.get(from, field);
    const bound = bindings.get(from, field);
    if (reference.kind === 'environment') inputs[field] = reference;
    else if (reference.kind === 'store' && found !== undefined) inputs[field] = { kind: 'store', value: found.value };
    else if (reference.kind === 'session' && inMemory !== undefined) inputs[field] = { kind: 'session', value: inMemory.value };
    // The copy goes where its original was approved to go, and is asked about when that changed.
    if (bound !== undefined && isSameReference(bound.from, reference) && isSealedIn(store, bound, found, reference))
      copied.set(field, bound);
  }
  return { inputs, bindings: copied };
}

/** A store that an administrator fills has no digest beside a value, as a variable has none: the binding in the database is the one wall. */
export function isSealedIn(
  store: Pick<SecureStore, 'isReadOnly'>,
  ...[bound, found, from]: Parameters<typeof isSealedFor>
): boolean {
  return (found?.digest === undefined && store.isReadOnly === true) || isSealedFor(bound, found, from);
}
