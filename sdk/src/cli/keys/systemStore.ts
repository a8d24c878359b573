import { CliError } from '../cliError.ts';

/** The operating system's store, as far as keys need it. */
export interface SystemStore {
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
}

/** The name of the keys in the store. */
const SERVICE = 'Tabularium driver keys';
/** Long enough for a person to unlock the store by its password. */
const UNLOCK_MILLISECONDS = 120_000;

/**
 * Keychain, Credential Manager, or the Secret Service. On Linux the Secret Service is named, because the package would otherwise fall back to
 * the kernel's keyring, which is lost at the next log-out.
 *
 * @throws CliError `STORE_UNAVAILABLE` where the package or the store is missing
 */
export async function openSystemStore(): Promise<SystemStore> {
  const { AsyncEntry } = await import('@napi-rs/keyring').catch((cause: unknown) => {
    throw unavailable('The package @napi-rs/keyring, which reaches the store, is not installed', cause);
  });
  const use = async <T>(
    account: string,
    work: (entry: InstanceType<typeof AsyncEntry>, signal: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    try {
      const entry = new AsyncEntry(SERVICE, account, { linux: { store: 'secret-service' } });
      return await work(entry, AbortSignal.timeout(UNLOCK_MILLISECONDS));
    } catch {
      // Without the cause, because a store might quote its input.
      throw unavailable("The operating system's store cannot be reached, or is locked");
    }
  };
  return {
    get: (account) => use(account, async (entry, signal) => (await entry.getPassword(signal)) ?? undefined),
    set: (account, secret) => use(account, (entry, signal) => entry.setPassword(secret, signal)),
  };
}

function unavailable(why: string, cause?: unknown): CliError {
  return new CliError(
    'STORE_UNAVAILABLE',
    `${why}.`,
    'Keep the key in a file with a passphrase instead: tabularium-driver keys create --keep file.',
    { cause },
  );
}
