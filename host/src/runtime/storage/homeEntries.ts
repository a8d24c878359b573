import { lstat, readdir, stat } from 'node:fs/promises';
import type { Dirent, Stats } from 'node:fs';
import { join } from 'node:path';
import { visibleText } from '@tabularium/sdk';
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

/** Entries that a file system or a file manager makes in any folder. */
const OF_ANY_FOLDER = ['lost+found', '.DS_Store', 'desktop.ini', 'Thumbs.db'];

/**
 * Refuses a folder that something else uses: it would be closed to everybody else, and filled with files that belong together.
 *
 * @param folder - an empty one, one with files by which a data directory is known, or one with nothing but entries of a data directory
 * @throws HostError `HOME_UNUSABLE` with the name of an entry of something else
 */
export async function assertHomeOrEmpty(folder: string): Promise<void> {
  // One that is closed even to its owner is used by nothing else, and is opened to them.
  const names = (await attempt(folder, () => readdir(folder).catch(undefinedWhenClosed))) ?? [];
  const isOfDatabase = (name: string): boolean => name.startsWith('tabularium.db');
  const files: readonly string[] = HOME_FILES;
  if (names.some((name) => isOfDatabase(name) || files.includes(name))) return;
  const own: readonly string[] = [...HOME_FOLDERS, 'host.sock', ...OF_ANY_FOLDER];
  const other = names.find((name) => !own.includes(name));
  if (other === undefined) return;
  throw new HostError(
    'HOME_UNUSABLE',
    `${folder} isn't a data directory of Tabularium: “${visibleText(other, 'name')}” in it belongs to something else.`,
    {
      details: { advice: 'Name an empty folder, or one that is still to be made, with TABULARIUM_HOME.' },
    },
  );
}

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
function undefinedWhenClosed(error: unknown): undefined {
  if (!(error instanceof Error && 'code' in error && error.code === 'EACCES')) throw error;
}

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
