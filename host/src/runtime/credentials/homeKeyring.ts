import type { HomeIdentity } from '../storage/homeIdentity.ts';
import type { SecureStore, SecureStoreState } from './secureStore.ts';

/**
 * The entries of one data directory in a keyring that all of them share. A copy of a directory reads the entries of its original until it has its own, and changes
 * and deletes only its own.
 */
export class HomeKeyring implements SecureStore {
  readonly #keyring: SecureStore;
  readonly #identity: () => Promise<HomeIdentity>;
  #known: Promise<HomeIdentity> | undefined;

  /** @param identity - asked for once, at the first use */
  constructor(keyring: SecureStore, identity: () => Promise<HomeIdentity>) {
    this.#keyring = keyring;
    this.#identity = identity;
  }

  state(): Promise<SecureStoreState> {
    return this.#keyring.state();
  }

  async get(account: string): Promise<string | undefined> {
    const { name, originals } = await this.#home();
    for (const home of [name, ...originals]) {
      const entry = await this.#keyring.get(accountIn(home, account));
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  async getOwn(account: string): Promise<string | undefined> {
    return this.#keyring.get(accountIn((await this.#home()).name, account));
  }

  async set(account: string, secret: string): Promise<void> {
    await this.#keyring.set(accountIn((await this.#home()).name, account), secret);
  }

  async delete(account: string): Promise<void> {
    await this.#keyring.delete(accountIn((await this.#home()).name, account));
  }

  async #home(): Promise<HomeIdentity> {
    this.#known ??= this.#identity();
    try {
      return await this.#known;
    } catch (error) {
      // A disk that was full may have room at the next use.
      this.#known = undefined;
      throw error;
    }
  }
}

/** The name of an entry. Entries of versions before had no name of a home. */
function accountIn(home: string, account: string): string {
  return home === '' ? account : `${home}/${account}`;
}
