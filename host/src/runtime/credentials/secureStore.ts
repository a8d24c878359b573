import { token } from '../container/inject.ts';
import type { HostSentence } from '../../common/hostSentences.ts';

export const SECURE_STORE = token<SecureStore>('SECURE_STORE');

/** Whether secrets can be kept, and if not, why: shown to people unchanged. */
export type SecureStoreState =
  | { readonly available: true; readonly name: string }
  | {
      readonly available: false;
      readonly name: string;
      readonly reason: string;
      readonly sentence?: HostSentence;
      readonly advice?: string;
      /** Its administrator chose that none is saved: nothing is wrong. */
      readonly isReadOnly?: true;
    };

/** Keeps secrets by account name, in the one place that was chosen; never falls back to another. */
export interface SecureStore {
  /** True where values come from an administrator: none can be saved, nor have the digest of what it was entered for beside it. */
  readonly isReadOnly?: boolean;
  state(): Promise<SecureStoreState>;
  /** @throws HostError `SECURE_STORE_UNAVAILABLE` */
  get(account: string): Promise<string | undefined>;
  /**
   * Like {@link get}, without what belongs to the data directory that this one is a copy of: a refresh token that both spend ends for both. Absent where
   * the store has no entries of others.
   *
   * @throws HostError `SECURE_STORE_UNAVAILABLE`
   */
  getOwn?(account: string): Promise<string | undefined>;
  /** @throws HostError `SECURE_STORE_UNAVAILABLE` */
  set(account: string, secret: string): Promise<void>;
  /** Forgets a secret; does nothing when there is none. @throws HostError `SECURE_STORE_UNAVAILABLE` */
  delete(account: string): Promise<void>;
}
