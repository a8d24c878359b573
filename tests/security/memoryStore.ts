import type { SecureStore, SecureStoreState } from '../../host/src/runtime/credentials/secureStore.ts';

/** A secure store that keeps what it is given in memory, and shows it to the test. */
export class MemoryStore implements SecureStore {
  readonly kept = new Map<string, string>();

  async state(): Promise<SecureStoreState> {
    return { available: true, name: 'memory' };
  }

  async get(account: string): Promise<string | undefined> {
    return this.kept.get(account);
  }

  async set(account: string, secret: string): Promise<void> {
    this.kept.set(account, secret);
  }

  async delete(account: string): Promise<void> {
    this.kept.delete(account);
  }
}
