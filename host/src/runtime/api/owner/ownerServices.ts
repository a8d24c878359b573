import type { SecureStore } from '../../credentials/secureStore.ts';
import type { ApiContext } from '../context.ts';
import type { HostShell } from './hostShell.ts';

/** What the procedures of the owner need beside what the window's need. */
export interface OwnerServices {
  readonly shell: HostShell;
  readonly secureStore: Pick<SecureStore, 'state'>;
  /** Whether the host's own environment has a variable that is not empty. */
  hasVariable(name: string): boolean;
}

/** What a procedure of the owner's router is called with. */
export interface OwnerContext extends ApiContext {
  readonly owner: OwnerServices;
}
