import { HostError } from '../../common/errors.ts';
import type { SecureStore, SecureStoreState } from './secureStore.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { englishOf, hostSentence } from '../../common/hostSentences.ts';

/** One entry of the store, as @napi-rs/keyring has it. */
export interface KeyringEntry {
  getPassword(signal?: AbortSignal): Promise<string | null>;
  setPassword(password: string, signal?: AbortSignal): Promise<void>;
  deleteCredential(signal?: AbortSignal): Promise<boolean>;
}

/** Opens an entry; throws where there is no store. */
export type OpenEntry = (service: string, account: string) => KeyringEntry;

export interface OsSecureStoreOptions {
  /** For tests; by default the operating system's own. */
  readonly open?: () => Promise<OpenEntry>;
  readonly platform?: NodeJS.Platform;
  /** The name of the entries in the store. */
  readonly service?: string;
}

/** Long enough for a person to unlock the store by its password. */
const UNLOCK_MILLISECONDS = 120_000;
const PROBE_MILLISECONDS = 3_000;
/** No secret is kept under it. */
const PROBE_ACCOUNT = 'tabularium-probe';
/** The limit of the Credential Manager's blob, which holds UTF-16. `SplitSecureStore` keeps below it. */
const WINDOWS_LARGEST_BYTES = 2_560;

/**
 * On Linux the Secret Service is pinned: left to itself, the package falls back to the kernel's keyring without an error where there is
 * none, and its values are lost at the next log-out (or, in a container, are rejected).
 */
async function openSystemStore(): Promise<OpenEntry> {
  const { AsyncEntry } = await import('@napi-rs/keyring');
  return (service, account) => new AsyncEntry(service, account, { linux: { store: 'secret-service' } });
}

/**
 * The operating system's secure store: Keychain, Credential Manager, or the Secret Service. There is no second place: without a store,
 * secrets are rejected. The store is looked up at every call, because a session may get its store while the host runs.
 */
export class OsSecureStore implements SecureStore {
  readonly #platform: NodeJS.Platform;
  readonly #service: string;
  readonly #load: () => Promise<OpenEntry>;
  #loaded: Promise<OpenEntry> | undefined;

  constructor(options: OsSecureStoreOptions = {}) {
    this.#platform = options.platform ?? process.platform;
    this.#service = options.service ?? 'Tabularium';
    this.#load = options.open ?? openSystemStore;
  }

  async state(): Promise<SecureStoreState> {
    const name = storeName(this.#platform);
    try {
      const entry = await this.#entry(PROBE_ACCOUNT);
      await entry.getPassword(AbortSignal.timeout(PROBE_MILLISECONDS));
      return { available: true, name };
    } catch (error) {
      if (isTimeout(error)) {
        // A store that waits for its password is there; the next real use asks for it.
        return { available: true, name };
      }
      const sentence = this.#reason(error);
      return { available: false, name, reason: englishOf(sentence), sentence };
    }
  }

  async get(account: string): Promise<string | undefined> {
    return (await this.#use(account, (entry, signal) => entry.getPassword(signal))) ?? undefined;
  }

  async set(account: string, secret: string): Promise<void> {
    if (this.#platform === 'win32' && Buffer.byteLength(secret, 'utf16le') > WINDOWS_LARGEST_BYTES) {
      throw new HostError('INVALID_REQUEST', `The credential is longer than ${storeName(this.#platform)} can keep.`, {
        details: { advice: 'Name an environment variable that holds it.' },
      });
    }
    await this.#use(account, (entry, signal) => entry.setPassword(secret, signal));
  }

  async delete(account: string): Promise<void> {
    await this.#use(account, (entry, signal) => entry.deleteCredential(signal));
  }

  async #use<T>(account: string, work: (entry: KeyringEntry, signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await work(await this.#entry(account), AbortSignal.timeout(UNLOCK_MILLISECONDS));
    } catch (cause) {
      // Without the cause and its text, because a store might quote its input.
      throw new HostError('SECURE_STORE_UNAVAILABLE', this.#reason(cause));
    }
  }

  async #entry(account: string): Promise<KeyringEntry> {
    this.#loaded ??= this.#load();
    try {
      return (await this.#loaded)(this.#service, account);
    } catch (error) {
      // The package itself could not be loaded: look again next time.
      await this.#loaded.catch(() => (this.#loaded = undefined));
      throw new StoreMissing(undefined, { cause: error });
    }
  }

  #reason(error: unknown): HostSentence {
    const store = hostSentence(STORE_SENTENCES[this.#platform] ?? 'storeSecretService');
    if (isTimeout(error)) return hostSentence('storeTimeout', { store });
    if (!(error instanceof StoreMissing)) return hostSentence('storeDenied', { store });
    if (this.#platform !== 'linux') return hostSentence('storeUnreachable', { store });
    return hostSentence('storeMissing');
  }
}

/** No entry could even be opened: there is no store, as against one that refuses. */
class StoreMissing extends Error {
  override readonly name = 'StoreMissing';
}

const STORE_SENTENCES: Readonly<Partial<Record<NodeJS.Platform, 'storeKeychain' | 'storeCredentialManager'>>> = {
  darwin: 'storeKeychain',
  win32: 'storeCredentialManager',
};

function storeName(platform: NodeJS.Platform): string {
  switch (platform) {
    case 'darwin':
      return 'the Keychain';
    case 'win32':
      return 'the Windows Credential Manager';
    default:
      return 'the Secret Service';
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && (error.name === 'TimeoutError' || error.name === 'AbortError');
}
