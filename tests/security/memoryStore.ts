import type { SecureStore, SecureStoreState } from '../../host/src/runtime/credentials/secureStore.ts';

/** A secure store that keeps what it is given in memory, and shows it to the test. */
export class MemoryStore implements SecureStore {
  readonly values = new Map<string, string>();

  async state(): Promise<SecureStoreState> {
    return { available: true, name: 'memory' };
  }

  async get(account: string): Promise<string | undefined> {
    return this.values.get(account);
  }

  async set(account: string, secret: string): Promise<void> {
    this.values.set(account, secret);
  }

  async delete(account: string): Promise<void> {
    this.values.delete(account);
  }
}
