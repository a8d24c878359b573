import { randomBytes } from 'node:crypto';
import { HostError } from '../../common/errors.ts';
import type { SecureStore, SecureStoreState } from './secureStore.ts';

/** The account of the trial. No secret is under it. */
const TRIAL_ACCOUNT = 'tabularium-trial';

/** Whether a store gives back what it was given: writes a random value, reads it, and deletes it again. A store that can't be written is only asked for its state. */
export async function tryStore(store: SecureStore): Promise<SecureStoreState> {
  const state = await store.state();
  if (!state.available || store.isReadOnly === true) return state;
  try {
    const value = randomBytes(16).toString('hex');
    await store.set(TRIAL_ACCOUNT, value);
    const found = await store.get(TRIAL_ACCOUNT);
    await store.delete(TRIAL_ACCOUNT);
    if (found === value) return state;
    return { available: false, name: state.name, reason: `What was just saved in ${state.name} is not there.` };
  } catch (error) {
    if (!(error instanceof HostError)) throw error;
    return { available: false, name: state.name, reason: error.message };
  }
}
