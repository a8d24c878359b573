import { realpathSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SQLITE_BUSY = 5;
/** Folders that this process owns: opening a lock file again would release what the process holds. */
const owned = new Set<string>();

/**
 * Takes a state folder for one registry: two on the same storage would publish over one another. The lock is SQLite's own on a file of its
 * own, which the operating system releases however the process ends.
 *
 * @returns undefined when another registry has it
 */
export async function acquireStateLock(stateFolder: string): Promise<Disposable | undefined> {
  const folder = realpathSync(stateFolder);
  if (owned.has(folder)) return undefined;
  owned.add(folder);
  const file = join(folder, 'registry.lock');
  let database: DatabaseSync | undefined;
  try {
    await writeFile(file, '', { flag: 'wx', mode: 0o600 }).catch((error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    });
    database = new DatabaseSync(file, { timeout: 0 });
    // In memory, so that no journal is left beside the lock.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    owned.delete(folder);
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
  const lock = database;
  return {
    [Symbol.dispose]() {
      if (!lock.isOpen) return;
      lock.close();
      owned.delete(folder);
    },
  };
}
