import { randomBytes } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HostError } from '../../common/errors.ts';
import { token } from '../container/inject.ts';

/** The state of {@link BindingKey.key}. */
export const BINDING_KEY = token<Uint8Array>('BINDING_KEY');

export const BINDING_KEY_FILE = 'secret-bindings.key';
const KEY_BYTES = 32;

/** The key that the home's records of approved destinations are authenticated with. */
export interface BindingKey {
  readonly key: Uint8Array;
  /** Whether this home had none: it was last used by a version without such records, or is new. */
  readonly isNew: boolean;
  /** Keeps a new key: called when what it authenticates is in the database. @throws HostError `HOME_UNUSABLE` */
  save(): Promise<void>;
}

/**
 * Reads the home's key, or makes one that counts once it is saved. A file beside the database and no part of it: whatever can write the database alone (a driver with the
 * `sqlite` grant, somebody with an editor for databases) cannot make a record that counts.
 *
 * @param folder - the home, owned by this process
 * @throws HostError `HOME_UNUSABLE`
 */
export async function loadBindingKey(folder: string): Promise<BindingKey> {
  const file = join(folder, BINDING_KEY_FILE);
  const found = await attempt(file, () => readFile(file).catch(undefinedWhenMissing));
  if (found?.length === KEY_BYTES) return { key: found, isNew: false, save: () => Promise.resolve() };
  const key = randomBytes(KEY_BYTES);
  return {
    key,
    // A damaged key makes every record void, and people are asked again: nothing is adopted a second time.
    isNew: found === undefined,
    save: () =>
      attempt(file, async () => {
        const staged = `${file}.new`;
        await rm(staged, { force: true });
        await writeFile(staged, key, { mode: 0o600, flag: 'wx' });
        await rename(staged, file);
      }),
  };
}

/** Whether the home has a key that can't be used. A missing one isn't damaged: the home may be new. */
export async function isBindingKeyDamaged(folder: string): Promise<boolean> {
  const found = await readFile(join(folder, BINDING_KEY_FILE)).catch(() => undefined);
  return found !== undefined && found.length !== KEY_BYTES;
}

async function attempt<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw new HostError('HOME_UNUSABLE', `The file ${file} cannot be read or written.`, {
      details: { advice: 'Check that it is yours, and that the disk has room.' },
      cause,
    });
  }
}

function undefinedWhenMissing(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}
