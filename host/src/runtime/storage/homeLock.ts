import { closeSync, openSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HostError } from '../../common/errors.ts';
import { storageFailure } from '../errors/storageFailure.ts';
import type { Home } from './home.ts';

const SQLITE_BUSY = 5;

/** Proof that this process owns a home. Released when closed, and by the operating system when the process ends, however it ends. */
export interface HomeLock extends Disposable {
  readonly home: Home;
}

/**
 * Takes the home for this process.
 *
 * The lock is SQLite's own on a file of its own (`fcntl` on Unix, `LockFileEx` on Windows): Node has no file locks, and a file that merely
 * exists is left behind by a crash. No other code may open and close `host.lock` in this process: on Unix that would release the lock.
 *
 * @throws HostError `HOME_IN_USE` at once, without waiting
 */
export async function acquireHomeLock(home: Home): Promise<HomeLock> {
  const file = join(home.folder, 'host.lock');
  await create(file);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { timeout: 0 });
    // In memory, so that no journal is left beside the lock.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    if (isBusy(cause)) throw new HostError('HOME_IN_USE', `Another host owns ${home.folder}.`, { cause });
    // SQLite reports "cannot open" for what the system refuses, too; the system says why.
    const known = storageFailure(refusalOf(file) ?? cause, `The lock ${file} cannot be used.`, home.folder);
    // A lock with other content than SQLite's is not a damaged database: there is nothing to restore.
    if (known !== undefined && known.code !== 'DATABASE_DAMAGED') throw known;
    throw new HostError('HOME_UNUSABLE', `The lock ${file} cannot be used.`, {
      cause,
      details: { advice: 'Remove that file if no host is running, and try again.' },
    });
  }
  const owned = database;
  return {
    home,
    [Symbol.dispose]() {
      if (owned.isOpen) owned.close();
    },
  };
}

/** Exclusive creation opens nothing when the file exists, and so cannot release a lock that this process holds. */
async function create(file: string): Promise<void> {
  try {
    await writeFile(file, '', { flag: 'wx', mode: 0o600 });
    await chmod(file, 0o600);
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return;
    throw (
      storageFailure(cause, `The lock ${file} cannot be created.`) ??
      new HostError('HOME_UNUSABLE', `The lock ${file} cannot be created.`, { cause })
    );
  }
}

/** Whether the system lets the file be opened. Closing it releases no lock: SQLite would have reported one that this process holds. */
function refusalOf(file: string): unknown {
  try {
    closeSync(openSync(file, 'r+'));
    return undefined;
  } catch (error) {
    return error;
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
