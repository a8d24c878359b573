import type { SecureStore } from '../../credentials/secureStore.ts';
import type { ApiContext } from '../context.ts';
import type { HostShell } from './hostShell.ts';

/** The context of a procedure of the owner's router: the services, and the process around them. */
export interface OwnerContext extends ApiContext {
  readonly shell: HostShell;
  readonly secureStore: Pick<SecureStore, 'state'>;
  /** Whether the host's own environment has a variable that is not empty. */
  readonly hasVariable: (name: string) => boolean;
}
