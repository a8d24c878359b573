import { lstat, readdir, stat } from 'node:fs/promises';
import type { Dirent, Stats } from 'node:fs';
import { join } from 'node:path';
import { HostError } from '../../common/errors.ts';
import { storageFailure } from '../errors/storageFailure.ts';

/** The files of a data directory, `/` between folders. The database itself has a check of its own. */
export const HOME_FILES = [
  'tabularium.db-wal',
  'tabularium.db-shm',
  'tabularium.db-journal',
  'host.lock',
  'host.json',
  'mcp-handshake.json',
  'mcp-off.json',
  'secret-bindings.key',
  'secret-store.json',
  'secret-move.json',
  'home-identity.json',
  'metrics-token',
  'window-sessions.json',
  'backups/restore.json',
  'cache/driver-processes.json',
] as const;
/** The folders, and links to folders. */
export const HOME_FOLDERS = ['drivers', 'logs', 'cache', 'backups', 'trust', 'imports'] as const;
/** Reading an entry of these that isn't a file may never end. */
const READ_FOLDERS = ['logs', 'cache', 'backups', 'trust'] as const;

/**
 * Refuses a data directory with an entry of the wrong kind, such as a folder in the place of a file. Opening a named pipe would wait for ever,
 * and what fails later fails without a name.
 *
 * @param folder - the data directory; entries that are missing are fine
 * @throws HostError `HOME_UNUSABLE` with the path and what it is
 */
export async function assertHomeEntries(folder: string): Promise<void> {
  // One after the other: a command works with a few descriptors.
  for (const name of HOME_FOLDERS) await assertKind(join(folder, name), 'folder');
  for (const name of HOME_FILES) await assertKind(join(folder, name), 'file');
  const socket = join(folder, 'host.sock');
  const entry = await attempt(socket, () => lstat(socket));
  // A file is removed before the host listens.
  if (entry?.isDirectory() === true) throw wrongKind(socket, kindOf(entry), 'socket');
  for (const name of READ_FOLDERS) {
    const inside = join(folder, name);
    for (const each of (await attempt(inside, () => readdir(inside, { withFileTypes: true }))) ?? []) {
      if (each.isFile() || each.isDirectory() || each.isSymbolicLink()) continue;
      throw wrongKind(join(inside, each.name), kindOf(each), 'file');
    }
  }
}

async function assertKind(path: string, expected: 'file' | 'folder'): Promise<void> {
  const entry = await attempt(path, () => lstat(path));
  if (entry === undefined) return;
  const target = entry.isSymbolicLink() ? await attempt(path, () => stat(path)) : entry;
  if (target === undefined) throw wrongKind(path, 'a symbolic link that leads nowhere', expected);
  if (expected === 'file' ? target.isFile() : target.isDirectory()) return;
  throw wrongKind(path, entry.isSymbolicLink() ? `a symbolic link to ${kindOf(target)}` : kindOf(target), expected);
}

function kindOf(entry: Stats | Dirent): string {
  if (entry.isDirectory()) return 'a folder';
  if (entry.isFIFO()) return 'a named pipe';
  if (entry.isSocket()) return 'a socket';
  return entry.isFile() ? 'a file' : 'a device';
}

function wrongKind(path: string, found: string, expected: 'file' | 'folder' | 'socket'): HostError {
  return new HostError('HOME_UNUSABLE', `${path} is ${found}. Tabularium needs a ${expected} there.`, {
    details: { advice: 'Move it elsewhere and try again. Nothing was changed.' },
  });
}

/** Undefined for what does not exist. */
async function attempt<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'ENOENT' || code === 'ELOOP' || code === 'ENOTDIR') return undefined;
    throw (
      storageFailure(cause, `${path} cannot be read.`) ?? new HostError('HOME_UNUSABLE', `${path} cannot be read.`, { cause })
    );
  }
}
