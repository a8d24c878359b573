import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../common/errors.ts';
import { FileSecureStore } from './fileSecureStore.ts';
import { readSecretPlace, secretsFileSchema } from './secretPlace.ts';

/** As many are tried with a key: each takes half a second. */
const MOST_TRIED = 20;

/** A command, for a person who has the key file still. */
export const TAKE_UP_AGAIN = 'tabularium secrets use file --key-file FILE';

/** The encrypted files of a data directory that its choice of a place doesn't name, the newest first. A choice that can't be read names none. */
export async function unusedSecretsFiles(homeFolder: string): Promise<readonly string[]> {
  const choice = await readSecretPlace(homeFolder).catch(() => undefined);
  const used = choice?.place === 'file' ? choice.file : undefined;
  const names = (await readdir(homeFolder)).filter((name) => secretsFileSchema.safeParse(name).success && name !== used);
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      time: await lstat(join(homeFolder, name)).then(
        ({ mtimeMs }) => mtimeMs,
        () => 0,
      ),
    })),
  );
  return dated.toSorted((a, b) => b.time - a.time || a.name.localeCompare(b.name, 'en')).map(({ name }) => name);
}

/** An encrypted file that a key opens, and the accounts in it. */
export interface FoundSecretsFile {
  readonly file: string;
  readonly store: FileSecureStore;
  readonly accounts: readonly string[];
}

/**
 * The unused encrypted file that a key opens: the choice that named it was lost. Of several the one with the most of the accounts that connections have.
 *
 * @param key - reads the key, also one that would be refused for a new file
 */
export async function secretsFileOf(
  homeFolder: string,
  key: () => Promise<Buffer>,
  needed: readonly string[],
): Promise<FoundSecretsFile | undefined> {
  const found: FoundSecretsFile[] = [];
  for (const file of (await unusedSecretsFiles(homeFolder)).slice(0, MOST_TRIED)) {
    const store = new FileSecureStore({ homeFolder, file, key });
    const accounts = await store.accounts().catch((error: unknown) => {
      // Made with another key, damaged, or of another user.
      if (error instanceof HostError && error.code === 'SECURE_STORE_UNAVAILABLE') return undefined;
      throw error;
    });
    if (accounts !== undefined) found.push({ file, store, accounts });
  }
  const count = ({ accounts }: FoundSecretsFile): number => accounts.filter((account) => needed.includes(account)).length;
  // An empty file has nothing to take up.
  return found.filter(({ accounts }) => accounts.length > 0).toSorted((a, b) => count(b) - count(a))[0];
}
